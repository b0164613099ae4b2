/** Sends changes to open pages. Changes are commits of this process or of other processes, or state changes due to the passing of time. */
import type { Fingerprint } from '../../../domain/check/fingerprint.ts'
import type { TouchedCheck } from '../../../store/store.ts'
import type { LiveUpdate } from './live-update.ts'
import type { Subscription } from './subscription.ts'

export type { LiveUpdate, ProjectUpdate } from './live-update.ts'
export type { Subscription } from './subscription.ts'

export interface LiveHub {
  /**
   * Begins a position for {@link watch}. Read the checks of the page after this call, then call the result with the data that was read. The
   * position is valid on every instance.
   */
  position(projectId: string): Promise<(seen: Fingerprint) => string>
  /** @throws Refusal `unavailable`; `busy` while the account has too many streams */
  watch(wanted: Wanted): Promise<Subscription>
  /**
   * Checks now whether other processes have written. A timer does this too. Nothing is read while nobody watches. Never rejects.
   * @param changed checks that other processes are known to have changed, or whose alerts they have changed; these are all sent, and before
   *   other checks
   */
  noticeOthers(changed?: readonly TouchedCheck[]): Promise<void>
  /** Sends all changes now, including changes due to the passing of time. Timers do this too; tests that set the clock call it. */
  tick(): Promise<void>
  /** Ends all streams, and every stream that is opened later. */
  close(): void
}

export interface Wanted {
  /** account of the reader; the number of streams per account is limited */
  readonly accountId: string
  /** the projects whose checks the reader wants */
  readonly projectIds: readonly string[]
  /** projects for which the reader wants the number of checks that are down */
  readonly numbersOf: readonly string[]
  /** projects for which the reader wants the numbers of waiting and failed alerts, and of checks with advice */
  readonly menusOf: readonly string[]
  /** position of the reader, from {@link LiveHub.position} or an update, if it reads one project; null if it needs no earlier changes */
  readonly since: string | null
  /** true if the reader wants regular updates that time has passed */
  readonly isAging?: boolean
  /** returns true if the reader wants the update */
  readonly wants: (update: LiveUpdate) => boolean
}
