/** Limits on the number of silences in a project. Silences that ping URLs requested don't count, because a check has at most one. */
import { Refusal } from '../errors.ts'
import type { Silence } from './silence.ts'

export const SILENCES_LIMIT = 1_000
/**
 * Maximum number of silences with a window. After a start of the server, the first transaction that needs them compiles the schedule of
 * each, which takes up to half a millisecond.
 */
export const WINDOWS_LIMIT = 50

/** How many silences of a project people have created that have not ended. */
export interface SilenceCounts {
  readonly silences: number
  /** number of these silences that have a window */
  readonly windows: number
}

/** @throws Refusal `silences-full` if the project can't have another silence */
export function requireRoom({ silences, windows }: SilenceCounts, { window }: Pick<Silence, 'window'>): void {
  if (silences >= SILENCES_LIMIT) throw full(SILENCES_LIMIT, 'silences')
  if (window !== null && windows >= WINDOWS_LIMIT) throw full(WINDOWS_LIMIT, 'silences with a schedule')
}

/** @throws Refusal `silences-full` if the silence gets a window, and the project can't have another one */
export function requireRoomForChange({ silences, windows }: SilenceCounts, before: Silence, after: Silence): void {
  requireRoom({ silences: silences - 1, windows: windows - Number(before.window !== null) }, after)
}

function full(limit: number, kind: string): Refusal {
  const message = `the project has ${limit} ${kind} that have not ended: end one of them first`
  return new Refusal('silences-full', message, { limit })
}
