/**
 * Brings changes to open pages: what commits of this process have written, what time alone has changed, and what other processes
 * have written.
 */
import type { Seen } from '../../../domain/check/seen.ts'
import type { ToldCheck } from '../../../store/store.ts'
import type { LiveUpdate } from './live-update.ts'
import type { Subscription } from './subscription.ts'

export type { LiveUpdate, ProjectUpdate } from './live-update.ts'
export type { Subscription } from './subscription.ts'

export interface LiveHub {
  /**
   * Where a page stands whose checks are read after this call, for {@link watch}: call the result with what was read. It holds for
   * the streams of every instance.
   */
  position(projectId: string): Promise<(seen: Seen) => string>
  /** @throws Refusal `unavailable`; `busy` while the account has too many streams */
  watch(wanted: Wanted): Promise<Subscription>
  /**
   * Looks now whether other processes have written. A timer does it too; it asks nothing while nobody watches. Does not reject.
   * @param changed checks that they are known to have changed, or alerts of these: they are told before the others, however many there are
   */
  noticeOthers(changed?: readonly ToldCheck[]): Promise<void>
  /** Tells at once what has changed, also by time. Timers do it too; tests that set the clock call it. */
  tick(): Promise<void>
  /** Ends all streams, and all that would be opened. */
  close(): void
}

export interface Wanted {
  /** whose page it is: the number of streams of one is limited */
  readonly accountId: string
  /** the projects whose checks the reader wants */
  readonly projectIds: readonly string[]
  /** the projects of which the reader wants the numbers of checks that are down */
  readonly numbersOf: readonly string[]
  /** the projects of which the reader wants the numbers of alerts that wait or failed, and of checks with advice */
  readonly menusOf: readonly string[]
  /** where the reader of one project stands, as {@link LiveHub.position} or an update said; null when it needs nothing from before */
  readonly since: string | null
  /** true: the reader is told again and again that time has passed */
  readonly isAging?: boolean
  /** which updates the reader wants; others don't wait for it */
  readonly wants: (update: LiveUpdate) => boolean
}
