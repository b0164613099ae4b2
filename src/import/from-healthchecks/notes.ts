/** Collects the notes of an import. */
import type { ImportNote } from '../../domain/import/import-note.ts'

export type Note = (note: Omit<ImportNote, 'advice' | 'project'> & Partial<ImportNote>) => void

interface Notes {
  readonly all: readonly ImportNote[]
  readonly note: Note
}

export function collectNotes(): Notes {
  const all: ImportNote[] = []
  return { all, note: (given) => void all.push({ project: null, advice: null, ...given }) }
}

/** Returns the name that identifies a row in a note. If the row has no name, returns `otherwise`. */
export function named(name: string, otherwise: string): string {
  return name.trim() === '' ? otherwise : name
}
