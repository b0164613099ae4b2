/** The next runs of a schedule in up to three zones, and what the changes of clocks do to it. */
import type { ReplayTiming } from '../../../../../domain/preview/replay.ts'
import { type Instant, isBefore } from '../../../../../lib/time.ts'
import type { SchedulePreview } from '../../../../../services/advice/schedule-preview.ts'
import { type Html, html } from '../../../html.ts'
import { createClock, timeTag } from '../../../parts/words/clock.ts'
import { shown } from '../../../parts/words/text.ts'
import { relativeTime } from '../../../parts/words/times.ts'

/** Nanoseconds. */
const HOUR = 3.6e12

interface ExpectedRuns {
  readonly timing: ReplayTiming
  readonly preview: Pick<SchedulePreview, 'next' | 'clockChanges' | 'afterChange'>
  readonly now: Instant
  /** of the reader's account, IANA name */
  readonly tz: string
}

interface Column {
  readonly heading: string
  readonly zone: string
  /** one for each run */
  readonly times: readonly string[]
}

/** Null when no run is ahead. */
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

/** The run after a change of clocks is the last, when it is not among the next ones. */
function withRunAfterChange({ next, afterChange }: ExpectedRuns['preview']): readonly Instant[] {
  const last = next.at(-1)
  return last && afterChange && isBefore(last, afterChange) ? [...next, afterChange] : next
}

/** `clocks +1 h` below the time; null if they did not change since the run before. */
function changeWords(zone: string, before: Instant, at: Instant): Html | null {
  const offset = (instant: Instant) => instant.toZonedDateTimeISO(zone).offsetNanoseconds
  const hours = (offset(at) - offset(before)) / HOUR
  return hours === 0 ? null : html` <small>clocks ${hours > 0 ? '+' : '−'}${Math.abs(hours)} h</small>`
}

/** The check's zone, UTC and the reader's; one of those whose clocks show the same at all runs. Whole names of zones leave no room on a phone. */
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

/** Time without its day, where that is the one beside it. */
function timesBeside(next: readonly Instant[], now: Instant, own: string, zone: string): readonly string[] {
  const [here, there] = [createClock(now, own), createClock(now, zone)]
  return next.map((at) => (here.day(at) === there.day(at) ? there.time(at) : dayAndTime(at, zone)))
}

/** Without the year, which the first cell of the row has where it is another one: `Wed 18 Nov, 03:30` */
function dayAndTime(at: Instant, zone: string): string {
  return createClock(at, zone).weekdayTime(at)
}

/** `Europe/Riga` is Riga, `America/Argentina/Buenos_Aires` is Buenos Aires. */
function placeOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')
}
