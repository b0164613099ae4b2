/** Instants as text, written by programs or typed by users. */
import { type Instant, isAtOrAfter, isBefore, Temporal } from '../lib/time.ts'
import { defineFormat, Text } from './schema.ts'

const INSTANT = /^(?:19[7-9]\d|2[01]\d\d)-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)$/
const FIRST = Temporal.Instant.from('1970-01-01T00:00:00Z')
const END = Temporal.Instant.from('2200-01-01T00:00:00Z')

defineFormat('instant', (text) => INSTANT.test(text) && isInstant(text))

function isInstant(text: string): boolean {
  try {
    return isWritable(Temporal.Instant.from(text))
  } catch {
    return false
  }
}

/** Whether an instant written in UTC is a valid {@link InstantText}, because it is in the years 1970 to 2199. */
export function isWritable(instant: Instant): boolean {
  return isAtOrAfter(instant, FIRST) && isBefore(instant, END)
}

/** ISO 8601 with up to six decimal places, such as `2026-11-16T04:09:12.345678Z`. */
export const InstantText = Text({ format: 'instant', means: 'an instant such as 2026-11-16T04:09:12Z' })
