/** A schedule's next runs in up to three time zones, including the effect of clock changes. */
import type { ReplayTiming } from '../../../../../domain/preview/replay.ts'
import { type Instant, isBefore } from '../../../../../lib/time.ts'
import type { SchedulePreview } from '../../../../../services/advice/schedule-preview.ts'
import { type Html, html } from '../../../html.ts'
import { createClock, timeTag } from '../../../parts/words/clock.ts'
import { shown } from '../../../parts/words/text.ts'
import { relativeTime } from '../../../parts/words/times.ts'

/** One hour, in nanoseconds. */
const HOUR = 3.6e12

interface ExpectedRuns {
  readonly timing: ReplayTiming
  readonly preview: Pick<SchedulePreview, 'next' | 'clockChanges' | 'afterChange'>
  readonly now: Instant
  /** IANA time zone from the reader's account settings */
  readonly tz: string
}

interface Column {
  readonly heading: string
  readonly zone: string
  /** the time of each run, as shown */
  readonly times: readonly string[]
}

/** Returns null if the schedule has no further runs. */
export function nextRuns({ timing, preview, now, tz }: ExpectedRuns): Html | null {
  const { clockChanges } = preview
  const next = withRunAfterChange(preview)
  if (next.length === 0) return null
  const columns = columnsOf(timing, next, now, tz)
  const rows = next.map(
    (at, index) =>
      html`<tr><th scope="row">${relativeTime(at, now, tz)}</th>${columns.map(({ times, zone }) => html`<td>${timeTag(at, times[index] ?? '', zone)}${changeWords(zone, next[index - 1] ?? now, at)}</td>`)}</tr>`,
  )
  const changes = clockChanges.map(({ words }) => html`<p class="help">${shown(words)}</p>`)
  return html`<div class="body"><div class="scroll" tabindex="0" role="region" aria-label="Next runs"><table class="ahead"><thead><tr><th scope="col">Next runs</th>${columns.map(({ heading }) => html`<th scope="col">${heading}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>${changes}</div>`
}

/** Returns the next runs. If they do not include the first run after a clock change, that run is appended. */
function withRunAfterChange({ next, afterChange }: ExpectedRuns['preview']): readonly Instant[] {
  const last = next.at(-1)
  return last && afterChange && isBefore(last, afterChange) ? [...next, afterChange] : next
}

/** Renders a note such as `clocks +1 h` to show below the time; null if the clocks have not changed since the previous run. */
function changeWords(zone: string, before: Instant, at: Instant): Html | null {
  const offset = (instant: Instant) => instant.toZonedDateTimeISO(zone).offsetNanoseconds
  const hours = (offset(at) - offset(before)) / HOUR
  return hours === 0 ? null : html` <small>clocks ${hours > 0 ? '+' : '−'}${Math.abs(hours)} h</small>`
}

/**
 * Returns columns for the check's time zone, UTC and the reader's zone. If several zones have the same local time at every run, only one of
 * them is included. Long zone names would not fit on a phone.
 */
function columnsOf(timing: ReplayTiming, next: readonly Instant[], now: Instant, tz: string): readonly Column[] {
  const own = timing.kind === 'simple' ? tz : timing.tz
  const main: Column = { heading: placeOf(own), zone: own, times: next.map((at) => dayAndTime(at, own)) }
  const others = [
    { heading: 'UTC', zone: 'UTC' },
    { heading: `You, ${placeOf(tz)}`, zone: tz },
  ]
  const seen = new Set([readings(next, now, own)])
  const more = others.flatMap(({ heading, zone }): Column[] => {
    const reading = readings(next, now, zone)
    if (seen.has(reading)) return []
    seen.add(reading)
    return [{ heading, zone, times: timesBeside(next, now, own, zone) }]
  })
  return [main, ...more]
}

function readings(next: readonly Instant[], now: Instant, zone: string): string {
  const { day, time } = createClock(now, zone)
  return next.map((at) => `${day(at)} ${time(at)}`).join()
}

/** Returns the formatted times of the runs. A time's day is omitted if it is the same as in the first column. */
function timesBeside(next: readonly Instant[], now: Instant, own: string, zone: string): readonly string[] {
  const [here, there] = [createClock(now, own), createClock(now, zone)]
  return next.map((at) => (here.day(at) === there.day(at) ? there.time(at) : dayAndTime(at, zone)))
}

/** Returns a time such as `Wed 18 Nov, 03:30`. The year is omitted, because the row's first cell shows it if necessary. */
function dayAndTime(at: Instant, zone: string): string {
  return createClock(at, zone).weekdayTime(at)
}

/** Returns the city from a zone's name, such as Riga for `Europe/Riga`, or Buenos Aires for `America/Argentina/Buenos_Aires`. */
function placeOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')
}
