/** Sends changes to open pages: commits of this process, changes by time alone, and commits of other processes. */
import type { Fingerprint } from '../../../domain/check/fingerprint.ts'
import type { TouchedCheck } from '../../../store/store.ts'
import type { LiveUpdate } from './live-update.ts'
import type { Subscription } from './subscription.ts'

export type { LiveUpdate, ProjectUpdate } from './live-update.ts'
export type { Subscription } from './subscription.ts'

export interface LiveHub {
  /**
   * Returns the position of a page whose checks are read after this call, for {@link watch}: call the result with the data that was read.
   * The position is valid for the streams of every instance.
   */
  position(projectId: string): Promise<(seen: Fingerprint) => string>
  /** @throws Refusal `unavailable`; `busy` while the account has too many streams */
  watch(wanted: Wanted): Promise<Subscription>
  /**
   * Checks now whether other processes have written. A timer does it too; it reads nothing while nobody watches. Does not reject.
   * @param changed checks that they are known to have changed, or alerts of these: they are sent before the others, however many there are
   */
  noticeOthers(changed?: readonly TouchedCheck[]): Promise<void>
  /** Sends changes at once, including those by time. Timers do it too; tests that set the clock call it. */
  tick(): Promise<void>
  /** Ends all streams, and all later ones. */
  close(): void
}

export interface Wanted {
  /** account of the reader: the number of streams of one is limited */
  readonly accountId: string
  /** the projects whose checks the reader wants */
  readonly projectIds: readonly string[]
  /** the projects of which the reader wants the numbers of checks that are down */
  readonly numbersOf: readonly string[]
  /** the projects of which the reader wants the numbers of alerts that wait or failed, and of checks with advice */
  readonly menusOf: readonly string[]
  /** position of the reader of one project, from {@link LiveHub.position} or an update; null if it needs no earlier changes */
  readonly since: string | null
  /** true: the reader gets regular updates that time has passed */
  readonly isAging?: boolean
  /** returns whether the reader wants an update; others don't wait for it */
  readonly wants: (update: LiveUpdate) => boolean
}
