/**
 * The run history: how the last 30 runs of a check went, one byte each, newest last. The ping that ends a run records it, so that a
 * list of checks needs no log.
 */

/** A run that is missing was expected and did not happen. A pause stands for all runs that it kept away. */
export interface RunMark {
  readonly kind: 'ok' | 'late' | 'failed' | 'missing' | 'paused' | 'running'
  /** microseconds, exact to a tenth; null when unknown, and for all but `ok` and `late` */
  readonly duration: number | null
}

export const RUNS_KEPT = 30

const MISSING = 0
const FAILED = 1
const PAUSED = 2
/** Each of these two is followed by as many bytes as there are durations. */
const OK = 3
const LATE = 129

/** Durations have 125 steps from a millisecond to 30 days, each 19 % longer than the one before. Step 0: unknown. */
const STEPS = 125
const SHORTEST = 1_000
const LONGEST = 30 * 86_400_000_000
const GROWTH = Math.log(LONGEST / SHORTEST) / (STEPS - 1)

/** A run that a success or a failure has ended. */
export interface EndedRun {
  readonly kind: 'ok' | 'late' | 'failed'
  /** microseconds; null when unknown */
  readonly duration: number | null
  /** how many runs before it were expected and did not happen */
  readonly missed: number
}

export function recordRun(runs: Uint8Array, { kind, duration, missed }: EndedRun): Uint8Array {
  const byte = kind === 'failed' ? FAILED : (kind === 'ok' ? OK : LATE) + stepOf(duration)
  return append(runs, missed, byte)
}

/** @param missed how many runs before the pause were expected and did not happen */
export function recordPause(runs: Uint8Array, missed = 0): Uint8Array {
  return append(runs, missed, PAUSED)
}

/** Whether no run has ended since a pause. */
export function endsWithPause(runs: Uint8Array): boolean {
  return runs.at(-1) === PAUSED
}

/** The new array has zeros, which are missing runs. */
function append(runs: Uint8Array, missed: number, last: number): Uint8Array {
  const added = Math.min(RUNS_KEPT, missed + 1)
  const kept = Math.min(runs.length, RUNS_KEPT - added)
  const result = new Uint8Array(kept + added)
  for (let index = 0; index < kept; index++) result[index] = runs[runs.length - kept + index] ?? MISSING
  result[kept + added - 1] = last
  return result
}

function stepOf(duration: number | null): number {
  if (duration === null) return 0
  const step = 1 + Math.round(Math.log(Math.max(duration, SHORTEST) / SHORTEST) / GROWTH)
  return Math.min(step, STEPS)
}

const MARKS: readonly RunMark[] = Array.from({ length: LATE + STEPS + 1 }, (_, byte) => markOf(byte))

function markOf(byte: number): RunMark {
  if (byte < OK) return { kind: byte === MISSING ? 'missing' : byte === FAILED ? 'failed' : 'paused', duration: null }
  const kind = byte < LATE ? 'ok' : 'late'
  const step = byte - (kind === 'ok' ? OK : LATE)
  return { kind, duration: step === 0 ? null : Math.round(SHORTEST * Math.exp((step - 1) * GROWTH)) }
}

const UNKNOWN: RunMark = { kind: 'ok', duration: null }

/** Newest last. */
export function runMarks(runs: Uint8Array): RunMark[] {
  return Array.from(runs, (byte) => MARKS[byte] ?? UNKNOWN)
}
