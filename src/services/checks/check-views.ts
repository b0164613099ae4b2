/** Reads checks for display, with their state, their next expected success, why they are down, and the pings that did not count. */

import type { Failure, Trouble } from '../../domain/cause/trouble.ts'
import type { Uncounted } from '../../domain/cause/uncounted.ts'
import type { Check } from '../../domain/check/check.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { showCheck } from '../../domain/check/shown-check.ts'
import { deadline } from '../../domain/check/status.ts'
import type { CheckView } from '../../domain/list/check-view.ts'
import type { Pause } from '../../domain/words/sentence-parts.ts'
import type { Instant } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { Deps } from '../common/deps.ts'
import { findCause } from '../pings/failure-cause.ts'
import { readUncounted } from '../pings/uncounted.ts'
import type { ShownAdvice } from './shown-advice.ts'

export type { CheckView } from '../../domain/list/check-view.ts'

/** Number of checks per read. A read takes a few milliseconds. */
const TROUBLES_AT_ONCE = 50
/** Number of pauses per read. For each pause, the minute before it is searched in the audit log. */
const PAUSES_AT_ONCE = 20
const NO_SWITCHES: ReadonlyMap<string, Instant> = new Map()

/**
 * Reads views in the order of `checks`. The caller must already have verified that the actor may read the checks. For checks that are up,
 * only rejected pings are read. Call this function once for each page of a long list.
 * @param advice advice on the checks; may also contain advice on other checks
 */
export async function viewChecks(
  { store }: Pick<Deps, 'store'>,
  checks: readonly CheckWithChannels[],
  now: Instant,
  advice: ShownAdvice,
): Promise<CheckView[]> {
  const views = checks.map((found) => {
    const { check, channelIds } = found
    return { check, channelIds, ...showCheck(check, now), advice: advice.get(check.id) ?? null }
  })
  const down = views.flatMap(({ check, state }) => (state === 'down' && check.status === 'down' ? [check.id] : []))
  const troubles = new Map<string, Trouble>()
  for (const some of inBatches(down, TROUBLES_AT_ONCE)) {
    const found = await store.overview.listTroubles(some)
    for (const [id, trouble] of found) troubles.set(id, trouble)
  }
  for (const { check } of views) {
    const trouble = troubles.get(check.id)
    if (trouble?.failure) troubles.set(check.id, await withCause(store, check, trouble, trouble.failure))
  }
  const switched = views.flatMap(({ check, state, isResumed }) => (isResumed || state === 'paused' ? [check.id] : []))
  const switchedAt = switched.length > 0 ? await store.flips.listSwitches(switched) : NO_SWITCHES
  const pauses = await readPauses({ store }, views, switchedAt)
  const uncountedOf = await readUncountedOf({ store }, views, now)
  return views.map((view) => {
    const { id } = view.check
    const trouble = view.state === 'down' ? (troubles.get(id) ?? silence(view)) : null
    const resumedAt = view.isResumed ? (switchedAt.get(id) ?? null) : null
    return { ...view, trouble, uncounted: uncountedOf(id), resumedAt, pause: pauses.get(id) ?? null }
  })
}

async function readPauses(
  { store }: Pick<Deps, 'store'>,
  views: readonly Pick<CheckView, 'check' | 'state'>[],
  switchedAt: ReadonlyMap<string, Instant>,
): Promise<ReadonlyMap<string, Pause>> {
  const known = views.flatMap(({ check, state }) => {
    const at = switchedAt.get(check.id)
    return state === 'paused' && at ? [{ check, at }] : []
  })
  const pauses = new Map<string, Pause>()
  for (const some of inBatches(known, PAUSES_AT_ONCE)) {
    const authors = await store.audit.findPausers(some)
    for (const [index, { check, at }] of some.entries()) pauses.set(check.id, { at, by: authors[index] ?? null })
  }
  return pauses
}

async function withCause(store: Deps['store'], check: Check, trouble: Trouble, failure: Failure): Promise<Trouble> {
  const cause = await findCause({ store }, check, failure.n)
  return cause === null ? trouble : { ...trouble, failure: { ...failure, cause } }
}

function readUncountedOf(
  deps: Pick<Deps, 'store'>,
  views: readonly Pick<CheckView, 'check' | 'state'>[],
  now: Instant,
): Promise<(id: string) => Uncounted> {
  const ids = views.map(({ check }) => check.id)
  const waiting = views.flatMap(({ check, state }) => (state !== 'up' && check.nPings > 0 ? [check.id] : []))
  return readUncounted(deps, ids, waiting, now)
}

/**
 * Returns the trouble for a check whose deadline has passed but which has no flip. The loop may not have written the flip yet, or
 * retention may have removed it.
 */
function silence({ check, expected }: Pick<CheckView, 'check' | 'expected'>): Trouble {
  const since = deadline(check, expected) ?? check.lastPingAt ?? check.createdAt
  return { since, reason: 'timeout', failure: null }
}
