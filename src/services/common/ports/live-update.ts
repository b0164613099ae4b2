/** Updates that are sent to open pages. */

import type { CheckWithChannels } from '../../../domain/check/representation.ts'
import type { ShownState } from '../../../domain/check/shown-check.ts'
import type { StandingCounts } from '../../../domain/list/check-list.ts'
import type { Instant } from '../../../lib/time.ts'

/** A check in its current state, for an update. */
export interface LiveCheck extends CheckWithChannels {
  readonly state: ShownState
  /** state of the check in the last update; null if the readers have not received the check yet */
  readonly was: ShownState | null
}

/** Changes in a project. All readers of the project get the same object. */
export interface ProjectUpdate {
  readonly kind: 'project'
  readonly projectId: string
  readonly at: Instant
  /** position of a reader that has received this and all previous updates, for {@link LiveHub.watch}; null while more updates follow */
  readonly position: string | null
  /** changed checks, at most {@link ROWS_PER_UPDATE}; checks whose state changed come first */
  readonly checks: readonly LiveCheck[]
  /** public ids of deleted checks */
  readonly removed: readonly string[]
  /** ids of all changed checks, including checks that are not in `checks` */
  readonly touched: ReadonlySet<string>
  /**
   * true if alerts may have changed: this process has tried, retried or cancelled an alert, or changed an integration; quiet hours have
   * begun or ended; or another process has reported a check or an alert
   */
  readonly hasAlertNews: boolean
  /** counts of all the project's checks; null if unchanged */
  readonly counts: StandingCounts | null
  /** true if the number of checks with advice, or with a slow run, has changed */
  readonly hasNewDoubts: boolean
  /** true while checks change faster than updates can be sent */
  readonly isBehind: boolean
  /** true if `isBehind` differs from the previous update */
  readonly hasTurned: boolean
  /** Computes a value on first use, and returns the same value to all readers of this update. */
  readonly once: <Made>(key: string, make: () => Made) => Made
}

export type LiveUpdate =
  | ProjectUpdate
  /** the number of down checks has changed in projects that the reader watches */
  | { readonly kind: 'down'; readonly down: ReadonlyMap<string, number> }
  /** the number of waiting or failed alerts, at most `COUNTED_AT_MOST`, has changed in projects for which the reader requested it */
  | { readonly kind: 'undelivered'; readonly undelivered: ReadonlyMap<string, number> }
  /** the number of checks with advice has changed in projects for which the reader requested it */
  | { readonly kind: 'advised'; readonly advised: ReadonlyMap<string, number> }
  /** nothing has happened for a few seconds; pages can update displayed durations */
  | { readonly kind: 'aged' }
  /** updates were dropped, because the reader was too slow */
  | { readonly kind: 'lost' }
  /** the updates that the reader has missed are unknown */
  | { readonly kind: 'unknown' }

export const ROWS_PER_UPDATE = 50

/** Returns an update whose `once` caches its results. */
export function projectUpdate(given: Omit<ProjectUpdate, 'kind' | 'once'>): ProjectUpdate {
  const made = new Map<string, unknown>()
  return {
    ...given,
    kind: 'project',
    once<Made>(key: string, make: () => Made): Made {
      if (!made.has(key)) made.set(key, make())
      return made.get(key) as Made
    },
  }
}
