/** The source of an import, as a form names it, and the port that opens it. */
import type { ImportSource } from '../../../domain/import/import-source.ts'

/** Programs from which an import can read. */
export const IMPORTED_PROGRAMS = ['healthchecks', 'healthchecks-server', 'uptime-kuma', 'project'] as const
export type ImportedProgram = (typeof IMPORTED_PROGRAMS)[number]

export interface ImportPlace {
  readonly program: ImportedProgram
  /** a path on the server's machine; for Healthchecks also the URL of its PostgreSQL, or of the server itself */
  readonly at: string
  /** secret of that program; null if unknown */
  readonly secret: string | null
  /** API keys of a running server, one for each project */
  readonly apiKeys: readonly string[]
}

/** An uploaded file. */
export interface Upload {
  readonly path: string
  remove(): Promise<void>
}

export interface ImportPlaces {
  /** @param signal stops reading immediately @throws Refusal if the source cannot be read; `import-stopped` after the signal */
  open(place: ImportPlace, signal: AbortSignal): Promise<ImportSource>
  /** Writes a file that only this user may read. @throws Refusal `too-large`, `file-unwritable` */
  receive(chunks: AsyncIterable<Uint8Array>): Promise<Upload>
}
