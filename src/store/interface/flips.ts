/** Flips, and which checks are down, late or back. */

import type { Trouble } from '../../domain/cause/trouble.ts'
import type { Flip, FlipFilter } from '../../domain/check/flip.ts'
import type { Instant } from '../../lib/time.ts'
import type { Page, PageMark } from './page.ts'
import type { Rules } from './rules.ts'

/** A check that came up from down. */
export interface RecoveredCheck {
  readonly checkId: string
  /** of the flip */
  readonly n: number
  readonly at: Instant
  /** null if that flip was removed */
  readonly downSince: Instant | null
}

export interface Overdue {
  /** the flips written, each together with its deliveries */
  readonly flips: readonly Flip[]
  readonly owed: boolean
  /** when the loop should look again; null if no check has a deadline */
  readonly nextLookAt: Instant | null
}

/** What becomes of a check that another write has locked: an instance that judges it, or a ping. */
export type LockedChecks = 'skip' | 'wait'

export interface FlipStore {
  /** Newest first, by `n`. @param atMost of a page, which never has more than 1,000 */
  listFlips(checkId: string, filter: FlipFilter, after: PageMark | null, atMost?: number): Promise<Page<Flip>>
  /**
   * Why checks are down, by id: their last flip to down, and the newest failure since.
   * @param ids of checks that are stored as down; one whose flip was removed is left out. Give few at a time
   */
  listTroubles(ids: readonly string[]): Promise<ReadonlyMap<string, Trouble>>
  /**
   * When somebody resumed checks the last time, by id.
   * @param ids one whose flip was removed is left out
   */
  listResumptions(ids: readonly string[]): Promise<ReadonlyMap<string, Instant>>
  /**
   * Ids of the checks of a project that are down at `now`, and of all that may be late or have a run that goes on, in order of creation. A page may be
   * empty without being the last.
   */
  listConcerns(projectId: string, now: Instant, after: PageMark | null): Promise<Page<string>>
  /**
   * Ids of the checks of a project that have advice at `now`, and of some that may have, in order of creation. A page may be empty
   * without being the last.
   * @param muteChannelIds through which nobody hears, see `MuteChannels`
   */
  listAdvisable(
    projectId: string,
    muteChannelIds: readonly string[],
    now: Instant,
    after: PageMark | null,
  ): Promise<Page<string>>
  /**
   * The checks of a project that came up from down at `since` or later and are not stored as down again, each with its last
   * recovery, in order of creation. Recoveries with many flips after them are left out. A page may be empty without being the
   * last.
   */
  listRecoveries(projectId: string, since: Instant, after: PageMark | null): Promise<Page<RecoveredCheck>>
  /** When the loop should look for overdue checks; null if no check has a deadline. */
  nextLookAt(): Promise<Instant | null>
  /**
   * Applies `rules.judge` to at most `limit` checks whose `alertAfter` has passed. Concurrent calls never make a flip twice.
   * @param locked `skip` by default: `nextLookAt` does not count what was skipped, so look again a second later
   */
  judgeOverdue(now: Instant, rules: Rules, limit: number, locked?: LockedChecks): Promise<Overdue>
}
