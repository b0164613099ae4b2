/** Long work on files, told as it begins. It blocks its thread, so whoever shows how far it is looks from another one. */

export interface LongWork {
  readonly doing: 'checking' | 'copying' | 'migrating'
  /** path of what is worked on */
  readonly path: string
  /** about how much there is to do */
  readonly bytes: number
  /** path of the file that grows to `bytes` meanwhile; null where nothing shows how far the work is */
  readonly grows: string | null
}

export type OnLongWork = (work: LongWork) => void

export const UNTOLD: OnLongWork = () => {}
