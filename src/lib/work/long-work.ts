/** Announcements of long work. The work may block its thread, so another one shows its progress. */

interface FileWork {
  readonly doing: 'checking' | 'copying' | 'migrating'
  /** path of the file */
  readonly path: string
  /** approximate size of the work */
  readonly bytes: number
  /** path of the file that grows to `bytes` during the work; null if no file shows the progress */
  readonly grows: string | null
}

/** Work on rows, announced again whenever more rows are done. */
export interface RowWork {
  readonly doing: 'copying' | 'comparing' | 'importing'
  readonly table: string
  /** rows of all tables */
  readonly rows: number
  /** rows that are done */
  readonly done: number
}

export type LongWork = FileWork | RowWork

export type OnLongWork = (work: LongWork) => void

export const NO_PROGRESS: OnLongWork = () => {}
