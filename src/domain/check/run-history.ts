/**
 * The run history: results of a check's last 30 runs, newest last. The ping that ends a run updates it, so that a list of checks doesn't
 * have to read logs. One byte encodes a run's result, and an optional second byte says how many times that result was repeated. Most jobs
 * don't report their starts, so their histories need only a few bytes. Size matters because every commit writes the histories of all checks
 * that it changes.
 */

/** An entry in the history. `missing`: an expected run did not happen. `paused`: a single entry for all runs during a pause. */
export interface RunMark {
  readonly kind: 'ok' | 'late' | 'failed' | 'missing' | 'paused' | 'running'
  /** microseconds, accurate to within 10 %; null if unknown, and always null unless the result is `ok` or `late` */
  readonly duration: number | null
}

export const RUNS_KEPT = 30

const MISSING = 0
const FAILED = 1
const PAUSED = 2
/** First byte for each of the two results that include a duration. Each has a range of bytes, one per duration step. */
const OK = 3
const LATE = 115
/** Byte that repeats the previous entry once. Each higher byte repeats it once more. */
const AGAIN = 227

/** Number of steps for durations, from ten milliseconds to 30 days. Each step is 19 % longer than the one before. Step 0 means unknown. */
const STEPS = LATE - OK - 1
const SHORTEST = 10_000
const LONGEST = 30 * 86_400_000_000
const GROWTH = Math.log(LONGEST / SHORTEST) / (STEPS - 1)
/** Maximum ratio between a stored duration and the actual one. */
export const INEXACTNESS = Math.exp(GROWTH / 2)

/** A run that ended with a success or a failure. */
export interface EndedRun {
  readonly kind: 'ok' | 'late' | 'failed'
  /** microseconds; null if unknown */
  readonly duration: number | null
  /** number of expected runs that did not happen before this one */
  readonly missed: number
}

export function recordRun(runs: Uint8Array, { kind, duration, missed }: EndedRun): Uint8Array {
  const byte = kind === 'failed' ? FAILED : (kind === 'ok' ? OK : LATE) + stepOf(duration)
  return append(runs, missed, byte)
}

/** @param missed number of expected runs that did not happen before the pause */
export function recordPause(runs: Uint8Array, missed = 0): Uint8Array {
  return append(runs, missed, PAUSED)
}

/** Whether the newest entry is a pause, so no run has ended since. */
export function endsWithPause(runs: Uint8Array): boolean {
  return lastMark(runs) === PAUSED
}

/** Whether the last run succeeded, with an unknown duration. */
export function endsUntimed(runs: Uint8Array): boolean {
  const last = lastMark(runs)
  return last === OK || last === LATE
}

function lastMark(runs: Uint8Array): number | undefined {
  const last = runs[runs.length - 1]
  return last === undefined || last < AGAIN ? last : runs[runs.length - 2]
}

function append(runs: Uint8Array, missed: number, last: number): Uint8Array {
  // The history of a job that has always succeeded.
  if (missed === 0 && runs.length === 2 && runs[0] === last && runs[1] === AGAIN + RUNS_KEPT - 2) return runs
  const marks = unpacked(runs)
  for (let count = 0; count < Math.min(missed, RUNS_KEPT); count++) marks.push(MISSING)
  marks.push(last)
  return packed(marks, Math.max(0, marks.length - RUNS_KEPT))
}

// Indexed loops are used because this code runs for every ping.
function unpacked(runs: Uint8Array): number[] {
  const marks: number[] = []
  let mark = MISSING
  for (let index = 0; index < runs.length; index++) {
    const byte = runs[index] ?? MISSING
    if (byte < AGAIN) mark = byte
    const times = byte < AGAIN ? 1 : byte - AGAIN + 1
    for (let count = 0; count < times; count++) marks.push(mark)
  }
  return marks
}

const PACKING = new Uint8Array(RUNS_KEPT)

/** @param from index of the first entry to keep; at most {@link RUNS_KEPT} entries follow */
function packed(marks: readonly number[], from: number): Uint8Array {
  let length = 0
  let again = 0
  for (let index = from; index < marks.length; index++) {
    const isSame = index > from && marks[index] === marks[index - 1]
    again = isSame ? again + 1 : 0
    if (again > 1) length -= 1
    PACKING[length] = isSame ? AGAIN + again - 1 : (marks[index] ?? MISSING)
    length += 1
  }
  return PACKING.slice(0, length)
}

function stepOf(duration: number | null): number {
  if (duration === null) return 0
  const step = 1 + Math.round(Math.log(Math.max(duration, SHORTEST) / SHORTEST) / GROWTH)
  return Math.min(step, STEPS)
}

/** Whether the history stores two durations as the same value. */
export function isSameStep(duration: number, other: number): boolean {
  return stepOf(duration) === stepOf(other)
}

const MARKS: readonly RunMark[] = Array.from({ length: AGAIN }, (_, byte) => markOf(byte))

function markOf(byte: number): RunMark {
  if (byte < OK) return { kind: byte === MISSING ? 'missing' : byte === FAILED ? 'failed' : 'paused', duration: null }
  const kind = byte < LATE ? 'ok' : 'late'
  const step = byte - (kind === 'ok' ? OK : LATE)
  return { kind, duration: step === 0 ? null : Math.round(SHORTEST * Math.exp((step - 1) * GROWTH)) }
}

/** Converts bytes in any valid form to the form that {@link recordRun} writes, keeping the last {@link RUNS_KEPT} entries. */
export function packedRuns(runs: Uint8Array): Uint8Array {
  const marks = unpacked(runs.subarray(-RUNS_KEPT))
  return packed(marks, Math.max(0, marks.length - RUNS_KEPT))
}

/** Returns the entries in a history, newest last. */
export function runMarks(runs: Uint8Array): RunMark[] {
  const marks: RunMark[] = []
  for (const byte of unpacked(runs)) {
    const mark = MARKS[byte]
    if (mark) marks.push(mark)
  }
  return marks
}
