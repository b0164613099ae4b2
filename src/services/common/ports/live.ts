/**
 * Sends changes to open pages in browsers. Changes are commits by this process or others, and state changes that happen because time has
 * passed.
 */
import type { Fingerprint } from '../../../domain/check/fingerprint.ts'
import type { TouchedCheck } from '../../../store/store.ts'
import type { LiveUpdate } from './live-update.ts'
import type { Subscription } from './subscription.ts'

export type { LiveUpdate, ProjectUpdate } from './live-update.ts'
export type { Subscription } from './subscription.ts'

export interface LiveHub {
  /**
   * Prepares a position for {@link watch}. After this call, read the checks for the page, and then call the returned function with the data
   * that was read. The position is valid on every instance.
   */
  position(projectId: string): Promise<(seen: Fingerprint) => string>
  /** @throws Refusal `unavailable`; `busy` while the account has too many streams */
  watch(wanted: Wanted): Promise<Subscription>
  /**
   * Checks now whether other processes have written changes. A timer does this too. Does not read anything while no page is watching. Never
   * rejects.
   * @param changed checks that other processes are known to have changed, or whose alerts they have changed; all of these checks are sent,
   * before other checks
   */
  noticeOthers(changed?: readonly TouchedCheck[]): Promise<void>
  /**
   * Sends all changes now, including state changes that happen because time has passed. Timers do this too. Tests call it after setting the
   * clock.
   */
  tick(): Promise<void>
  /** Ends all streams. Streams that are opened later end immediately. */
  close(): void
}

export interface Wanted {
  /** account of the reader; the number of streams per account is limited */
  readonly accountId: string
  /** the projects whose checks the reader wants to receive */
  readonly projectIds: readonly string[]
  /** projects for which the reader wants the number of checks that are down */
  readonly numbersOf: readonly string[]
  /** projects for which the reader wants the numbers of waiting and failed alerts, and of checks with advice */
  readonly menusOf: readonly string[]
  /**
   * the reader's position, from {@link LiveHub.position} or from an update, if the reader watches one project; null if the reader does not
   * need earlier changes
   */
  readonly since: string | null
  /** true if the reader wants regular updates of displayed durations */
  readonly isAging?: boolean
  /** returns true if the reader wants the update */
  readonly wants: (update: LiveUpdate) => boolean
}
