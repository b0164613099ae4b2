/** A check's slots in a night, and what happened in each of them. All times are milliseconds since 1970. */
import type { Check } from '../check/check.ts'
import type { PlotRun } from '../rhythm-plot/facts.ts'
import { nextMilliseconds } from '../schedule/schedule.ts'
import type { Stretch } from '../stretch.ts'
import { HOUR } from '../units.ts'

/**
 * The outcome of a slot. `open`: it is not due yet, or its grace time has not ended. `unwatched`: no run was expected, or the run is no
 * longer in the log.
 */
type SlotOutcome = PlotRun['kind'] | 'open' | 'unwatched'

export interface NightSlot {
  readonly at: number
  readonly outcome: SlotOutcome
  /** the slot's run: the first one that succeeded, or the last one that failed if none succeeded; null if there was no run */
  readonly run: PlotRun | null
}

/** Maximum number of slots per row. A reader couldn't take in more. */
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
    // A success within the period replaces the failure that preceded it.
    const isRepeat: boolean = failed?.run != null && isGood(run) && run.began < failed.run.ended + period
    const slot: NightSlot = { at: isRepeat && failed ? failed.at : planned, outcome: run.kind, run: cameOf(run) }
    if (isRepeat) slots.pop()
    slots.push(slot)
    failed = run.kind === 'failed' ? slot : null
  }
  if (expected !== null && expected > (slots.at(-1)?.at ?? 0)) slots.push(...openSlots(expected, period, window))
  return slots.filter(({ at }) => at >= window.from && at < window.until).slice(-SLOTS)
}

/** Returns the open slot and the slots that would follow if every run happened on time. */
function openSlots(expected: number, period: number, { from, until }: Stretch): readonly NightSlot[] {
  const slots: NightSlot[] = [{ at: expected, outcome: 'open', run: null }]
  // Jobs that run all the time are drawn without slots.
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
 * Returns a schedule's times in the window, followed by the next time after the window, or infinity if there is none. Empty if the schedule
 * or the zone is invalid.
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
