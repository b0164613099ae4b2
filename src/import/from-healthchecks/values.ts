/**
 * Parses the values of Healthchecks' columns. Their text depends on the database engine. In SQLite, Django writes the text. In PostgreSQL,
 * the text is the result of a cast or of `COPY`.
 */
import { storable } from '../../lib/text/text.ts'
import { fromMicroseconds, type Instant } from '../../lib/time.ts'
import type { SourceRow } from './tables.ts'

type Cell = SourceRow[string]

/** @returns '' if there is no value */
export function textOf(cell: Cell): string {
  return storable(cell ?? '')
}

/** Truncates the text to at most `characters`. */
export function cut(text: string, characters: number): string {
  return text.length <= characters ? text : [...text].slice(0, characters).join('')
}

/** Parses a UUID with or without hyphens. @returns the UUID in lower case with hyphens; null for anything else */
export function uuidOf(cell: Cell): string | null {
  const digits = (cell ?? '').replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(digits)) return null
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** @returns null if the value is not a safe integer */
export function integerOf(cell: Cell): number | null {
  const number = Number(cell ?? '')
  return /^-?\d+$/.test(cell ?? '') && Number.isSafeInteger(number) ? number : null
}

/** Returns true for `1`, `t` and `true`. */
export function flagOf(cell: Cell): boolean {
  return cell === '1' || cell === 't' || cell === 'true'
}

const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:Z|([+-])(\d\d)(?::?(\d\d)(?::?(\d\d))?)?)?$/

/**
 * Parses a time such as `2026-05-04 10:00:13.721545`, which is in UTC unless an offset follows. @returns microseconds since 1970; null for
 * anything else
 */
export function microsecondsOf(cell: Cell): number | null {
  const match = INSTANT.exec(cell ?? '')
  if (!match) return null
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const seconds = Date.UTC(year, month - 1, day, hour, minute, second) / 1_000
  const [fraction = '', sign, hours = '0', minutes = '0', rest = '0'] = match.slice(7)
  const offset = Number(hours) * 3_600 + Number(minutes) * 60 + Number(rest)
  const utc = sign === '-' ? seconds + offset : seconds - offset
  return utc * 1_000_000 + Number(fraction.padEnd(6, '0'))
}

export function instantOf(cell: Cell): Instant | null {
  const microseconds = microsecondsOf(cell)
  return microseconds === null ? null : fromMicroseconds(microseconds)
}

const INTERVAL = /^(?:(-?\d+) days?)?(?: ?(-)?(\d+):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?$/
const DAY = 86_400

/** Parses a number, or a PostgreSQL interval such as `1 day 00:11:37.560951`. @returns microseconds; null for anything else */
export function durationOf(cell: Cell): number | null {
  const number = integerOf(cell)
  if (number !== null || cell === '') return number
  const match = INTERVAL.exec(cell ?? '')
  if (!match || cell === undefined || cell === null) return null
  const [, days = '0', sign, hours = '0', minutes = '0', seconds = '0', fraction = ''] = match
  const clock = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000_000
  const part = clock + Number(fraction.padEnd(6, '0'))
  return Number(days) * DAY * 1_000_000 + (sign === '-' ? -part : part)
}

/** Maximum length of an IP address: an IPv6 address that contains an IPv4 address. */
const ADDRESS_LIMIT = 45

/** Returns an address without the mask that PostgreSQL adds; null if there is none. */
export function addressOf(cell: Cell): string | null {
  const address = cut(textOf(cell), ADDRESS_LIMIT)
    .replace(/\/\d+$/, '')
    .trim()
  return address === '' ? null : address
}
