/**
 * Our own outages: the server writes down that it lives, and after a gap nobody is blamed for a silence that nobody could
 * have broken. A clock that is put forth looks like a gap; one that is put back shows in a life that lies ahead.
 */
import { spareIfOverdue } from '../domain/status.ts'
import { addSeconds, type Instant, isBefore, isoSeconds } from '../domain/time.ts'
import type { Outage } from '../store/store.ts'
import type { Deps } from './deps.ts'
import { rules } from './rules.ts'

const BEAT_SECONDS = 10
/** More than a heartbeat and a restart; what is shorter, clients bridge with a retry. */
const OUTAGE_SECONDS = 15
/** More than the clocks of two machines on one database are apart; what is shorter delays an alert by no more than that. */
const STEP_BACK_SECONDS = 60
const BATCH_LIMIT = 500

type Needs = Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'log'>

/**
 * Gives every check whose deadline passed in an outage its grace or 15 minutes from now, whichever is less, and says that a server lives now. Where the
 * clock was put back, no check, delivery or reminder waits for a time that was written while it was ahead.
 * @returns the outage; null when a server has lived a moment ago, or none ever has
 */
export async function recoverFromOutage(deps: Needs): Promise<Outage | null> {
  const { store, now, log } = deps
  const until = now()
  const from = await store.findAlive()
  const outage = from !== null && isBefore(addSeconds(from, OUTAGE_SECONDS), until) ? { from, until } : null
  if (outage) await spareOverdue(deps, until)
  if (from !== null && isBefore(addSeconds(until, STEP_BACK_SECONDS), from)) await pullBack(deps, from, until)
  await store.recordAlive(until, outage ?? undefined)
  if (outage) {
    log(
      'warning',
      'no server was running: checks that fell due meanwhile get one grace time more, at most 15 minutes',
      {
        from: isoSeconds(outage.from),
        until: isoSeconds(outage.until),
      },
    )
  }
  return outage
}

async function pullBack({ store, log }: Needs, from: Instant, until: Instant): Promise<void> {
  const checks = await store.pullBack(until)
  log('warning', 'the clock was put back: what was written while it was ahead counts as of now', {
    from: isoSeconds(from),
    until: isoSeconds(until),
    checks,
  })
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

/**
 * Writes down every few seconds that the server lives; to be called before each look for overdue checks. Finds that it
 * did not live also where the machine slept, or where the database could not be written, while the program ran on.
 */
export function createHeartbeat(deps: Needs): () => Promise<void> {
  let lastBeat: Instant | null = null
  return async () => {
    const at = deps.now()
    const isDue = lastBeat === null || isBefore(at, lastBeat) || !isBefore(at, addSeconds(lastBeat, BEAT_SECONDS))
    if (!isDue) return
    await recoverFromOutage(deps)
    lastBeat = at
  }
}

/** The last word of a server that ends in order. */
export function sayGoodbye({ store, now }: Pick<Deps, 'store' | 'now'>): Promise<void> {
  return store.recordAlive(now())
}
