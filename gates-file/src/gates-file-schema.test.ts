import { expect, test } from 'vitest'
import { gatesFileSchema } from './index.ts'

test('the published JSON Schema is the one that the reader says', async () => {
  await expect(`${JSON.stringify(gatesFileSchema(), null, 2)}\n`).toMatchFileSnapshot('../schema/gates.schema.json')
})
