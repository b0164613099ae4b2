/** What a reader has missed between its page and its stream, which another instance may have made, or while its stream was cut. */
import { addSeconds } from '../../lib/time.ts'
import type { Position } from './position.ts'
import type { ProjectModel } from './project-model.ts'

/** A reader that has missed more loads the page again. */
const MISSED_LIMIT = 200
/** Clocks of instances differ, and a ping has the time of its arrival, which is before its commit. */
const BETWEEN_INSTANCES_SECONDS = 5

/**
 * @param known the checks that have changed since, as far as this instance can tell; null if it cannot
 * @returns the checks to tell the reader; null if nobody can say what it has missed, so that it must load the page again
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
  // If it loaded the page again, that might come from another instance again. All readers are told the rest bit by bit.
  model.repeat(missed.slice(MISSED_LIMIT))
  return new Set(missed.slice(0, MISSED_LIMIT))
}
