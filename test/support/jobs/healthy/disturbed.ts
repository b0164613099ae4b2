/** Healthy jobs with disturbances of machines and people: maintenance, outages, runs by hand, failures. */
import type { AdvisedPing, Away } from '../../../../src/domain/advice/facts.ts'
import type { SeededRandom } from '../../seeded-random.ts'
import { aHistory, type History } from '../history.ts'
import type { HealthyKind } from '../kind.ts'
import { anOutage, ORDINARY, outside, type Rates, withMishaps } from '../mishaps.ts'
import { aPing, aRun, DAY, everySoOften, HOUR, MINUTE, pingsOf, type Run, SECOND, slotsOf } from '../runs.ts'
import { beginning, nightly, scheduled, surroundings, ZONES } from '../watching.ts'
import { delay } from './nightly.ts'

export const DISTURBED: readonly HealthyKind[] = [
  { name: 'paused for maintenance', history: maintained },
  { name: 'outages of the machine and of the server', history: outages },
  { name: 'runs by hand', history: (random) => ofAJob(random, { rates: { ...ORDINARY, byHand: 0.06 } }) },
  { name: 'runs at boot', history: bootRuns },
  { name: 'dies after its start', history: diesAfterItsStart },
  { name: 'fails 3 % of its runs', history: failing },
  { name: 'good and bad runs end with the same line', history: sameLines },
  { name: 'overlaps once in a while', history: rareOverlaps },
  { name: 'two small jobs of one minute', history: smallJobs },
  { name: 'jobs in a row', history: inARow },
  { name: 'emails that are ignored', history: ignoredEmails },
]

interface Disturbance {
  readonly rates?: Rates
  readonly starts?: boolean
  /** changes the runs */
  readonly change?: (runs: readonly Run[]) => Run[]
  readonly away?: (runs: readonly Run[]) => Away[]
  readonly isHourly?: boolean
}

function ofAJob(random: SeededRandom, disturbance: Disturbance): History {
  const { rates = ORDINARY, starts = random.happens(0.5), change, away, isHourly = random.happens(0.4) } = disturbance
  const tz = random.pick(ZONES)
  const createdAt = beginning(random)
  const schedule = isHourly ? '0 * * * *' : nightly(random)
  const until = createdAt + (isHourly ? random.between(5, 20) : random.between(30, 90)) * DAY
  const seconds = random.between(5, 600)
  const planned = slotsOf(schedule, tz, createdAt, until).map((at) =>
    aRun(at + delay(random), { seconds: random.around(seconds, 0.1) }),
  )
  const stretches = away?.(planned) ?? []
  const runs = outside(withMishaps(change?.(planned) ?? planned, random, rates), stretches)
  const check = scheduled(schedule, tz, (isHourly ? 20 : 60) * MINUTE, createdAt)
  return aHistory({
    check,
    pings: pingsOf(runs, random, { starts }),
    away: stretches,
    until,
    ...surroundings(random, tz),
  })
}

function maintained(random: SeededRandom): History {
  const away = (runs: readonly Run[]) =>
    Array.from({ length: 1 + random.integer(3) }, () => ({ ...anOutage(runs, random), why: 'pause' as const })).sort(
      (one, other) => one.from - other.from,
    )
  return ofAJob(random, { away: (runs) => apart(away(runs)) })
}

/** The server is down too, so pings are lost and no check is judged. */
function outages(random: SeededRandom): History {
  const change = (runs: readonly Run[]) =>
    outside(
      runs,
      Array.from({ length: 1 + random.integer(2) }, () => anOutage(runs, random)),
    )
  return ofAJob(random, {
    change,
    away: (runs) => (random.happens(0.5) ? [{ ...anOutage(runs, random), why: 'outage' as const }] : []),
    rates: { ...ORDINARY, outage: 0 },
  })
}

/** Joins stretches that overlap. */
function apart(stretches: readonly Away[]): Away[] {
  const joined: Away[] = []
  for (const { from, until, why } of stretches) {
    const last = joined.at(-1)
    if (last === undefined || from > last.until) joined.push({ from, until, why })
    else joined.splice(-1, 1, { ...last, until: Math.max(last.until, until) })
  }
  return joined
}

/** A machine that restarts every few weeks, and runs its job at each start. */
function bootRuns(random: SeededRandom): History {
  const change = (runs: readonly Run[]) =>
    runs.flatMap((run, index) =>
      index > 0 && random.happens(0.04)
        ? [run, aRun(run.at + random.between(2, 20) * HOUR, { seconds: run.seconds })]
        : [run],
    )
  return ofAJob(random, { change, isHourly: false, rates: { ...ORDINARY, byHand: 0 } })
}

