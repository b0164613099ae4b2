/** The criteria of a soak, evaluated on its samples by quarters of the run. Pure. */
import { median } from '../../bench/support/figures.ts'

export interface Sample {
  /** seconds since the load began */
  readonly at: number
  readonly residentMegabytes: number
  /** bytes of the database file */
  readonly mainBytes: number
  /** bytes of the write-ahead log beside it */
  readonly walBytes: number
  /** processor time of the server so far, all threads */
  readonly cpuSeconds: number
  /** open files and sockets of the server, without the connections that its clients keep alive */
  readonly descriptors: number
  /** number answered so far */
  readonly pings: number
  /** requests other than pings, answered so far */
  readonly calls: number
  /** webhook messages received so far */
  readonly messages: number
}

export interface Soak {
  readonly plan: Plan
  readonly samples: readonly Sample[]
  readonly pingsAnswered: number
  readonly callsAnswered: number
  /** a sentence for each ping or other request that went wrong */
  readonly wrongAnswers: readonly string[]
  /** lines of the server's log that are errors */
  readonly logErrors: readonly string[]
  readonly database: DatabaseState
  /** different ids of webhook messages that were received */
  readonly messages: number
}

export interface Plan {
  readonly seconds: number
  readonly pings: number
  readonly checks: number
  /** the number of entries that a check's log keeps */
  readonly logLimit: number
  /** mean over all pings, including those without a body */
  readonly meanBodyBytes: number
}

/** The content of the file after the load. */
export interface DatabaseState {
  /** what `PRAGMA integrity_check` and `PRAGMA foreign_key_check` report */
  readonly faults: readonly string[]
  readonly logEntries: number
  readonly flips: number
  readonly deliveriesSent: number
  /** deliveries in any other state */
  readonly deliveriesNotSent: number
  readonly bytes: number
  /** bytes of free pages */
  readonly freeBytes: number
}

interface Quarter {
  readonly samples: number
  /** mean */
  readonly residentMegabytes: number
  /** highest */
  readonly mainBytes: number
  /** highest */
  readonly walBytes: number
  /** median */
  readonly descriptors: number
  /** NaN when no ping was answered */
  readonly cpuMillisecondsPerPing: number
}

export interface Criterion {
  readonly what: string
  /** null when the run is too short to evaluate it */
  readonly holds: boolean | null
  readonly detail: string
}

/** Shortest quarter. The loop that shortens logs runs once a minute, and each quarter must contain a few of its runs. */
const LEVEL_QUARTER_SECONDS = 180
/** Time from the ping that makes a log too long until the loop has shortened it: a minute, and the time that the loop takes. */
const CUT_WITHIN_SECONDS = 75
/** Number of entries by which a log may exceed its limit before it is marked to be shortened (`store/pings/pings.ts`). */
const CUT_EVERY = 100
/** Size of an entry without its body, with its share of the unused space in pages. */
const ENTRY_BYTES = 250
/** Size of a flip with its delivery and their entries in seven indexes. Flips are kept for 93 days, longer than any soak. */
const FLIP_BYTES = 1_200
/** Size of a check with its entries in six indexes and its run durations. */
const CHECK_BYTES = 2_500
const EMPTY_BYTES = 300_000
/** Factor for unused space. Pages are never quite full, and some are only a third full after a log was shortened. */
const SLACK = 1.5
/** `longestPages` in `store/engine/sqlite/checkpoints/checkpoints.ts`, in pages of 4096 bytes with a head of 24. */
const WAL_BYTES = 32_000 * (4_096 + 24)
const LEVEL_SLACK = 0.02
const LEVEL_SLACK_BYTES = 1_000_000
/** Tolerance, because connections to receivers and of clients open and close while they are counted. */
const DESCRIPTOR_SLACK = 8
const SAMPLES_AT_LEAST = 3

/**
 * @param memoryTolerance share by which the mean memory of the last quarter may exceed that of the second
 * @returns every criterion with its result
 */
export function evaluate(soak: Soak, memoryTolerance: number): Criterion[] {
  const [, second, , last] = quarters(soak.samples, soak.plan.seconds)
  return [
    {
      what: 'every ping was answered OK',
      holds: soak.pingsAnswered === soak.plan.pings && soak.wrongAnswers.length === 0,
      detail: `${soak.pingsAnswered} of ${soak.plan.pings}, and ${soak.callsAnswered} other requests; ${some(soak.wrongAnswers, 'wrong')}`,
    },
    ...(second === undefined || last === undefined
      ? [tooFewSamples(soak)]
      : [
          memoryCriterion(second, last, memoryTolerance),
          growthCriterion(soak, second, last),
          {
            what: 'open descriptors do not grow',
            holds: last.descriptors <= second.descriptors + DESCRIPTOR_SLACK,
            detail: `median ${second.descriptors} in the second quarter, ${last.descriptors} in the last`,
          },
        ]),
    logCriterion(soak),
    sizeCriterion(soak),
    walCriterion(soak),
    {
      what: 'the log has no error',
      holds: soak.logErrors.length === 0,
      detail: some(soak.logErrors, 'errors'),
    },
    {
      what: 'the database passes the integrity check',
      holds: soak.database.faults.length === 0,
      detail: some(soak.database.faults, 'faults'),
    },
    {
      what: 'every message was delivered',
      holds:
        soak.database.deliveriesSent > 0 &&
        soak.database.deliveriesNotSent === 0 &&
        soak.messages === soak.database.deliveriesSent,
      detail: `${soak.database.deliveriesSent} sent, ${soak.database.deliveriesNotSent} not, ${soak.messages} different ones received`,
    },
  ]
}

