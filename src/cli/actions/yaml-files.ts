/** Files of YAML, of which JSON is a part. */
import type { Tree } from '../../domain/import/tree.ts'
import { messageOf } from '../../lib/errors.ts'
import type { NamedFile } from '../read-files.ts'
import { optionError } from '../usage.ts'

export const isYamlPath = (path: string) => /\.(?:ya?ml|json)$/.test(path)

/**
 * The documents of a file. The parser refuses aliases that make little text into much.
 * @throws Refusal `option-invalid`
 */
export function readTrees({ path, bytes }: NamedFile): readonly Tree[] {
  const text = bytes.toString()
  try {
    const parsed = parse(text)
    return Array.isArray(parsed) ? parsed : [parsed]
  } catch (error) {
    const name = path === '-' ? 'standard input' : path
    throw optionError(`${name} is neither YAML nor JSON that can be read: ${reasonOf(error)}`, 'check the file')
  }
}

/** JSON as such, since that is faster. YAML may begin with a brace or a bracket, too. */
function parse(text: string): Tree {
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text)
    } catch {}
  }
  return Bun.YAML.parse(text) as Tree
}

/** The engine says how deep it was, not that the file was. */
function reasonOf(error: unknown): string {
  return error instanceof RangeError ? 'it is nested too deeply' : messageOf(error)
}
