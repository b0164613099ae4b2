/** Updates for readers of open pages. */

import type { CheckWithChannels } from '../../../domain/check/representation.ts'
import type { ShownState } from '../../../domain/check/shown-check.ts'
import type { StandingCounts } from '../../../domain/list/check-list.ts'
import type { Instant } from '../../../lib/time.ts'

/** A check in its current state. */
export interface LiveCheck extends CheckWithChannels {
  readonly state: ShownState
  /** the state in the last update; null if the check is new to the readers */
  readonly was: ShownState | null
}

/** Changes in a project. All readers of the project get the same object. */
export interface ProjectUpdate {
  readonly kind: 'project'
  readonly projectId: string
  readonly at: Instant
  /** the position of a reader after this and all previous updates, for {@link LiveHub.watch}; null while more follow */
  readonly position: string | null
  /** changed checks, at most {@link ROWS_PER_UPDATE}; those whose state changed are first */
  readonly checks: readonly LiveCheck[]
  /** public ids of deleted checks */
  readonly removed: readonly string[]
  /** ids of all changed checks, including those that are not in `checks` */
  readonly touched: ReadonlySet<string>
  /**
   * true if this process has tried, retried or cancelled an alert, or changed an integration, if quiet hours have begun or ended, or if
   * another process has reported a check or an alert
   */
  readonly hasAlertNews: boolean
  /** counts of the whole project; null if unchanged */
  readonly counts: StandingCounts | null
  /** true if the numbers of checks with advice, or with a slow run, have changed */
  readonly hasNewDoubts: boolean
  /** true while checks change faster than they are sent */
  readonly isBehind: boolean
  /** true if `isBehind` has changed */
  readonly hasTurned: boolean
  /** Computes a value of the update once for all readers. */
  readonly once: <Made>(key: string, make: () => Made) => Made
}

export type LiveUpdate =
  | ProjectUpdate
  /** numbers of checks that are down have changed, in projects that the reader watches */
  | { readonly kind: 'down'; readonly down: ReadonlyMap<string, number> }
  /** numbers of alerts that wait or failed have changed, each at most `COUNTED_AT_MOST`, in projects for which the reader wants them */
  | { readonly kind: 'undelivered'; readonly undelivered: ReadonlyMap<string, number> }
  /** numbers of checks with advice have changed, in the same projects */
  | { readonly kind: 'advised'; readonly advised: ReadonlyMap<string, number> }
  /** nothing else has happened for some seconds: for pages with figures that grow with time */
  | { readonly kind: 'aged' }
  /** the reader was too slow, so updates were dropped */
  | { readonly kind: 'lost' }
  /** the updates that the reader has missed are unknown */
  | { readonly kind: 'unknown' }

export const ROWS_PER_UPDATE = 50

/** Returns an update whose `once` keeps its results. */
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
