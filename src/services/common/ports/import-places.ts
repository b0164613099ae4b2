/** What somebody wants to move in, as a form names it, and who opens it. */
import type { ImportSource } from '../../../domain/import/import-source.ts'

/** Kinds of programs that an import reads. */
export const IMPORTED_PROGRAMS = ['healthchecks', 'healthchecks-server', 'uptime-kuma', 'project'] as const
export type ImportedProgram = (typeof IMPORTED_PROGRAMS)[number]

export interface ImportPlace {
  readonly program: ImportedProgram
  /** a path on the server's machine; of Healthchecks also the URL of its PostgreSQL, or of the server itself */
  readonly at: string
  /** of that program; null: unknown */
  readonly secret: string | null
  /** of a server that runs, one for each project */
  readonly apiKeys: readonly string[]
}

/** A file that somebody has sent. */
export interface Upload {
  readonly path: string
  remove(): Promise<void>
}

export interface ImportPlaces {
  /** @param signal ends the reading at once @throws Refusal when it cannot be read; `import-stopped` after the signal */
  open(place: ImportPlace, signal: AbortSignal): Promise<ImportSource>
  /** Writes a file that only this user may read. @throws Refusal `too-large`, `file-unwritable` */
  receive(chunks: AsyncIterable<Uint8Array>): Promise<Upload>
}
