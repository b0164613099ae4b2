/** Jobs with wrong runs: they overlap, fail in turn, become long or empty, or come from two machines. */
import type { AdvisedPing } from '../../../../src/domain/advice/facts.ts'
import type { SeededRandom } from '../../seeded-random.ts'
import { delay } from '../healthy/nightly.ts'
import type { IllHistory, IllKind, Right } from '../kind.ts'
import { aPing, aRun, CURL, DAY, everySoOften, HOUR, MINUTE, type Run, SECOND, type Signals, slotsOf } from '../runs.ts'
import { beginning, periodic, scheduled } from '../watching.ts'
import { illHistory } from './job.ts'

export const WRONG_RUNS: readonly IllKind[] = [
  { name: '14 minutes every 10, with run ids', history: (random) => overlaps(random, true) },
  { name: '7 to 17 minutes every 10, without run ids', history: (random) => overlaps(random, false), found: 0.75 },
  { name: 'two hosts daily, without starts', history: (random) => twoHosts(random, false, DAY) },
  { name: 'two hosts daily, with starts', history: (random) => twoHosts(random, true, DAY) },
  { name: 'two hosts hourly', history: (random) => twoHosts(random, false, HOUR) },
  { name: 'opened by a link preview', history: previewed },
  { name: 'every other run fails', history: everyOther },
  { name: '40 % of the nights fail', history: (random) => ofNights(random, fortyPercent(random)), found: 0.86 },
  { name: 'twice as long', history: (random) => ofNights(random, twiceAsLong(random)), found: 0.99 },
  { name: 'does nothing', history: (random) => ofNights(random, doesNothing(random)) },
  { name: "success with a failure's line", history: (random) => ofNights(random, linesOfFailures(random)) },
]

function overlaps(random: SeededRandom, runIds: boolean): IllHistory {
  const createdAt = beginning(random)
  const until = createdAt + random.between(5, 9) * DAY
  const check = scheduled('*/10 * * * *', 'UTC', 30 * MINUTE, createdAt)
  const minutes = () => (runIds ? random.between(13.5, 14.5) : random.between(7, 17))
  const run = (slot: number) => aRun(slot + random.between(0.2, 5) * SECOND, { seconds: minutes() * 60 })
  const slots = everySoOften(10 * MINUTE, createdAt, until)
  const fix = { do: 'text', text: runIds ? 'lock' : 'rid' } as const
  return illHistory(random, {
    check,
    slots,
    until,
    run,
    starts: true,
    runIds,
    right: { kind: 'overlap', fix },
    rates: {},
  })
}

function twoHosts(random: SeededRandom, starts: boolean, distance: number): IllHistory {
  const createdAt = beginning(random)
  const until = createdAt + (distance === DAY ? random.between(15, 50) : random.between(2, 8)) * DAY
  const isScheduled = distance === DAY
  const check = isScheduled ? scheduled('0 3 * * *', 'UTC', HOUR, createdAt) : periodic(HOUR, 15 * MINUTE, createdAt)
  // The second machine was set up from the same crontab, or some minutes later.
  const later = (isScheduled ? random.pick([0, 5, 20]) : random.between(5, 25)) * MINUTE
  const slots = isScheduled ? slotsOf('0 3 * * *', 'UTC', createdAt, until) : everySoOften(HOUR, createdAt, until)
  const runs = slots.flatMap((slot) => [
    aRun(slot + delay(random), { seconds: starts ? random.between(20, 60) : 0 }),
    aRun(slot + later + random.between(16, 30) * SECOND, {
      seconds: starts ? random.between(20, 60) : 0,
      by: { ...CURL, sender: '10.0.0.7' },
    }),
  ])
  const right = { kind: 'senders', fix: { do: 'text', text: 'own-check' } } as const
  return illHistory(random, {
    check,
    slots: runs.map(({ at }) => at),
    run: (_slot, index) => runs[index] ?? aRun(0),
    until,
    starts,
    right,
    rates: {},
  })
}

