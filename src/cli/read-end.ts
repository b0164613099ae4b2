/** Reads `--for` and `--until` of `end-option.ts`, which help and completion load, and `--from` of silences. */
import { addSeconds, type Instant, Temporal } from '../lib/time.ts'
import { spanSeconds } from './check/spec.ts'
import type { Values } from './command.ts'
import { END_HELP } from './end-option.ts'
import { optionError } from './usage.ts'

/** @param start time from which `--for` counts @returns null if neither is given @throws Refusal `option-invalid` */
export function readEnd({ for: span, until }: Values, start: Instant): Instant | null {
  if (span !== undefined && until !== undefined) throw optionError('--for and --until: use only one', END_HELP)
  if (span !== undefined) return addSeconds(start, readFor(String(span)))
  return until === undefined ? null : readTime('until', String(until))
}

/** Returns the seconds of `--for`. @throws Refusal `option-invalid` */
export function readFor(text: string): number {
  const seconds = spanSeconds(text)
  if (typeof seconds === 'number' && seconds <= SECONDS_MAX) return seconds
  throw optionError(`--for ${text} is not valid`, 'use a span such as 20m, 2h or 1d')
}

/** Maximum span, in seconds. Callers have lower limits, but a time too far ahead would not be a valid instant. */
const SECONDS_MAX = 1_000_000_000

/** Returns the time of an option. @throws Refusal `option-invalid` */
export function readTime(option: 'from' | 'until', text: string): Instant {
  try {
    return Temporal.Instant.from(text)
  } catch {
    throw optionError(`--${option} ${text} is not valid`, 'use a time with its zone, such as 2026-11-17T03:00Z')
  }
}
