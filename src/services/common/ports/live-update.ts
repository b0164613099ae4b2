/** What readers of open pages are told. */

import type { CheckWithChannels } from '../../../domain/check/representation.ts'
import type { ShownState } from '../../../domain/check/shown.ts'
import type { StandingCounts } from '../../../domain/list/check-list.ts'
import type { Instant } from '../../../lib/time.ts'

/** A check as it is now. */
export interface LiveCheck extends CheckWithChannels {
  readonly state: ShownState
  /** the state of the last update; null when the check is new to the readers */
  readonly was: ShownState | null
}

/** What has changed in a project. All readers of the project get the same object. */
export interface ProjectUpdate {
  readonly kind: 'project'
  readonly projectId: string
  readonly at: Instant
  /** where a reader stands who has got this and all before, for {@link LiveHub.watch}; null while more is to come */
  readonly position: string | null
  /** checks that have changed, at most {@link ROWS_PER_UPDATE}; those that changed their state first */
  readonly checks: readonly LiveCheck[]
  /** public ids of the checks that were deleted */
  readonly removed: readonly string[]
  /** ids of all checks that have changed, also when they are not in `checks` */
  readonly touched: ReadonlySet<string>
  /**
   * true when this process has tried, retried or cancelled an alert, or changed an integration, and when another one has told of a
   * check or an alert
   */
  readonly hasAlertNews: boolean
  /** of the whole project; null when they are as before */
  readonly counts: StandingCounts | null
  /** true when the numbers of checks with advice, or with a slow run, have changed */
  readonly hasNewDoubts: boolean
  /** true while checks change faster than they are sent */
  readonly isBehind: boolean
  /** true when `isBehind` has changed */
  readonly hasTurned: boolean
  /** Makes something of the update once for all readers. */
  readonly once: <Made>(key: string, make: () => Made) => Made
}

export type LiveUpdate =
  | ProjectUpdate
  /** numbers of checks that are down have changed; in all projects that the reader watches */
  | { readonly kind: 'down'; readonly down: ReadonlyMap<string, number> }
  /** numbers of alerts that wait or failed have changed, each at most `COUNTED_AT_MOST`; in all projects of which the reader wants them */
  | { readonly kind: 'undelivered'; readonly undelivered: ReadonlyMap<string, number> }
  /** numbers of checks with advice have changed; in the same projects */
  | { readonly kind: 'advised'; readonly advised: ReadonlyMap<string, number> }
  /** nothing else has happened for some seconds: for pages with figures that grow with time */
  | { readonly kind: 'aged' }
  /** the reader was too slow, so updates were dropped */
  | { readonly kind: 'lost' }
  /** nobody can tell what the reader has missed */
  | { readonly kind: 'unknown' }

export const ROWS_PER_UPDATE = 50

/** An update whose `once` keeps what it makes. */
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