const PREVIEWS = [
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'TelegramBot (like TwitterBot)',
  'WhatsApp/2.23.20.0',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
]

function previewed(random: SeededRandom): IllHistory {
  const createdAt = beginning(random)
  const openedAt = createdAt + random.between(6, 30) * DAY
  const check = scheduled('0 3 * * *', 'UTC', HOUR, createdAt)
  const until = openedAt + 6.5 * DAY
  const opened = aPing(Math.round(openedAt), { sender: '54.1.2.3', userAgent: random.pick(PREVIEWS) })
  const slots = slotsOf('0 3 * * *', 'UTC', createdAt, until)
  const right = { kind: 'senders', fix: { do: 'text', text: 'post-line' } } as const
  const history = illHistory(random, { check, slots, until, right, rates: {} })
  return { ...history, pings: inOrder([...history.pings, opened]) }
}

function inOrder(pings: readonly AdvisedPing[]): AdvisedPing[] {
  return [...pings].sort((one, other) => one.at - other.at)
}

const FLAPPING: Right = { kind: 'flapping', fix: { do: 'ask', about: 'failures' } }

function everyOther(random: SeededRandom): IllHistory {
  const createdAt = beginning(random)
  const until = createdAt + random.between(1, 4) * DAY
  const run = (slot: number, index: number) =>
    aRun(slot + delay(random), { outcome: index % 2 === 1 ? 'fail' : 'success' })
  const check = scheduled('*/20 * * * *', 'UTC', 10 * MINUTE, createdAt)
  return illHistory(random, {
    check,
    slots: everySoOften(20 * MINUTE, createdAt, until),
    until,
    run,
    right: FLAPPING,
    rates: {},
  })
}

interface Nights extends Signals {
  readonly run: (index: number) => Partial<Run>
  readonly days: number
  readonly right: Right
}

function ofNights(random: SeededRandom, { run, days, right, starts = false }: Nights): IllHistory {
  const createdAt = beginning(random)
  const until = createdAt + days * DAY
  const check = scheduled('0 3 * * *', 'UTC', 4 * HOUR, createdAt)
  const slots = slotsOf('0 3 * * *', 'UTC', createdAt, until)
  const begun = (slot: number, index: number) => aRun(slot + random.between(0.2, 5) * SECOND, run(index))
  return illHistory(random, { check, slots, until, run: begun, starts, right, rates: {} })
}

function fortyPercent(random: SeededRandom): Nights {
  return { run: () => ({ outcome: random.happens(0.4) ? 'fail' : 'success' }), days: 40, right: FLAPPING }
}

function twiceAsLong(random: SeededRandom): Nights {
  const minutes = random.between(20, 50)
  const since = 20 + random.integer(20)
  const seconds = (index: number) => random.around(minutes * 60 * (index < since ? 1 : 2.1), 0.05)
  return {
    run: (index) => ({ seconds: seconds(index) }),
    days: since + 15,
    starts: true,
    right: { kind: 'slow', fix: { do: 'ask', about: 'slower' } },
  }
}

function doesNothing(random: SeededRandom): Nights {
  const minutes = random.between(20, 60)
  const since = 10 + random.integer(30)
  const seconds = (index: number) => (index < since ? random.around(minutes * 60, 0.08) : random.between(0.2, 1.5))
  return {
    run: (index) => ({ seconds: seconds(index) }),
    days: since + 12,
    starts: true,
    right: { kind: 'hollow', fix: { do: 'ask', about: 'did-it-run' } },
  }
}

const FAILURE = 'Fatal: unable to create lock in backend'

function linesOfFailures(random: SeededRandom): Nights {
  const failed = 3 + random.integer(10)
  const since = failed + 6 + random.integer(15)
  const run = (index: number): Partial<Run> => {
    if (index === failed) return { outcome: 'fail', lastLine: FAILURE }
    return { lastLine: index < since ? `snapshot ${1000 + index} saved` : FAILURE }
  }
  return { run, days: since + 12, right: { kind: 'hollow', fix: { do: 'text', text: 'exit-status' } } }
}
