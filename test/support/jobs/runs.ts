/** Runs of a job, and the pings that they send. */
import type { AdvisedPing } from '../../../src/domain/advice/facts.ts'
import { nextMilliseconds } from '../../../src/domain/schedule/schedule.ts'
import type { SeededRandom } from '../seeded-random.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A run that begins at a time and ends some seconds later. All times are milliseconds since 1970. */
export interface Run {
  readonly at: number
  readonly seconds: number
  /** `dies` after its start: its end is never sent */
  readonly outcome: 'success' | 'fail' | 'dies'
  readonly by: Sender
  readonly lastLine: string | null
}

export type Sender = Pick<AdvisedPing, 'sender' | 'userAgent' | 'method'>

export const CURL: Sender = { sender: '10.0.0.5', userAgent: 'curl/8.5.0', method: 'GET' }
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'
/** "Ping now" on the page of a check. */
export const PAGE: Sender = { sender: '10.0.0.99', userAgent: FIREFOX, method: 'POST' }

export interface Signals {
  readonly starts?: boolean
  readonly runIds?: boolean
}

export function aRun(at: number, given: Partial<Omit<Run, 'at'>> = {}): Run {
  return { at, seconds: 0, outcome: 'success', by: CURL, lastLine: null, ...given }
}

/** Returns the times of a schedule, as the job's own scheduler reads it. */
export function slotsOf(schedule: string, tz: string, from: number, until: number): number[] {
  const slots: number[] = []
  for (let slot = nextMilliseconds(schedule, tz, from); slot !== null && slot <= until; ) {
    slots.push(slot)
    slot = nextMilliseconds(schedule, tz, slot)
  }
  return slots
}

/** Returns the multiples of a distance: the times of a job with a fixed interval. */
export function everySoOften(distance: number, from: number, until: number): number[] {
  const first = Math.ceil(from / distance)
  const count = Math.max(0, Math.floor(until / distance) - first + 1)
  return Array.from({ length: count }, (_, index) => (first + index) * distance)
}

/** A ping that is no run: an ignored one, or a note. */
export function aPing(at: number, given: Partial<Omit<AdvisedPing, 'at'>> = {}): AdvisedPing {
  const unknown = { duration: null, runId: null, ignoredBy: null, lastLine: null }
  return { at, kind: 'success', ...unknown, ...CURL, ...given }
}

/** Returns the pings of runs, oldest first, with the durations that the server would measure. */
export function pingsOf(runs: readonly Run[], random: SeededRandom, signals: Signals = {}): AdvisedPing[] {
  const pings = runs.flatMap((run) => signalsOf(run, random, signals)).sort((one, other) => one.at - other.at)
  return timed(pings)
}

function signalsOf({ at, seconds, outcome, by, lastLine }: Run, random: SeededRandom, signals: Signals): AdvisedPing[] {
  const runId = signals.runIds ? aRunId(random) : null
  const start = aPing(Math.round(at), { ...by, kind: 'start', runId })
  const sent = signals.starts ? [start] : []
  if (outcome === 'dies') return sent
  return [...sent, aPing(Math.round(at + seconds * SECOND), { ...by, kind: outcome, runId, lastLine })]
}

/** Adds durations. A start without a run id belongs to the next end, and a later start replaces it. */
function timed(pings: readonly AdvisedPing[]): AdvisedPing[] {
  const pending = new Map<string | null, number>()
  return pings.map((ping) => {
    const { at, kind, runId } = ping
    if (kind === 'start') pending.set(runId, at)
    if (kind !== 'success' && kind !== 'fail') return ping
    const began = pending.get(runId)
    pending.delete(runId)
    return began === undefined ? ping : { ...ping, duration: (at - began) / SECOND }
  })
}

function aRunId(random: SeededRandom): string {
  const digits = Array.from({ length: 30 }, () => random.integer(15).toString(16)).join('')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-a${digits.slice(15, 18)}-${digits.slice(18)}`
}
