/** *Unwatched*: a check that looks monitored but is not. */
import { passedSlots } from '../../check/slots.ts'
import { DAY, HOUR } from '../../units.ts'
import type { Advice, AdvicePart, Fix } from '../advice.ts'
import type { Reading } from '../reading.ts'
import { isByHand, isEnd } from '../runs.ts'
import { slotsAfter } from '../slots-passed.ts'
import { awaitedFrom, deadlineAfter } from './deadline.ts'

export function unwatched(reading: Reading): Advice | null {
  if (reading.facts.check.isPaused) return forgotten(reading)
  const { log } = reading.facts
  if (log.length === 0) return never(reading)
  return log.length <= TRIALS && log.every((ping) => isEnd(ping) && isByHand(ping)) ? byHand(reading) : once(reading)
}

const PING_LINE: Fix = { do: 'text', text: 'ping-line' }

function advice(variant: string, says: readonly AdvicePart[], fix: Fix = PING_LINE): Advice {
  return { kind: 'unwatched', variant, says, fix, otherFixes: [] }
}

/** Time to allow for setup. Even for a job that runs every minute, the user needs a while to add the ping to the job. */
const SET_UP = HOUR

/** Returns advice if a check was never pinged. Rejected pings are not counted here, because `ignored` reports them. */
function never(reading: Reading): Advice | null {
  const { facts, now, grace } = reading
  const { createdAt, wasPinged } = facts.check
  if (wasPinged || facts.refused !== null || now < createdAt + SET_UP) return null
  const [due] = slotsAfter(facts.check, awaitedFrom(reading, createdAt), 1)
  if (due === undefined || now < due + grace) return null
  return advice('never', [
    'Never pinged in ',
    { lasting: createdAt },
    ', though its first run was due ',
    { at: due },
    '. A check that was never pinged never alerts.',
  ])
}

/** Maximum number of pings that may come from a user who is trying out the ping URL. */
const TRIALS = 3

function byHand(reading: Reading): Advice | null {
  const { facts, now } = reading
  const last = facts.log.at(-1)?.at ?? now
  const deadline = deadlineAfter(reading, awaitedFrom(reading, last))
  if (deadline === null || now < deadline) return null
  return advice('by-hand', ['Pinged only from a browser, last ', { at: last }, '; the job never has.'])
}

/** A run has at most two entries in the log: its start and its end. */
const ENTRIES_OF_ONE_RUN = 2
const GAPS_WAITED = 2
/** Time to wait before saying that a check was pinged only once. On the first day, an hourly check for a daily job looks the same. */
const ONCE_AFTER = 25 * HOUR

/** Maximum number of missed slots to count. Finding a slot takes time, and a higher count would not be more informative. */
const MISSING_COUNTED = 100

function once(reading: Reading): Advice | null {
  const { facts, runs, now } = reading
  const [run] = runs
  if (run === undefined || runs.length > 1 || facts.log.length > ENTRIES_OF_ONE_RUN || reading.gap === null) return null
  const from = awaitedFrom(reading, run.ended)
  const deadline = deadlineAfter(reading, from)
  if (deadline === null || now < Math.max(deadline + GAPS_WAITED * reading.gap, from + ONCE_AFTER)) return null
  const missing = passedSlots(facts.check, from, { from, until: now - reading.grace }, MISSING_COUNTED).count
  const many = missing === MISSING_COUNTED ? `${missing} or more` : String(missing)
  return advice('once', ['Pinged once, ', { at: run.ended }, `, and ${many} runs have been missed since.`])
}

/** How long a check must be paused before this advice is given: much longer than a pause for maintenance. */
const FORGOTTEN_AFTER = 7 * DAY
/** Number of pings during a pause that show that the job is still running. If at least this many arrive, `ignored` reports them instead. */
const PINGS_OF_A_LIVING_JOB = 3

function forgotten({ facts, now, gap }: Reading): Advice | null {
  const { pausedAt } = facts.check
  if (pausedAt === null) return null
  const isLong = now - pausedAt >= Math.max(FORGOTTEN_AFTER, GAPS_WAITED * (gap ?? 0))
  const since = facts.log.filter(({ at }) => at > pausedAt).length
  if (!isLong || since >= PINGS_OF_A_LIVING_JOB) return null
  return advice('paused', ['Paused for ', { lasting: pausedAt }, ': nothing is monitored.'], { do: 'resume' })
}
