/** Describes long-running work in progress. The work may block its thread, so the progress is displayed by a different thread. */

interface FileWork {
  readonly doing: 'checking' | 'copying' | 'migrating'
  /** path of the file that is being processed */
  readonly path: string
  /** approximate amount of data to process, in bytes */
  readonly bytes: number
  /** path of the file that grows to `bytes` during the work; null if the progress can't be seen from the size of a file */
  readonly grows: string | null
}

/** Work on rows. It is reported again whenever more rows are done. */
export interface RowWork {
  readonly doing: 'copying' | 'comparing' | 'importing'
  readonly table: string
  /** total number of rows in all tables */
  readonly rows: number
  /** number of rows that have been processed */
  readonly done: number
}

export type LongWork = FileWork | RowWork

export type OnLongWork = (work: LongWork) => void

export const NO_PROGRESS: OnLongWork = () => {}
