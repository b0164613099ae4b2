/**
 * Limits on the number of silences in a project. Silences requested by ping URLs don't count, because each check has at most one of them.
 */
import { Refusal } from '../errors.ts'
import type { Silence } from './silence.ts'

export const SILENCES_LIMIT = 1_000
/**
 * Maximum number of silences with a window. After the server starts, the first transaction that uses these silences compiles their
 * schedules, which takes up to half a millisecond each.
 */
export const WINDOWS_LIMIT = 50

/** Counts of a project's silences that were created by users and have not ended. */
export interface SilenceCounts {
  readonly silences: number
  /** number of these silences that have a repeating window */
  readonly windows: number
}

/** @throws Refusal `silences-full` if the project can't have any more silences */
export function requireRoom({ silences, windows }: SilenceCounts, { window }: Pick<Silence, 'window'>): void {
  if (silences >= SILENCES_LIMIT) throw full(SILENCES_LIMIT, 'silences')
  if (window !== null && windows >= WINDOWS_LIMIT) throw full(WINDOWS_LIMIT, 'silences with a schedule')
}

/** @throws Refusal `silences-full` if the change adds a window to the silence and the project can't have any more windows */
export function requireRoomForChange({ silences, windows }: SilenceCounts, before: Silence, after: Silence): void {
  requireRoom({ silences: silences - 1, windows: windows - Number(before.window !== null) }, after)
}

function full(limit: number, kind: string): Refusal {
  const message = `the project has ${limit} ${kind} that have not ended: end one of them first`
  return new Refusal('silences-full', message, { limit })
}
