/** The next runs of a schedule in up to three zones, and what the changes of clocks do to it. */
import type { ReplayTiming } from '../../../../../domain/preview/replay.ts'
import type { Instant } from '../../../../../lib/time.ts'
import type { SchedulePreview } from '../../../../../services/advice/schedule-preview.ts'
import { type Html, html } from '../../../html.ts'
import { createClock, timeTag } from '../../../parts/words/clock.ts'
import { shown } from '../../../parts/words/text.ts'
import { relativeTime } from '../../../parts/words/times.ts'

interface ExpectedRuns {
  readonly timing: ReplayTiming
  readonly preview: Pick<SchedulePreview, 'next' | 'clockChanges'>
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
  const { next, clockChanges } = preview
  if (next.length === 0) return null
  const columns = columnsOf(timing, next, now, tz)
  const rows = next.map(
    (at, index) =>
      html`<tr><th scope="row">${relativeTime(at, now, tz)}</th>${columns.map(({ times, zone }) => html`<td>${timeTag(at, times[index] ?? '', zone)}</td>`)}</tr>`,
  )
  const changes = clockChanges.map(({ words }) => html`<p class="help">${shown(words)}</p>`)
  return html`<div class="body"><div class="scroll" tabindex="0" role="region" aria-label="Next runs"><table class="ahead"><thead><tr><th scope="col">Next runs</th>${columns.map(({ heading }) => html`<th scope="col">${heading}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>${changes}</div>`
}

/** The check's zone, UTC and the reader's; one of those whose clocks show the same at all runs. Whole names of zones leave no room on a phone. */
function columnsOf(timing: ReplayTiming, next: readonly Instant[], now: Instant, tz: string): readonly Column[] {
  const own = timing.kind === 'simple' ? tz : timing.tz
  const main: Column = { heading: placeOf(own), zone: own, times: next.map(createClock(now, own).weekdayTime) }
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
  return next.map((at) => (here.day(at) === there.day(at) ? there.time(at) : there.weekdayTime(at)))
}

/** `Europe/Riga` is Riga, `America/Argentina/Buenos_Aires` is Buenos Aires. */
function placeOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')
}
