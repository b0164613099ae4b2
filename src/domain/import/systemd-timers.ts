/** Reads when a timer of systemd starts its service (systemd.timer(5)). */
import { type ProposedTiming, timingProblem } from './proposal.ts'
import { readSpanOfSystemd } from './systemd-span.ts'
import type { Unit } from './systemd-units.ts'

export interface ReadTimer {
  readonly timing: ProposedTiming
  /** how much later than planned it may start the service while the machine is on */
  readonly delaySeconds: number
  /** true: a run that was missed while the machine was off comes after its start */
  readonly isPersistent: boolean
  /** why its timing is so: sentences without the final stop */
  readonly why: readonly string[]
}

/** A problem is a sentence. @param zone of schedules that name none: IANA name */
export function readTimer(timer: Unit, zone: string): ReadTimer | string {
  const calendar = timer.get('Timer.OnCalendar')
  const timing = calendar.length > 0 ? { schedule: calendar.join('\n'), tz: zone } : periodOf(timer)
  if (typeof timing === 'string') return timing
  const problem = timingProblem(timing)
  if (problem !== null) return problem
  const delays = DELAYS.map(([name, usual]) => spanOf(timer, name) ?? usual)
  const isAlsoPeriodic = calendar.length > 0 && typeof periodOf(timer) !== 'string'
  return {
    timing,
    delaySeconds: Math.ceil(delays.reduce((sum, delay) => sum + delay, 0)),
    isPersistent: calendar.length > 0 && timer.isOn('Timer.Persistent'),
    why: isAlsoPeriodic ? ['the runs by OnUnitActiveSec come on top of the schedule'] : [],
  }
}

/** With their defaults, in seconds. */
const DELAYS = [
  ['AccuracySec', 60],
  ['RandomizedDelaySec', 0],
  ['RandomizedOffsetSec', 0],
] as const

/** Of several spans that all hold, the shortest is over first. */
function periodOf(timer: Unit): { readonly timeout: number } | string {
  const spans = ['OnUnitActiveSec', 'OnUnitInactiveSec']
    .flatMap((name) => timer.get(`Timer.${name}`))
    .map(readSpanOfSystemd)
    .filter((span) => span !== null)
  if (spans.length > 0) return { timeout: Math.round(Math.min(...spans)) }
  return 'It starts its service once after the machine or systemd has started, so no time can be expected.'
}

function spanOf(timer: Unit, name: string): number | null {
  const text = timer.last(`Timer.${name}`)
  return text === undefined ? null : readSpanOfSystemd(text)
}
