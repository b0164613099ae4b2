/** Instants as text, written by programs or typed by users. */
import { Temporal } from '../lib/time.ts'
import { defineFormat, Text } from './schema.ts'

const INSTANT = /^(?:19[7-9]\d|2[01]\d\d)-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)$/

defineFormat('instant', (text) => INSTANT.test(text) && isInstant(text))

function isInstant(text: string): boolean {
  try {
    Temporal.Instant.from(text)
    return true
  } catch {
    return false
  }
}

/** ISO 8601 with up to six decimal places, such as `2026-11-16T04:09:12.345678Z`. */
export const InstantText = Text({ format: 'instant', means: 'an instant such as 2026-11-16T04:09:12Z' })