/** @returns the four quarters of the run in order; empty when one of them has too few samples */
export function quarters(samples: readonly Sample[], seconds: number): Quarter[] {
  const parts = [0, 1, 2, 3].map((index) =>
    samples.filter(({ at }) => at >= (index * seconds) / 4 && at < ((index + 1) * seconds) / 4),
  )
  if (parts.some((part) => part.length < SAMPLES_AT_LEAST)) return []
  return parts.map((part) => {
    const pings = spanOf(part, ({ pings }) => pings)
    return {
      samples: part.length,
      residentMegabytes: part.reduce((sum, { residentMegabytes }) => sum + residentMegabytes, 0) / part.length,
      mainBytes: Math.max(...part.map(({ mainBytes }) => mainBytes)),
      walBytes: Math.max(...part.map(({ walBytes }) => walBytes)),
      descriptors: median(part.map(({ descriptors }) => descriptors)),
      cpuMillisecondsPerPing: pings > 0 ? (1000 * spanOf(part, ({ cpuSeconds }) => cpuSeconds)) / pings : Number.NaN,
    }
  })
}

/** Returns the size of the largest allowed file: the limits of the logs, and the tables that only grow. */
export function sizeBound({ plan, database }: Pick<Soak, 'plan' | 'database'>): number {
  return SLACK * entryBound(plan) * (ENTRY_BYTES + plan.meanBodyBytes) + fixedBytes(plan, database)
}

/** Returns the most log entries that may exist at any time. */
export function entryBound({ pings, seconds, checks, logLimit }: Plan): number {
  return Math.round(checks * (logLimit + CUT_EVERY) + (pings / seconds) * CUT_WITHIN_SECONDS)
}

function fixedBytes({ checks }: Plan, { flips }: DatabaseState): number {
  return EMPTY_BYTES + checks * CHECK_BYTES + flips * FLIP_BYTES
}

function memoryCriterion(second: Quarter, last: Quarter, tolerance: number): Criterion {
  const growth = last.residentMegabytes / second.residentMegabytes - 1
  return {
    what: 'memory is flat',
    holds: growth <= tolerance,
    detail: `mean ${megabytes(second.residentMegabytes)} in the second quarter, ${megabytes(last.residentMegabytes)} in the last: ${percent(growth)}, at most ${percent(tolerance)} is allowed`,
  }
}

function growthCriterion({ plan, database }: Soak, second: Quarter, last: Quarter): Criterion {
  // Half of all flips happen after the second quarter.
  const allowed = second.mainBytes * (1 + LEVEL_SLACK) + LEVEL_SLACK_BYTES + (database.flips / 2) * FLIP_BYTES
  const figures = `at most ${mebibytes(second.mainBytes)} in the second quarter, ${mebibytes(last.mainBytes)} in the last`
  const what = 'the file stops growing'
  if (plan.seconds / 4 < LEVEL_QUARTER_SECONDS) {
    return {
      what,
      holds: null,
      detail: `${figures}; evaluated for runs of at least ${(4 * LEVEL_QUARTER_SECONDS) / 60} minutes`,
    }
  }
  return { what, holds: last.mainBytes <= allowed, detail: `${figures}; ${mebibytes(allowed)} is allowed` }
}

function logCriterion({ plan, database }: Soak): Criterion {
  const bound = entryBound(plan)
  const what = 'logs are shortened to their limit'
  const figures = `${database.logEntries} entries at the end, at most ${bound} are allowed`
  if (plan.pings <= bound)
    return { what, holds: null, detail: `${figures}; evaluated when there are more pings than that` }
  return { what, holds: database.logEntries <= bound, detail: figures }
}

function sizeCriterion(soak: Soak): Criterion {
  const bound = sizeBound(soak)
  const highest = Math.max(soak.database.bytes, ...soak.samples.map(({ mainBytes }) => mainBytes))
  return {
    what: 'the file is no larger than limits and flips allow',
    holds: highest <= bound,
    detail: `${mebibytes(highest)} of at most ${mebibytes(bound)}; ${mebibytes(soak.database.freeBytes)} of it free at the end`,
  }
}

function walCriterion({ samples }: Soak): Criterion {
  const highest = Math.max(...samples.map(({ walBytes }) => walBytes))
  return {
    what: 'checkpoints bound the write-ahead log',
    // Above the limit commits go on, more slowly, and a reader may be in the way.
    holds: highest <= SLACK * WAL_BYTES,
    detail: `${mebibytes(highest)} of at most ${mebibytes(SLACK * WAL_BYTES)}`,
  }
}

function tooFewSamples({ samples }: Soak): Criterion {
  return {
    what: 'there are samples of every quarter',
    holds: false,
    detail: `${samples.length} samples, the last at second ${Math.round(samples.at(-1)?.at ?? 0)}`,
  }
}

function spanOf(part: readonly Sample[], figure: (sample: Sample) => number): number {
  const [first, last] = [part[0], part.at(-1)]
  return first && last ? figure(last) - figure(first) : 0
}

function some(items: readonly string[], name: string): string {
  return items.length === 0 ? `no ${name}` : `${items.length} ${name}, the first: ${items.slice(0, 3).join(' | ')}`
}

const megabytes = (value: number) => `${value.toFixed(1)} MB`
const mebibytes = (bytes: number) => megabytes(bytes / 2 ** 20)
const percent = (share: number) => `${(100 * share).toFixed(1)} %`
