/** The lines of a log by days. */
import type { Instant, Temporal } from '../../lib/time.ts'

/** The lines of one day in a time zone. */
export interface TimelineDay<Line> {
  readonly day: Temporal.PlainDate
  readonly lines: readonly Line[]
}

/** @param lines newest first @param tz IANA name */
export function byDay<Line extends { readonly at: Instant }>(lines: readonly Line[], tz: string): TimelineDay<Line>[] {
  const days: { day: Temporal.PlainDate; lines: Line[] }[] = []
  for (const line of lines) {
    const day = line.at.toZonedDateTimeISO(tz).toPlainDate()
    const current = days.at(-1)
    if (current?.day.equals(day)) current.lines.push(line)
    else days.push({ day, lines: [line] })
  }
  return days
}
