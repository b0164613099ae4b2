/**
 * Our own outages: the server writes down that it lives, and after a gap nobody is blamed for a silence that nobody could
 * have broken.
 */

import { spareIfOverdue } from '../domain/status.ts'
import { addSeconds, type Instant, isBefore, isoSeconds } from '../domain/time.ts'
import type { Deps } from './deps.ts'
import { rules } from './rules.ts'

/** More than a heartbeat and a restart; what is shorter, clients bridge with a retry. */
const OUTAGE_SECONDS = 15
const BATCH_LIMIT = 500

type Needs = Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'log'>

export interface Outage {
  readonly from: Instant
  readonly until: Instant
}

/**
 * To be called before the loops start. Gives every check whose deadline passed in an outage one grace span from now.
 * @returns the outage; null when a server has lived a moment ago, or none ever has
 */
export async function recoverFromOutage(deps: Needs): Promise<Outage | null> {
  const { store, now, log } = deps
  const until = now()
  const from = await store.findAlive()
  if (from !== null && isBefore(addSeconds(from, OUTAGE_SECONDS), until)) {
    await spareOverdue(deps, until)
    await store.recordAlive(until)
    log('warning', 'no server was running: checks that fell due meanwhile get one grace time more', {
      from: isoSeconds(from),
      until: isoSeconds(until),
    })
    return { from, until }
  }
  await store.recordAlive(until)
  return null
}

async function spareOverdue(deps: Needs, at: Instant): Promise<void> {
  const { store } = deps
  const sparing = rules(deps, (check, now) => {
    const spared = spareIfOverdue(check, now)
    return spared && { check: spared, flip: null }
  })
  let next = await store.nextLookAt()
  while (next !== null && !isBefore(at, next)) next = (await store.judgeOverdue(at, sparing, BATCH_LIMIT)).nextLookAt
}

/** The heartbeat. */
export async function stayAlive({ store, now }: Pick<Deps, 'store' | 'now'>): Promise<null> {
  await store.recordAlive(now())
  return null
}
