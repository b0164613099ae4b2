/** A check's slots during a night, and the outcome of each slot. All times are milliseconds since 1970. */
import type { Check } from '../check/check.ts'
import type { PlotRun } from '../rhythm-plot/facts.ts'
import { nextMilliseconds } from '../schedule/schedule.ts'
import type { Stretch } from '../stretch.ts'
import { HOUR } from '../units.ts'

/**
 * The outcome of a slot. `open`: the slot is not due yet, or its grace time has not ended. `unwatched`: no run was expected, or the run is
 * no longer in the log.
 */
type SlotOutcome = PlotRun['kind'] | 'open' | 'unwatched'

export interface NightSlot {
  readonly at: number
  readonly outcome: SlotOutcome
  /** the slot's run: the first one that succeeded or, if none succeeded, the last one that failed; null if there was no run */
  readonly run: PlotRun | null
}

/** Maximum number of slots per row. More would be unreadable. */
const SLOTS = 1_000

/**
 * Returns the slots in the window, oldest first.
 * @param runs the check's runs, oldest first, including those before and after the window
 * @param expected time of the next expected run; null if none is expected
 */
export function slotsOf(check: Check, runs: readonly PlotRun[], expected: number | null, window: Stretch, now: number) {
  return check.kind === 'simple' ? periods(check, runs, expected, window) : occurrences(check, runs, window, now)
}

/** Returns a simple check's slots. Each run is expected one period after the previous one. */
function periods(
  check: Check,
  runs: readonly PlotRun[],
  expected: number | null,
  window: Stretch,
): readonly NightSlot[] {
  const period = check.timeoutSeconds * 1_000
  const slots: NightSlot[] = []
  let ended: number | null = null
  let failed: NightSlot | null = null
  for (const run of runs) {
    const planned: number = run.due ?? (ended === null ? run.began : Math.min(run.began, ended + period))
    if (run.kind !== 'missing') ended = run.ended
    // If a success follows within one period, it replaces the failure.
    const isRepeat: boolean = failed?.run != null && isGood(run) && run.began < failed.run.ended + period
    const slot: NightSlot = { at: isRepeat && failed ? failed.at : planned, outcome: run.kind, run: cameOf(run) }
    if (isRepeat) slots.pop()
    slots.push(slot)
    failed = run.kind === 'failed' ? slot : null
  }
  if (expected !== null && expected > (slots.at(-1)?.at ?? 0)) slots.push(...openSlots(expected, period, window))
  return slots.filter(({ at }) => at >= window.from && at < window.until).slice(-SLOTS)
}

/** Returns the open slot, and the slots that will follow if every run happens on time. */
function openSlots(expected: number, period: number, { from, until }: Stretch): readonly NightSlot[] {
  const slots: NightSlot[] = [{ at: expected, outcome: 'open', run: null }]
  // Jobs that run more than once an hour are drawn without slots.
  if (period < HOUR) return slots
  const next = expected + Math.max(1, Math.ceil((from - expected) / period)) * period
  for (let at = next; at < until && slots.length < SLOTS; at += period) {
    slots.push({ at, outcome: 'open', run: null })
  }
  return slots
}

function occurrences({ schedule, tz, graceSeconds }: Check, runs: readonly PlotRun[], window: Stretch, now: number) {
  const times = timesBetween(schedule, tz, window)
  const answers = new Map<number, PlotRun[]>()
  let place = 0
  for (const run of runs) {
    const at = run.due ?? run.began
    while (place + 1 < times.length && (times[place + 1] ?? 0) <= at) place += 1
    const time = times[place]
    if (time === undefined || time > at || place === times.length - 1) continue
    answers.set(time, [...(answers.get(time) ?? []), run])
  }
  return times.slice(0, -1).map((at): NightSlot => {
    const found = answers.get(at) ?? []
    const run = found.find(isGood) ?? found.findLast(({ kind }) => kind === 'failed')
    if (run) return { at, outcome: run.kind, run }
    if (found.length > 0) return { at, outcome: 'missing', run: null }
    return { at, outcome: now < at + graceSeconds * 1_000 ? 'open' : 'unwatched', run: null }
  })
}

/**
 * Returns a schedule's times within the window, followed by the first one after the window, or by infinity if there is none. Returns an
 * empty list if the schedule or the zone is invalid.
 */
export function timesBetween(schedule: string, tz: string, { from, until }: Stretch): readonly number[] {
  const times: number[] = []
  try {
    let at: number | null = nextMilliseconds(schedule, tz, from - 1_000)
    while (at !== null && at < until && times.length < SLOTS) {
      times.push(at)
      at = nextMilliseconds(schedule, tz, at)
    }
    return [...times, at ?? Number.POSITIVE_INFINITY]
  } catch {
    return []
  }
}

export function isGood({ kind }: PlotRun): boolean {
  return kind === 'ran' || kind === 'slow' || kind === 'late'
}

function cameOf(run: PlotRun): PlotRun | null {
  return run.kind === 'missing' ? null : run
}
