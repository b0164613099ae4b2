/** Collects what an import says, and names rows in it. */
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

/** What tells a row apart in a note: its name, which may be empty. */
export function named(name: string, otherwise: string): string {
  return name.trim() === '' ? otherwise : name
}
