/** Reads YAML and JSON files. */
import { Refusal } from '../../../domain/errors.ts'
import type { ImportNote } from '../../../domain/import/import-note.ts'
import { noteOf } from '../../../import/proposals/proposal.ts'
import type { PlacedTree } from '../../../import/proposals/tree.ts'
import type { NamedFile } from '../../read-files.ts'
import { readDocuments } from './yaml-documents.ts'

export const isYamlPath = (path: string) => /\.(?:ya?ml|json)$/.test(path)

interface ReadTrees {
  readonly trees: readonly PlacedTree[]
  /** notes about documents that cannot be read; each note names the file and the line */
  readonly unread: readonly ImportNote[]
}

/**
 * Reads the documents of the files, and skips those that cannot be read.
 * @param templateAdvice a sentence that says how to render a template
 * @throws Refusal `option-invalid` if no document can be read
 */
export function readTrees(files: readonly NamedFile[], templateAdvice: string): ReadTrees {
  const trees: PlacedTree[] = []
  const unread: ImportNote[] = []
  for (const { path, bytes } of files) {
    for (const { line, ...read } of readDocuments(bytes.toString())) {
      const place = `${path === '-' ? 'standard input' : path} line ${line}`
      if ('tree' in read) trees.push({ place, tree: read.tree })
      else unread.push(unreadNote(place, read.reason, read.isTemplate ? templateAdvice : null))
    }
  }
  if (trees.length === 0 && unread.length > 0) throw nothingRead(unread)
  return { trees, unread }
}

const unreadNote = (place: string, reason: string, advice: string | null) =>
  noteOf('left-out', 'document', place, `It cannot be read as YAML or JSON: ${reason}.`, advice)

function nothingRead(unread: readonly ImportNote[]): Refusal {
  const [first] = unread
  const hint = first?.advice ?? 'correct what is named'
  return new Refusal('option-invalid', 'nothing can be read', {
    hint,
    problems: unread.map(({ name, reason }) => `${name}: ${reason}`),
  })
}
