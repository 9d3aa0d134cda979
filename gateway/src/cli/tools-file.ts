import { readFile } from 'node:fs/promises'
import { CallgateError } from '@callgate/core'
import type { ToolAnnotations } from '@callgate/core'
import type { ListedTool } from '../calls/read-listing.ts'

const MAX_BYTES = 64 * 2 ** 20

/** Reads tools from a file: a list of them, or an object with `tools`, as MCP's `tools/list` answers. Rejects with `invalid_option`. */
export async function readToolsFile(path: string): Promise<readonly ListedTool[]> {
  let content: unknown
  try {
    const bytes = await readFile(path)
    if (bytes.length > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`)
    content = JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw invalid(path, cause instanceof Error ? cause.message : String(cause), cause)
  }
  const wrapped = content as { readonly tools?: unknown; readonly result?: { readonly tools?: unknown } } | null
  const tools = Array.isArray(content) ? content : (wrapped?.tools ?? wrapped?.result?.tools)
  if (!Array.isArray(tools)) throw invalid(path, 'it is neither a list of tools nor an object with `tools`')
  return tools.map((tool: unknown, at) => readTool(tool) ?? fail(invalid(path, `tool ${at} has no name`)))
}

/** Reads one tool of a list as MCP, or a model's API, writes it; undefined where it has no name. */
export function readTool(tool: unknown): ListedTool | undefined {
  const { name, inputSchema, input_schema: snake, parameters, function: wrapped, annotations } = (tool ?? {}) as Readonly<Record<string, unknown>>
  if (typeof wrapped === 'object' && wrapped !== null) return readTool(wrapped)
  if (typeof name !== 'string' || name === '') return undefined
  const schema = inputSchema ?? snake ?? parameters
  return {
    name,
    text: JSON.stringify(tool),
    ...(schema !== undefined && { inputSchema: JSON.stringify(schema) }),
    ...(typeof annotations === 'object' && annotations !== null && { annotations: annotations as ToolAnnotations }),
  }
}

function fail(error: Error): never {
  throw error
}

function invalid(path: string, why: string, cause?: unknown): CallgateError {
  return new CallgateError('invalid_option', `The tools in ${path} cannot be read: ${why}.`, { cause })
}
