/** Long work, announced when it begins. It may block its thread, so its progress is shown from another one. */

interface FileWork {
  readonly doing: 'checking' | 'copying' | 'migrating'
  /** path of the file */
  readonly path: string
  /** approximate size of the work */
  readonly bytes: number
  /** path of the file that grows to `bytes` during the work; null when none shows the progress */
  readonly grows: string | null
}

/** Announced again whenever more rows are done. */
export interface RowWork {
  readonly doing: 'copying' | 'comparing' | 'importing'
  readonly table: string
  /** of all tables */
  readonly rows: number
  /** of these, how many are done */
  readonly done: number
}

export type LongWork = FileWork | RowWork

export type OnLongWork = (work: LongWork) => void

export const NO_PROGRESS: OnLongWork = () => {}
