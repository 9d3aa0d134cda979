import { createHmac, hash } from 'node:crypto'

/** SHA-256 of the UTF-8 bytes of `text`, as 64 hexadecimal digits. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex')
}

/** HMAC-SHA-256 of the UTF-8 bytes of `text` under those of `key`, as 64 hexadecimal digits. */
export function hmacSha256Hex(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}