function diesAfterItsStart(random: SeededRandom): History {
  const change = (runs: readonly Run[]) =>
    runs.map((run, index) => (index > 0 && random.happens(0.06) ? { ...run, outcome: 'dies' as const } : run))
  return ofAJob(random, { change, starts: true })
}

function failing(random: SeededRandom): History {
  const change = (runs: readonly Run[]) =>
    runs.map((run, index) => {
      const failed = random.happens(0.03)
      const lastLine = failed ? 'Fatal: unable to open repository' : `snapshot ${1000 + index} saved`
      return { ...run, outcome: failed ? ('fail' as const) : run.outcome, lastLine }
    })
  return ofAJob(random, { change, isHourly: false, rates: { ...ORDINARY, fails: 0 } })
}

function sameLines(random: SeededRandom): History {
  const lastLine = random.pick(['see /var/log/backup.log', 'errors: 0, warnings: 3', 'backup script finished'])
  return ofAJob(random, {
    change: (runs) => runs.map((run) => ({ ...run, lastLine })),
    rates: { ...ORDINARY, fails: 0.03 },
  })
}

function rareOverlaps(random: SeededRandom): History {
  const createdAt = beginning(random)
  const until = createdAt + random.between(3, 15) * DAY
  const runs = everySoOften(30 * MINUTE, createdAt, until).map((at) =>
    aRun(at + random.between(0.2, 5) * SECOND, {
      seconds: random.happens(0.01) ? random.between(31, 40) * 60 : random.between(5, 9) * 60,
    }),
  )
  const pings = pingsOf(withMishaps(runs, random, { fails: 0.005, outage: 0.3 }), random, {
    starts: true,
    runIds: random.happens(0.5),
  })
  return aHistory({ check: scheduled('*/30 * * * *', 'UTC', HOUR, createdAt), pings, until })
}

function smallJobs(random: SeededRandom): History {
  const distance = random.pick([5, 15, 60]) * MINUTE
  const createdAt = beginning(random)
  const until = createdAt + random.between(1, 5) * DAY
  const job = () =>
    everySoOften(distance, createdAt, until).map((at) => aRun(at + random.between(0.1, 1.5) * SECOND, { seconds: 0.2 }))
  const schedule = distance === HOUR ? '0 * * * *' : `*/${distance / MINUTE} * * * *`
  const other = { name: 'Rotate', log: pingsOf(job(), random) }
  const pings = pingsOf(withMishaps(job(), random, { fails: 0.004, outage: 0.3 }), random)
  return aHistory({ check: scheduled(schedule, 'UTC', distance / 2, createdAt), pings, until, others: [other] })
}

/** A script that runs several jobs in a row, each with a check of its own. */
function inARow(random: SeededRandom): History {
  const createdAt = beginning(random)
  const until = createdAt + random.between(20, 60) * DAY
  const minutes = random.between(2, 40)
  const first = slotsOf('0 3 * * *', 'UTC', createdAt, until).map((at) =>
    aRun(at + delay(random), { seconds: random.around(minutes * 60, 0.2) }),
  )
  const second = first.map((run) => aRun(run.at + (run.seconds + random.between(5, 90)) * SECOND))
  const check = scheduled('0 3 * * *', 'UTC', 2 * HOUR, createdAt)
  const pings = pingsOf(withMishaps(first, random, { fails: 0.01, outage: 0.3 }), random)
  return aHistory({ check, pings, until, others: [{ name: 'Upload', log: pingsOf(second, random) }] })
}

/** A mailbox that gets other emails at any time; emails without the keyword don't count. */
function ignoredEmails(random: SeededRandom): History {
  const history = ofAJob(random, { starts: false, isHourly: false })
  const { check, until, pings } = history
  const email = { userAgent: '', method: '', sender: 'backup@example.org' }
  const ignored: AdvisedPing[] = []
  const distance = random.between(4, 30) * HOUR
  for (let at = pings[0]?.at ?? check.createdAt; at < until; at += random.between(0.2, 2) * distance) {
    ignored.push(aPing(Math.round(at + MINUTE), { ...email, kind: 'ign', ignoredBy: 'keyword' }))
  }
  const counted = pings.map((ping) => ({ ...ping, ...email }))
  return { ...history, pings: [...counted, ...ignored].sort((one, other) => one.at - other.at) }
}
