/** Parses time zones in options, and formats times in results. */
import { canonicalTimeZone } from '../domain/schedule/time-zones.ts'
import { type Instant, isoSeconds } from '../lib/time.ts'
import { optionError } from './usage.ts'

/** @returns the canonical name. @throws Refusal `option-invalid` */
export function readZone(name: string): string {
  const zone = canonicalTimeZone(name)
  if (zone === null) throw optionError(`unknown time zone "${name}"`, 'use an IANA name such as Europe/Riga')
  return zone
}

export function timeOrNull(instant: Instant | null): string | null {
  return instant === null ? null : isoSeconds(instant)
}
