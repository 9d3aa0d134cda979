import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ToolSelector } from './gate-rule.ts'
import { createNameMatcher } from './name-pattern.ts'
import { createSelectorIndex } from './selector-index.ts'

const name = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 4 })
const tool = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 5 })
const hints = fc.record({ destructiveHint: fc.boolean() }, { requiredKeys: [] })
const selector: fc.Arbitrary<ToolSelector> = fc.oneof(
  fc.record({ tools: fc.array(name, { minLength: 1, maxLength: 3 }) }),
  fc.record({ tools: fc.array(name, { minLength: 1, maxLength: 3 }), annotations: hints, unannotated: fc.boolean() }),
  fc.record({ annotations: hints, unannotated: fc.boolean() }),
)

test('an index finds what looking at each item finds, in file order', () => {
  fc.assert(fc.property(fc.array(selector, { maxLength: 12 }), tool, hints, (items, called, said) => {
    const isAbout = ({ tools, annotations, unannotated = false }: ToolSelector): boolean =>
      (tools === undefined || tools.some((each) => createNameMatcher(each)(called)))
      && (annotations === undefined || Object.entries(annotations).every(([hint, wanted]) => (said[hint as 'destructiveHint'] ?? (unannotated ? wanted : undefined)) === wanted))
    expect(createSelectorIndex(items, (item) => item).select(called, said)).toEqual(items.filter(isAbout))
  }), { numRuns: 2_000 })
})

test('patterns that begin alike are the only ones that are tried', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => ({ tools: [`tool_${at}_*`] }))
  const { select } = createSelectorIndex(many, (item) => item)
  const start = performance.now()
  for (let at = 0; at < 20_000; at += 1) expect(select(`tool_${at}_x`, {})).toHaveLength(1)
  // Trying each with each takes minutes.
  expect(performance.now() - start).toBeLessThan(10_000)
})
