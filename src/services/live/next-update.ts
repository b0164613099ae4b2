/** Collects the next update for a project's readers. */

import type { ShownState } from '../../domain/check/shown-check.ts'
import { isSameCounts, isSameDoubts, type StandingCounts } from '../../domain/list/check-list.ts'
import type { Instant } from '../../lib/time.ts'
import { type LiveCheck, type ProjectUpdate, projectUpdate } from '../common/ports/live-update.ts'
import type { LiveChecks } from './live-checks.ts'
import { UnsentChanges } from './unsent-changes.ts'

interface Taken {
  readonly at: Instant
  /**
   * ids of the checks that have changed since the last update, and of checks from earlier updates whose rows have not been sent until now
   */
  readonly touched: Set<string>
  readonly hasAlertNews: boolean
  /** maximum number of checks in the update */
  readonly rows: number
  /** @returns the position of a reader that has received this update; null while more updates follow */
  readonly position: () => string | null
}

export class NextUpdate {
  readonly #projectId: string
  readonly #checks: LiveChecks
  readonly #unsent = new UnsentChanges()
  /** counts in the last update */
  #counts: StandingCounts
  #wasBehind = false

  constructor(projectId: string, checks: LiveChecks) {
    this.#projectId = projectId
    this.#checks = checks
    this.#counts = checks.counts
  }

  /** True if readers have received all changes. */
  get isEmpty(): boolean {
    return this.#unsent.isEmpty
  }

  /** Records that readers have the current state of the checks. */
  begin(): void {
    this.#unsent.clear()
    this.#counts = this.#checks.counts
  }

  /** @param before null if the readers have not received the check yet */
  add(checkId: string, before: ShownState | null, after: ShownState): void {
    this.#unsent.add(checkId, before, after)
  }

  remove(checkId: string, publicId: string): void {
    this.#unsent.remove(checkId, publicId)
  }

  /** @returns null if nothing has changed */
  take({ at, touched, hasAlertNews, rows: limit, position }: Taken): ProjectUpdate | null {
    const { rows, removed } = this.#unsent.take(limit)
    const checks = rows.flatMap(({ checkId, was }): LiveCheck[] => {
      const entry = this.#checks.get(checkId)
      return entry ? [{ ...entry.found, state: entry.state, was }] : []
    })
    for (const { check } of checks) touched.add(check.id)
    const now = this.#checks.counts
    const counts = isSameCounts(this.#counts, now) ? null : now
    const hasNewDoubts = counts !== null && !isSameDoubts(this.#counts, now)
    this.#counts = now
    const { isBehind } = this.#unsent
    const hasTurned = isBehind !== this.#wasBehind
    this.#wasBehind = isBehind
    const isNews = touched.size > 0 || removed.length > 0 || hasAlertNews
    if (!isNews && counts === null && !hasTurned) return null
    const projectId = this.#projectId
    return projectUpdate({
      ...{ projectId, at, position: position(), checks, removed },
      ...{ touched, hasAlertNews, counts, hasNewDoubts, isBehind, hasTurned },
    })
  }
}
