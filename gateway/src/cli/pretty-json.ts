const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Canonical JSON text over several lines, two spaces a level; no character of a value is changed or left out. */
export function prettyJson(text: string): string {
  let out = ''
  let depth = 0
  let previous = ''
  for (const [token] of text.matchAll(TOKEN)) {
    const opensEmpty = (previous === '{' && token === '}') || (previous === '[' && token === ']')
    if (token === '}' || token === ']') {
      depth -= 1
      out += opensEmpty ? token : `${line(depth)}${token}`
    } else {
      if (previous === '{' || previous === '[') out += line(depth)
      out += token
      if (token === '{' || token === '[') depth += 1
      else if (token === ',') out += line(depth)
      else if (token === ':') out += ' '
    }
    previous = token
  }
  return out
}

function line(depth: number): string {
  return `\n${'  '.repeat(depth)}`
}
