/** Checks as pages show them: with their state, the next expected success, and why they are down. */

import { advise } from '../domain/advice/advice.ts'
import type { MuteChannels } from '../domain/alert/mute.ts'
import type { CheckView } from '../domain/check/check-view.ts'
import type { CheckWithChannels } from '../domain/check/representation.ts'
import { shownState } from '../domain/check/shown.ts'
import { deadline, expectedIfReadable } from '../domain/check/status.ts'
import type { Trouble } from '../domain/check/trouble.ts'
import { inBatches } from '../lib/batches.ts'
import type { Instant } from '../lib/time.ts'
import type { Deps } from './deps.ts'

export type { CheckView } from '../domain/check/check-view.ts'

/** A read of so many takes a few milliseconds. */
const TROUBLES_AT_ONCE = 50

/**
 * In the order of `checks`, which the caller was allowed to read. Reads only why checks are down: nothing when none is. Call
 * it for one page of a long list after the other.
 * @param mute of the project of the checks
 */
export async function viewChecks(
  { store }: Pick<Deps, 'store'>,
  checks: readonly CheckWithChannels[],
  now: Instant,
  mute: MuteChannels,
): Promise<CheckView[]> {
  const views = checks.map((found) => {
    const { check, channelIds } = found
    const expected = expectedIfReadable(check)
    const advice = advise(found, mute, now)
    return { check, channelIds, expected, state: shownState(check, now, expected), trouble: null, advice }
  })
  const down = views.flatMap(({ check, state }) => (state === 'down' && check.status === 'down' ? [check.id] : []))
  const troubles = new Map<string, Trouble>()
  for (const some of inBatches(down, TROUBLES_AT_ONCE)) {
    const found = await store.listTroubles(some)
    for (const [id, trouble] of found) troubles.set(id, trouble)
  }
  return views.map((view) => {
    return view.state === 'down' ? { ...view, trouble: troubles.get(view.check.id) ?? silence(view) } : view
  })
}

/** The deadline has passed, but no flip says so: the loop has not written it yet, or retention has removed it. */
function silence({ check, expected }: Pick<CheckView, 'check' | 'expected'>): Trouble {
  const since = deadline(check, expected) ?? check.lastPingAt ?? check.createdAt
  return { since, reason: 'timeout', failure: null }
}
