/** Parses the values of Uptime Kuma's columns. */
import { storable } from '../../lib/text/text.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import type { KumaCell } from './tables.ts'

/** @returns '' for no value */
export function textOf(cell: KumaCell): string {
  return typeof cell === 'string' || typeof cell === 'number' ? storable(String(cell)) : ''
}

/** @param otherwise result if the value is not a non-negative integer */
export function countOf(cell: KumaCell, otherwise: number): number {
  const number = typeof cell === 'number' || cell ? Number(cell) : Number.NaN
  return Number.isSafeInteger(number) && number >= 0 ? number : otherwise
}

export function flagOf(cell: KumaCell): boolean {
  return cell === 1 || cell === '1'
}

const TIME = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,6})?Z?$/

/** Parses a UTC time such as `2026-05-04 10:00:13.721`, or milliseconds since 1970. Returns null for anything else. */
export function instantOf(cell: KumaCell): Instant | null {
  if (typeof cell === 'number') {
    return Number.isSafeInteger(cell) && Math.abs(cell) < 8e15 ? Temporal.Instant.fromEpochMilliseconds(cell) : null
  }
  if (typeof cell !== 'string' || !TIME.test(cell)) return null
  try {
    return Temporal.Instant.from(`${cell.replace(' ', 'T').replace('Z', '')}Z`)
  } catch {
    return null
  }
}
