import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseGatesFile } from './index.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('each file that the guide and the README show loads without a warning', () => {
  const guide = [...read('../../docs/guide/gates-file.md').matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text)
  const readme = [...read('../README.md').matchAll(/`\n(gates:.*?)`/gs)].map(([, text = '']) => text)
  const files = [...guide, ...readme].filter((text) => text.includes('gates:'))
  expect(files).toHaveLength(12)
  for (const text of files) expect(parseGatesFile(text)).toMatchObject({ ok: true, warnings: [] })
})
