import { expect, test } from 'vitest'
import { createHostCheck, isLoopback, parseListenAddress } from './listen-address.ts'

test.each([
  ['3000', '127.0.0.1', 3_000],
  ['0', '127.0.0.1', 0],
  ['localhost:80', 'localhost', 80],
  ['0.0.0.0:8080', '0.0.0.0', 8_080],
  ['[::1]:65535', '::1', 65_535],
])('%s', (text, host, port) => {
  expect(parseListenAddress(text)).toEqual({ host, port })
})

test.each(['', 'x', '65536', ':80', 'http://a:80', 'a b:80', '::1:80', '-1', '80 '])('%j is no address', (text) => {
  expect(() => parseListenAddress(text)).toThrow('--listen wants a port')
})

test('loopback is what only this machine reaches', () => {
  expect(['127.0.0.1', 'localhost', '::1', '127.9.9.9', 'LOCALHOST'].every(isLoopback)).toBe(true)
  expect(['0.0.0.0', '::', 'example.com', '127.0.0.1.example.com', '10.0.0.1'].some(isLoopback)).toBe(false)
})

test.each([
  ['localhost:3000', true],
  ['127.0.0.1', true],
  ['[::1]:80', true],
  ['Gate.example.com:443', true],
  ['evil.example.com', false],
  ['localhost.example.com', false],
  ['localhost@evil.example.com', false],
  ['', false],
  [undefined, false],
])('the host %s is known: %s', (header, isKnown) => {
  expect(createHostCheck(['gate.example.com']).host(header)).toBe(isKnown)
})

test.each([
  ['http://localhost:5173', true],
  ['https://gate.example.com', true],
  [undefined, true],
  ['null', false],
  ['https://evil.example.com', false],
  ['http://localhost.evil.example.com', false],
  ['', false],
])('the origin %s is known: %s', (header, isKnown) => {
  expect(createHostCheck(['gate.example.com']).origin(header)).toBe(isKnown)
})
