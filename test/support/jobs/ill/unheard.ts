/** Checks without effect: ignored pings, no pings, no integrations, odd schedules, two checks of one job. */
import type { AdvisedChannel, AdvisedPing } from '../../../../src/domain/advice/facts.ts'
import type { SeededRandom } from '../../seeded-random.ts'
import { delay } from '../healthy/nightly.ts'
import { aHistory } from '../history.ts'
import type { IllHistory, IllKind, Right } from '../kind.ts'
import { aPing, aRun, DAY, everySoOften, HOUR, MINUTE, PAGE, SECOND, slotsOf } from '../runs.ts'
import { beginning, periodic, scheduled } from '../watching.ts'
import { illHistory, set } from './job.ts'

export const UNHEARD: readonly IllKind[] = [
  { name: 'no keyword any more', history: noKeyword },
  { name: 'never by POST', history: neverByPost },
  { name: 'a refused exit status', history: refusedStatus },
  { name: 'never pinged', history: neverPinged },
  { name: 'once from the page', history: onceFromThePage },
  { name: 'paused and forgotten', history: forgotten },
  { name: 'no integration', history: (random) => unheard(random, []) },
  { name: 'the only integration fails', history: failingIntegration },
  { name: 'one job, two checks', history: twins },
  { name: '`* 3 * * *` for a job at 03:00', history: everyMinuteOfAnHour },
  { name: '`*/45` for a job each 45 minutes', history: stepOf45 },
]

/** A nightly job with one change. */
function ofNights(
  random: SeededRandom,
  days: number,
  right: Right,
  changed: Partial<ReturnType<typeof scheduled>> = {},
): IllHistory {
  const createdAt = beginning(random)
  const check = { ...scheduled('0 3 * * *', 'UTC', HOUR, createdAt), ...changed }
  const until = createdAt + days * DAY
  const slots = slotsOf('0 3 * * *', 'UTC', createdAt, until)
  return illHistory(random, { check, slots, until, right, rates: {} })
}

/** Returns the same pings, ignored from an index on. */
function ignoredFrom(pings: readonly AdvisedPing[], from: number, ignoredBy: AdvisedPing['ignoredBy']): AdvisedPing[] {
  return pings.map((ping, index) => (index < from ? ping : { ...ping, kind: 'ign', ignoredBy }))
}

function noKeyword(random: SeededRandom): IllHistory {
  const counted = 3 + random.integer(30)
  const history = ofNights(random, counted + 15, { kind: 'ignored', fix: { do: 'ask', about: 'rules' } })
  return { ...history, pings: ignoredFrom(history.pings, counted, 'keyword') }
}

function neverByPost(random: SeededRandom): IllHistory {
  const history = ofNights(random, 15, { kind: 'ignored', fix: set({ methods: '' }) }, { methods: 'POST' })
  return { ...history, pings: ignoredFrom(history.pings, 0, 'method') }
}

function refusedStatus(random: SeededRandom): IllHistory {
  const counted = 3 + random.integer(30)
  const history = ofNights(random, counted + 15, { kind: 'ignored', fix: { do: 'text', text: 'fail-status' } })
  const refused = history.pings.slice(counted).map(({ at }) => ({ at, tail: '3221225477' }))
  return { ...history, pings: history.pings.slice(0, counted), refused }
}

const UNWATCHED: Right = { kind: 'unwatched', fix: { do: 'text', text: 'ping-line' } }

function neverPinged(random: SeededRandom): IllHistory {
  return { ...ofNights(random, 10, UNWATCHED), pings: [] }
}

function onceFromThePage(random: SeededRandom): IllHistory {
  const createdAt = beginning(random)
  const pings = [aPing(createdAt + Math.round(random.between(1, 60)) * MINUTE, PAGE)]
  const check = periodic(DAY, HOUR, createdAt)
  return { ...aHistory({ check, pings, until: createdAt + 10 * DAY }), right: UNWATCHED }
}

function forgotten(random: SeededRandom): IllHistory {
  const history = ofNights(random, 40, { kind: 'unwatched', fix: { do: 'resume' } })
  const pausedAt = history.check.createdAt + Math.round(random.between(3, 20)) * DAY
  const check = { ...history.check, isPaused: true, pausedAt }
  return {
    ...history,
    check,
    pings: history.pings.filter(({ at }) => at < pausedAt),
    away: [{ from: pausedAt, until: history.until, why: 'pause' }],
  }
}

function unheard(random: SeededRandom, channels: readonly AdvisedChannel[]): IllHistory {
  return { ...ofNights(random, 12, { kind: 'untold', fix: { do: 'ask', about: 'channels' } }), channels }
}

function failingIntegration(random: SeededRandom): IllHistory {
  const history = unheard(random, [])
  const since = history.check.createdAt + random.between(1, 5) * DAY
  return { ...history, channels: [{ name: 'Ops chat', state: 'failing', since, givenUp: 3 }] }
}

/** A script that pings two checks, one right after the other, at any minute of half an hour. */
function twins(random: SeededRandom): IllHistory {
  const createdAt = beginning(random)
  const until = createdAt + random.between(15, 40) * DAY
  const check = scheduled('0 3 * * *', 'UTC', 2 * HOUR, createdAt)
  const run = (slot: number) => aRun(slot + random.between(5, 40) * MINUTE)
  const slots = slotsOf('0 3 * * *', 'UTC', createdAt, until)
  const history = illHistory(random, {
    check,
    slots,
    until,
    run,
    right: { kind: 'twins', fix: { do: 'ask', about: 'twins' } },
    rates: {},
  })
  const log = history.pings.map((ping) => ({ ...ping, at: ping.at + Math.round(random.between(0.05, 0.9) * SECOND) }))
  return { ...history, others: [{ name: 'Backup (old)', log }] }
}

function everyMinuteOfAnHour(random: SeededRandom): IllHistory {
  return ofNights(
    random,
    30,
    { kind: 'text', fix: set({ schedule: '0 3 * * *' }) },
    { schedule: '* 3 * * *', graceSeconds: 600 },
  )
}

function stepOf45(random: SeededRandom): IllHistory {
  const createdAt = beginning(random)
  const until = createdAt + random.between(2, 5) * DAY
  const check = scheduled('*/45 * * * *', 'UTC', 5 * MINUTE, createdAt)
  const slots = everySoOften(45 * MINUTE, createdAt, until)
  const run = (slot: number) => aRun(slot + delay(random))
  return illHistory(random, {
    check,
    slots,
    until,
    run,
    right: { kind: 'text', fix: { do: 'ask', about: 'schedule' } },
    rates: {},
  })
}
