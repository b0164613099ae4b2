/** What a soak has shown: the samples by quarters of the run, and a line for each thing that has to hold. Pure. */
import { median } from '../../bench/support/figures.ts'

export interface Sample {
  /** seconds since the load began */
  readonly at: number
  readonly residentMegabytes: number
  /** of the database file */
  readonly mainBytes: number
  /** of the write-ahead log beside it */
  readonly walBytes: number
  /** the server's, all threads, so far */
  readonly cpuSeconds: number
  /** files and sockets that the server has open, without the connections that its clients keep */
  readonly descriptors: number
  /** answered so far */
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
  /** what went wrong with a ping or another request, a sentence each */
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
  /** entries that a check's log is cut to */
  readonly logLimit: number
  /** of the bodies of all pings, those without one too */
  readonly meanBodyBytes: number
}

/** What is in the file when the load is over. */
export interface DatabaseState {
  /** what `PRAGMA integrity_check` and `PRAGMA foreign_key_check` complain of */
  readonly faults: readonly string[]
  readonly logEntries: number
  readonly flips: number
  readonly deliveriesSent: number
  /** deliveries in any other state */
  readonly deliveriesNotSent: number
  readonly bytes: number
  /** of pages that are free to be used again */
  readonly freeBytes: number
}

export interface Quarter {
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

export interface Line {
  readonly what: string
  /** null: this run is too short to tell */
  readonly holds: boolean | null
  readonly detail: string
}

/** The loop that cuts logs runs once a minute; a quarter needs a few of its rounds before its size says anything. */
export const LEVEL_QUARTER_SECONDS = 180
/** From the ping that makes a log too long until the loop has cut it: a minute, and the time it takes. */
const CUT_WITHIN_SECONDS = 75
/** A log may outgrow its limit by so many entries before it is marked to be cut (`store/pings.ts`). */
const CUT_EVERY = 100
/** An entry without its body, and its share of what a page leaves empty. */
const ENTRY_BYTES = 250
/** A flip with its delivery and their places in seven indexes. Flips stay for 93 days, so no soak sees any go. */
const FLIP_BYTES = 1_200
/** A check with its places in six indexes and its run durations. */
const CHECK_BYTES = 2_500
const EMPTY_BYTES = 300_000
/** Pages are never quite full, and after a cut some are a third full only. */
const SLACK = 1.5
/** `wal_autocheckpoint` in `store/sqlite.ts`, in pages of 4096 bytes with a head of 24. */
const WAL_BYTES = 20_000 * (4_096 + 24)
const LEVEL_SLACK = 0.02
const LEVEL_SLACK_BYTES = 1_000_000
/** Connections to receivers come and go, and those of clients while they are counted. */
const DESCRIPTOR_SLACK = 8
const SAMPLES_AT_LEAST = 3

/**
 * @param memoryTolerance how much more memory the last quarter may use on average than the second, as a share
 * @returns a line for each thing that has to hold
 */
export function judge(soak: Soak, memoryTolerance: number): Line[] {
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
          memoryLine(second, last, memoryTolerance),
          levelLine(soak, second, last),
          {
            what: 'open descriptors do not grow',
            holds: last.descriptors <= second.descriptors + DESCRIPTOR_SLACK,
            detail: `median ${second.descriptors} in the second quarter, ${last.descriptors} in the last`,
          },
        ]),
    logLine(soak),
    boundLine(soak),
    walLine(soak),
    {
      what: 'the log has no error',
      holds: soak.logErrors.length === 0,
      detail: some(soak.logErrors, 'errors'),
    },
    {
      what: 'the database is sound',
      holds: soak.database.faults.length === 0,
      detail: some(soak.database.faults, 'faults'),
    },
    {
      what: 'every message owed has arrived',
      holds:
        soak.database.deliveriesSent > 0 &&
        soak.database.deliveriesNotSent === 0 &&
        soak.messages === soak.database.deliveriesSent,
      detail: `${soak.database.deliveriesSent} sent, ${soak.database.deliveriesNotSent} not, ${soak.messages} different ones received`,
    },
  ]
}

/** @returns the four quarters of the run in their order, or nothing when one of them has hardly a sample */
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

/** The largest the file may get: what the limits of the logs allow, and what only grows. */
export function sizeBound({ plan, database }: Pick<Soak, 'plan' | 'database'>): number {
  return SLACK * entryBound(plan) * (ENTRY_BYTES + plan.meanBodyBytes) + fixedBytes(plan, database)
}

/** The most log entries there may be at any time. */
export function entryBound({ pings, seconds, checks, logLimit }: Plan): number {
  return Math.round(checks * (logLimit + CUT_EVERY) + (pings / seconds) * CUT_WITHIN_SECONDS)
}

function fixedBytes({ checks }: Plan, { flips }: DatabaseState): number {
  return EMPTY_BYTES + checks * CHECK_BYTES + flips * FLIP_BYTES
}

function memoryLine(second: Quarter, last: Quarter, tolerance: number): Line {
  const growth = last.residentMegabytes / second.residentMegabytes - 1
  return {
    what: 'memory is flat',
    holds: growth <= tolerance,
    detail: `mean ${megabytes(second.residentMegabytes)} in the second quarter, ${megabytes(last.residentMegabytes)} in the last: ${percent(growth)}, at most ${percent(tolerance)} is allowed`,
  }
}

function levelLine({ plan, database }: Soak, second: Quarter, last: Quarter): Line {
  // Half of all flips came after the second quarter.
  const allowed = second.mainBytes * (1 + LEVEL_SLACK) + LEVEL_SLACK_BYTES + (database.flips / 2) * FLIP_BYTES
  const figures = `at most ${mebibytes(second.mainBytes)} in the second quarter, ${mebibytes(last.mainBytes)} in the last`
  const what = 'the file levels off'
  if (plan.seconds / 4 < LEVEL_QUARTER_SECONDS) {
    return { what, holds: null, detail: `${figures}; told from ${(4 * LEVEL_QUARTER_SECONDS) / 60} minutes on` }
  }
  return { what, holds: last.mainBytes <= allowed, detail: `${figures}; ${mebibytes(allowed)} is allowed` }
}

function logLine({ plan, database }: Soak): Line {
  const bound = entryBound(plan)
  const what = 'logs are cut to their limit'
  const figures = `${database.logEntries} entries at the end of at most ${bound}`
  if (plan.pings <= bound) return { what, holds: null, detail: `${figures}; told when there are more pings than that` }
  return { what, holds: database.logEntries <= bound, detail: figures }
}

function boundLine(soak: Soak): Line {
  const bound = sizeBound(soak)
  const highest = Math.max(soak.database.bytes, ...soak.samples.map(({ mainBytes }) => mainBytes))
  return {
    what: 'the file keeps within what limits and flips allow',
    holds: highest <= bound,
    detail: `${mebibytes(highest)} of at most ${mebibytes(bound)}; ${mebibytes(soak.database.freeBytes)} of it free at the end`,
  }
}

function walLine({ samples }: Soak): Line {
  const highest = Math.max(...samples.map(({ walBytes }) => walBytes))
  return {
    what: 'checkpoints bound the write-ahead log',
    // A checkpoint begins beyond the limit, and what is committed while it waits for a reader comes on top.
    holds: highest <= SLACK * WAL_BYTES,
    detail: `${mebibytes(highest)} of at most ${mebibytes(SLACK * WAL_BYTES)}`,
  }
}

function tooFewSamples({ samples }: Soak): Line {
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
