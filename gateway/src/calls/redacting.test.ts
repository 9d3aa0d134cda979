import { createRedactor } from '@callgate/core'
import { expect, test } from 'vitest'
import { callLine, list, wire } from './relay.fixture.ts'

const SECRET = 's3cr3t-A-of-many-letters'
const redactor = createRedactor({ paths: ['args.token'], key: 'a key of many characters' })

test.each([`{"token":"${SECRET}"}`, `{"token":"${SECRET}\\ud800"}`])('what fails inside the gateway tells neither the client nor a person a redacted value: %s', async (args) => {
  const broken = { ...redactor, of: () => { throw new Error(`redacting ${SECRET}`) }, covers: () => { throw new Error(`covering ${SECRET}`) } }
  const wired = wire({}, { redactor: broken, gates: { rules: [] } })
  list(wired)
  wired.relay.fromClient(callLine(1, 'do', `,"arguments":${args}`))
  await wired.settle()
  expect(wired.toServer).toEqual([])
  expect(wired.toClient).toHaveLength(1)
  expect(wired.toClient[0]).toContain('not told')
  expect(wired.logged.join()).toContain('not told')
  expect([...wired.toClient, ...wired.logged].join()).not.toContain(SECRET)
})

test('a key that stands twice is told, with nothing in it that moves or hides, and not where values are redacted', async () => {
  const told = (more: Parameters<typeof wire>[1]): string => {
    const wired = wire({}, more)
    list(wired)
    wired.relay.fromClient(callLine(1, 'do', `,"arguments":{"token":"${SECRET}","${SECRET}\u202e\u009b":1,"${SECRET}\u202e\u009b":2}`))
    expect([wired.toServer.length, wired.toClient.length, wired.logged.length]).toEqual([0, 1, 1])
    return [...wired.toClient, ...wired.logged].join()
  }
  const [plain, redacted] = [told({}), told({ redactor })]
  expect(plain).toContain(`${SECRET}\\u{202e}\\u{9b}`)
  expect(plain).not.toMatch(/[\u202e\u009b]/)
  expect(redacted).toContain('A key stands twice in the arguments.')
  expect(redacted).not.toContain(SECRET)
})
