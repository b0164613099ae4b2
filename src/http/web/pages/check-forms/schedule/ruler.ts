/**
 * A ruler for a schedule. It shows that the check is up until a run is due, late but without alerts during the grace time, and then down
 * with alerts.
 */

import { periodInWords } from '../../../../../domain/duration.ts'
import type { ReplayTiming } from '../../../../../domain/preview/replay.ts'
import { addSeconds, type Instant } from '../../../../../lib/time.ts'
import type { SchedulePreview } from '../../../../../services/advice/schedule-preview.ts'
import { type Html, html } from '../../../html.ts'
import { type Clock, createClock } from '../../../parts/words/clock.ts'

interface Ruled {
  readonly timing: ReplayTiming
  readonly preview: Pick<SchedulePreview, 'next'>
  readonly lastRun: Instant | null
  readonly now: Instant
  /** IANA time zone from the reader's account settings */
  readonly tz: string
}

/** Labels for the three marks, and a description of the entire ruler. */
interface Marks {
  readonly label: string
  readonly ping: string
  readonly due: string
  readonly alert: string
}

/** Returns null if the schedule has no further runs. */
export function ruler(ruled: Ruled): Html | null {
  const marks = marksOf(ruled)
  if (marks === null) return null
  const { label, ping, due, alert } = marks
  return html`<div class="body"><div class="ruler" role="img" aria-label="Timeline: ${label}, then down"><span>up</span><span>late, quiet</span><span>down, alerts</span><i class="up"></i><i class="late"></i><i class="down"></i><span>${ping}</span><b>${due}</b><b>${alert}</b></div></div>`
}

/** Returns times of day. If the schedule is a period and no ping has arrived yet, returns durations. */
function marksOf({ timing, preview, lastRun, now, tz }: Ruled): Marks | null {
  const [due] = preview.next
  if (due === undefined) return null
  const { kind, timeoutSeconds, graceSeconds } = timing
  if (kind !== 'simple') return between(createClock(now, timing.tz), 'ping', due, graceSeconds)
  const clock = createClock(now, tz)
  const isCounted = lastRun !== null && addSeconds(lastRun, timeoutSeconds).equals(due)
  if (isCounted) {
    const isSameDay = clock.day(lastRun) === clock.day(due)
    return between(clock, isSameDay ? `ping ${clock.time(lastRun)}` : 'ping', due, graceSeconds)
  }
  const [period, grace] = [periodInWords(timeoutSeconds), periodInWords(graceSeconds)]
  return {
    label: `up for ${period} after a ping, late for ${grace}`,
    ping: 'ping',
    due: `+ ${period}`,
    alert: `+ ${grace}`,
  }
}

function between(clock: Clock, ping: string, due: Instant, graceSeconds: number): Marks {
  const end = addSeconds(due, graceSeconds)
  const isSameDay = clock.day(due) === clock.day(end)
  const [time, alert] = [clock.time(due), isSameDay ? clock.time(end) : clock.weekdayTime(end)]
  return { label: `${ping}, up, due ${time}, late until ${alert}`, ping, due: `${time} due`, alert }
}
