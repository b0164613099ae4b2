/** Limits on the silences of a project. Silences that ping URLs requested do not count: a check has at most one. */
import { Refusal } from '../errors.ts'
import type { Silence } from './silence.ts'

export const SILENCES_LIMIT = 1_000
/**
 * After a start of the program, the first transaction that needs the windows compiles the schedule of each, which takes up to half a
 * millisecond.
 */
export const WINDOWS_LIMIT = 50

/** The numbers of silences of a project that people made and that have not ended. */
export interface SilenceCounts {
  readonly silences: number
  /** number of these silences that have a window */
  readonly windows: number
}

/** @throws Refusal `silences-full` if the project has no room for the silence */
export function requireRoom({ silences, windows }: SilenceCounts, { window }: Pick<Silence, 'window'>): void {
  if (silences >= SILENCES_LIMIT) throw full(SILENCES_LIMIT, 'silences')
  if (window !== null && windows >= WINDOWS_LIMIT) throw full(WINDOWS_LIMIT, 'silences with a schedule')
}

/** @throws Refusal `silences-full` if a silence gets a window for which the project has no room */
export function requireRoomForChange({ silences, windows }: SilenceCounts, before: Silence, after: Silence): void {
  requireRoom({ silences: silences - 1, windows: windows - Number(before.window !== null) }, after)
}

function full(limit: number, kind: string): Refusal {
  const message = `the project has ${limit} ${kind} that have not ended: end one of them first`
  return new Refusal('silences-full', message, { limit })
}
