/** Describes where an import reads from, as submitted in a form, and the port that opens this source. */
import type { ImportSource } from '../../../domain/import/import-source.ts'

/** Programs that imports can read from. */
export const IMPORTED_PROGRAMS = ['healthchecks', 'healthchecks-server', 'uptime-kuma', 'project'] as const
export type ImportedProgram = (typeof IMPORTED_PROGRAMS)[number]

export interface ImportPlace {
  readonly program: ImportedProgram
  /** a path on the server's machine; for Healthchecks, it can also be the URL of a PostgreSQL database or of a running server */
  readonly at: string
  /** the program's secret; null if unknown */
  readonly secret: string | null
  /** API keys for a running server, one for each project */
  readonly apiKeys: readonly string[]
}

/** An uploaded file. */
export interface Upload {
  readonly path: string
  remove(): Promise<void>
}

export interface ImportPlaces {
  /**
   * @param signal if aborted, reading stops immediately
   * @throws Refusal if the source cannot be read; `import-stopped` if the signal is aborted
   */
  open(place: ImportPlace, signal: AbortSignal): Promise<ImportSource>
  /**
   * Writes a file that only the current user is allowed to read.
   * @throws Refusal `too-large`, `file-unwritable`
   */
  receive(chunks: AsyncIterable<Uint8Array>): Promise<Upload>
}
