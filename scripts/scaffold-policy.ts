import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/** Lays out `core/src/policies/<name>/` with a policy that abstains and its test, and its page in `docs/policies/`; never overwrites. */
export async function scaffoldPolicy(root: string, name: string): Promise<readonly string[]> {
  if (!NAME.test(name)) throw new Error(`"${name}" is no policy name: use kebab-case, as in npm run new:policy -- no-secrets`)
  const id = name.replace(/-policy$/, '')
  const value = `${camelCase(id)}Policy`
  const files: Readonly<Record<string, string>> = {
    [`core/src/policies/${id}/${id}-policy.ts`]: policyText(id, value),
    [`core/src/policies/${id}/${id}-policy.test.ts`]: testText(id, value),
    [`docs/policies/${id}.md`]: pageText(id, value),
  }
  const standing = Object.keys(files).filter((path) => existsSync(join(root, path)))
  if (standing.length > 0) throw new Error(`${standing.join(', ')} stands already: choose another name`)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text, { flag: 'wx' })
  }
  return Object.keys(files)
}

function camelCase(id: string): string {
  return id.replace(/-([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())
}

function policyText(id: string, value: string): string {
  return `import { definePolicy } from '../../model/policy.ts'
import type { Policy } from '../../model/policy.ts'

/** Abstains from every attempt. */
export const ${value}: Policy = definePolicy({
  id: '${id}',
  version: '0.1.0',
  owns: [],
  evaluate: () => ({ kind: 'abstain' }),
})
`
}

function testText(id: string, value: string): string {
  return `import { expect, test } from 'vitest'
import { Attempt } from '../../model/attempt.ts'
import { Candidate } from '../../model/candidate.ts'
import { ${value} } from './${id}-policy.ts'

const attempt = Attempt.create({
  phase: 'pre',
  event: 'tool.call',
  target: { adapter: 'example', tool: 'example' },
  candidate: Candidate.ofArguments({}),
})

test('abstains from a call that it has nothing to say about', () => {
  expect(${value}.evaluate(attempt)).toEqual({ kind: 'abstain' })
})
`
}

function pageText(id: string, value: string): string {
  return `# ${id}

\`${value}\` of \`@callgate/core\`. Off unless the host adds it to a kernel.

## What it looks at

Every attempt; it abstains from all of them.

## What it says

| argument | proposal |
| --- | --- |
| anything | abstain |
`
}
