/** Long work on files, announced when it begins. It blocks its thread, so its progress is shown from another one. */

export interface LongWork {
  readonly doing: 'checking' | 'copying' | 'migrating'
  /** path of the file */
  readonly path: string
  /** approximate size of the work */
  readonly bytes: number
  /** path of the file that grows to `bytes` during the work; null when none shows the progress */
  readonly grows: string | null
}

export type OnLongWork = (work: LongWork) => void

export const NO_PROGRESS: OnLongWork = () => {}
