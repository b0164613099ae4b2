/**
 * Reads the options `--for` and `--until` described in `end-option.ts`, and the option `--from` of silences. Help and completion load only
 * `end-option.ts`.
 */
import { isWritable } from '../domain/instant.ts'
import { addSeconds, type Instant, Temporal } from '../lib/time.ts'
import { spanSeconds } from './check/spec.ts'
import type { Values } from './command.ts'
import { END_HELP } from './end-option.ts'
import { optionError } from './usage.ts'

/** @param start time from which `--for` counts @returns null if neither option is given @throws Refusal `option-invalid` */
export function readEnd({ for: span, until }: Values, start: Instant): Instant | null {
  if (span !== undefined && until !== undefined) throw optionError('--for and --until: use only one', END_HELP)
  if (span !== undefined) return addSeconds(start, readFor(String(span)))
  return until === undefined ? null : readTime('until', String(until))
}

/** Returns the value of `--for` in seconds. @throws Refusal `option-invalid` */
export function readFor(text: string): number {
  const seconds = spanSeconds(text)
  if (typeof seconds === 'number' && seconds <= SECONDS_MAX) return seconds
  throw optionError(`--for ${text} is not valid`, 'use a span such as 20m, 2h or 1d')
}

/** Maximum span, in seconds. Callers enforce lower limits; this limit only prevents a time too far ahead to be a valid instant. */
const SECONDS_MAX = 1_000_000_000

/** Parses the time given with an option. @throws Refusal `option-invalid` */
export function readTime(option: 'from' | 'until', text: string): Instant {
  const time = instantOrNull(text)
  if (time !== null && isWritable(time)) return time
  throw optionError(`--${option} ${text} is not valid`, 'use a time with its zone, such as 2026-11-17T03:00Z')
}

function instantOrNull(text: string): Instant | null {
  try {
    return Temporal.Instant.from(text)
  } catch {
    return null
  }
}
