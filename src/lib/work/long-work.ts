/** Describes long work in progress. The work may block its thread, so a different thread displays the progress. */

interface FileWork {
  readonly doing: 'checking' | 'copying' | 'migrating'
  /** path of the file */
  readonly path: string
  /** approximate amount of data in bytes */
  readonly bytes: number
  /** path of the file that grows to `bytes` during the work; null if no file shows the progress */
  readonly grows: string | null
}

/** Work on rows. It is announced again whenever more rows are done. */
export interface RowWork {
  readonly doing: 'copying' | 'comparing' | 'importing'
  readonly table: string
  /** total number of rows in all tables */
  readonly rows: number
  /** number of rows that are done */
  readonly done: number
}

export type LongWork = FileWork | RowWork

export type OnLongWork = (work: LongWork) => void

export const NO_PROGRESS: OnLongWork = () => {}
