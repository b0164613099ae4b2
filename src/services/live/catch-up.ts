/**
 * Finds the changes that a reader missed between loading the page and opening the stream. Another instance may have built the page, or the
 * stream may have been interrupted.
 */
import { addSeconds } from '../../lib/time.ts'
import type { Position } from './position.ts'
import type { ProjectModel } from './project-model.ts'

/** Maximum number of missed checks to send. If a reader has missed more, the page is reloaded. */
const MISSED_LIMIT = 200
/** Tolerance in seconds. The clocks of instances differ, and a ping is timestamped when it arrives, before it is committed. */
const BETWEEN_INSTANCES_SECONDS = 5

/**
 * @param known checks that this instance has seen change since then; null if unknown
 * @returns the checks to send to the reader; null if the missed changes are unknown, in which case the page must be reloaded
 */
export async function missedSince(
  model: ProjectModel,
  from: Position,
  known: readonly string[] | null,
): Promise<ReadonlySet<string> | null> {
  if (known) {
    const missed = new Set([...known, ...model.turnedSince(from.at)])
    return missed.size > MISSED_LIMIT ? null : missed
  }
  if (model.seen.settings !== from.seen.settings || model.seen.activity !== from.seen.activity) await model.refresh()
  if (model.seen.settings !== from.seen.settings) return null
  const since = addSeconds(from.at, -BETWEEN_INSTANCES_SECONDS)
  const isActive = model.seen.activity !== from.seen.activity
  const missed = [...new Set([...model.turnedSince(since), ...(isActive ? model.activeSince(since) : [])])]
  // Reloading would not help, because another instance might render the page again. Instead, all readers get the remaining changes
  // gradually.
  model.repeat(missed.slice(MISSED_LIMIT))
  return new Set(missed.slice(0, MISSED_LIMIT))
}
