/**
 * Indexes ping bodies after the pings have been answered. It works in short steps of a few entries each, which do not delay other work.
 * Each step's result is stored immediately, so a crash loses only one step's work.
 */
import type { Instant } from '../../lib/time.ts'
import type { PingWords, UnreadPing } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { plainText, textOf, wordsIn } from '../pings/ping-text.ts'
import { createLease } from '../server/leases.ts'

type IndexDeps = Pick<Deps, 'store' | 'now' | 'stopwatch' | 'eventLoop' | 'measurements' | 'instance'>

/**
 * Length of the pause after a run, as a multiple of the run's duration. Half of a run consists of pauses between its steps, so indexing
 * takes about 3 % of the time while pings are arriving.
 */
const PAUSE = 15
const STEP_SECONDS = 0.004
/** Maximum number of merge steps after a run. They merge more index pages than the run wrote. */
const TIDY_STEPS = 4
/** Duration of a lease, in seconds. A run takes much less time than that. */
const LEASE_SECONDS = 15

/**
 * @returns a function that indexes a few entries and returns when to run next; it returns null if there is nothing to do, or if
 * another instance is doing the work
 */
export function createSearchIndex(deps: IndexDeps): () => Promise<Instant | null> {
  const { store, now, stopwatch, measurements } = deps
  const lease = createLease(deps, 'search', LEASE_SECONDS)
  let pingsBefore = measurements.pingCount
  let othersBefore: string | null = null
  let isTidy = false
  return async () => {
    const began = stopwatch()
    if (!lease.mayBeHeld()) return null
    const pings = measurements.pingCount
    const hasPings = pings !== pingsBefore
    pingsBefore = pings
    const unread = await store.search.findUnread()
    const mustRefill = unread === null && (await store.search.mustRefill())
    const hasWork = unread !== null || mustRefill
    // An instance that has no work to do does not renew its lease.
    if ((isTidy && !hasWork) || !(await lease.hold())) return null
    if (unread !== null) await store.search.writeWords(unread, await readWords(deps, unread.pings))
    if (mustRefill) await store.search.refill()
    if (hasWork) isTidy = false
    for (let step = 0; step < TIDY_STEPS && !isTidy; step++) isTidy = !(await store.search.tidy())
    const { writes: others } = await store.changes.readRevisionOfOthers()
    const isIdle = !hasPings && (othersBefore ?? others) === others
    othersBefore = others
    return isIdle ? now() : now().add({ milliseconds: Math.ceil((stopwatch() - began) * PAUSE * 1000) })
  }
}

async function readWords(deps: IndexDeps, pings: readonly UnreadPing[]): Promise<readonly PingWords[]> {
  const { eventLoop, stopwatch } = deps
  const read: PingWords[] = []
  const add = ({ id, checkId, n }: UnreadPing, text: string) => read.push({ id, checkId, n, words: wordsIn(text) })
  const readPlain = async () => {
    const until = stopwatch() + STEP_SECONDS
    for (const ping of pings.slice(read.length)) {
      if (ping.scheme === 'email') return
      add(ping, plainText(ping))
      if (stopwatch() >= until) return
    }
  }
  while (read.length < pings.length) {
    await eventLoop.step(readPlain)
    const next = pings[read.length]
    if (next?.scheme === 'email') add(next, await textOf(next, eventLoop))
  }
  return read
}
