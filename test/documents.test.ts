import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseGatesFile } from '@callgate/gates-file'
import { describe, expect, test } from 'vitest'
import { drawLayers, placePicture } from '../scripts/layer-picture.ts'
import { walk } from '../scripts/workspace.ts'
import { HOUSE } from './scratch.ts'

const read = (path: string): string => readFileSync(join(HOUSE, path), 'utf8')
const linesOf = (path: string): number => read(path).split('\n').length - 1
const DOCUMENTS = walk(HOUSE, '').filter((path) => path.endsWith('.md') && !path.startsWith('etc/'))

describe('README.md', () => {
  test('opens with the command that shows it and the command that tests it', () => {
    expect(read('README.md')).toMatch(/^# callgate\n\n```sh\nnpm ci && npm run demo\nnpm ci && npm test\n```\n/)
  })

  test('shows gates files that load', () => {
    const files = [...read('README.md').matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text ?? '')
    expect(files.length).toBeGreaterThan(0)
    for (const text of files) expect(parseGatesFile(text, { file: 'README.md' })).toMatchObject({ ok: true, warnings: [] })
  })
})

describe('ARCHITECTURE.md', () => {
  test('shows the imports as they are (npm run graph redraws them)', async () => {
    const document = read('ARCHITECTURE.md')
    expect(document).toBe(placePicture(document, await drawLayers(HOUSE)))
  }, 60_000)

  test('an import that is not in the picture would be seen', () => {
    const document = read('ARCHITECTURE.md')
    expect(placePicture(document, 'another picture')).not.toBe(document)
    expect(() => placePicture('no marks', 'a picture')).toThrow('put them back')
  })

  test('names each room of the core', () => {
    const rooms = readdirSync(join(HOUSE, 'core/src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    for (const { name } of rooms) expect(read('ARCHITECTURE.md')).toContain(`\`core/src/${name}/\``)
  })

  test('is at most 120 lines, CONTRIBUTING.md at most 100', () => {
    expect(linesOf('ARCHITECTURE.md')).toBeLessThanOrEqual(120)
    expect(linesOf('CONTRIBUTING.md')).toBeLessThanOrEqual(100)
  })
})

test('every link between documents leads somewhere', () => {
  const dead = DOCUMENTS.flatMap((path) => linksOf(path).filter((link) => !existsSync(join(HOUSE, dirname(path), link))).map((link) => `${path}: ${link}`))
  expect(dead).toEqual([])
})

test('decisions are numbered without a gap, and half a page each', () => {
  const decisions = readdirSync(join(HOUSE, 'docs/decisions')).toSorted()
  expect(decisions.map((name) => name.slice(0, 4))).toEqual(decisions.map((_name, n) => String(n + 1).padStart(4, '0')))
  for (const name of decisions) {
    expect(name).toMatch(/^\d{4}-[a-z0-9-]+\.md$/)
    expect(linesOf(`docs/decisions/${name}`), name).toBeLessThanOrEqual(40)
  }
})

test('each policy of the core has its page', () => {
  for (const name of readdirSync(join(HOUSE, 'core/src/policies'))) expect(existsSync(join(HOUSE, `docs/policies/${name}.md`)), name).toBe(true)
})

test('each command of package.json that people run is in CONTRIBUTING.md', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const name of Object.keys(scripts)) expect(read('CONTRIBUTING.md')).toMatch(new RegExp(`\`npm (run )?${name}[ \`]`))
})

function linksOf(path: string): readonly string[] {
  const prose = read(path).replaceAll(/```.*?```/gs, '')
  return [...prose.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link]) => link ?? '').filter((link) => !/^[a-z]+:/.test(link))
}
