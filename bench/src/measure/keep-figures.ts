import { readFileSync, writeFileSync } from 'node:fs'

const END = '<!-- /figures -->'

/** Puts the figures of one command into a page, between its mark `<!-- figures: COMMAND -->` and the next end; throws where the page has no such place. */
export function keepFigures(path: string, command: string, text: string): void {
  const page = readFileSync(path, 'utf8')
  const begin = `<!-- figures: ${command} -->\n`
  const from = page.indexOf(begin)
  const to = page.indexOf(END, from)
  if (from === -1 || to === -1) throw new Error(`${path} has no place for the figures of ${command}`)
  writeFileSync(path, `${page.slice(0, from)}${begin}\n${text}\n${page.slice(to)}`)
}
