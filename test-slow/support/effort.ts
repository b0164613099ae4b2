/**
 * The effort of suites that can run for any time, by `EFFORT`: without it a tenth, for each change; `full` for the groups of
 * `.ci/long`; `long` for hours.
 */
const EFFORT = process.env.EFFORT ?? 'short'

export const isLong = EFFORT === 'long'

/** A value for each effort. A missing one defaults to that of the effort before it. */
interface Efforts {
  readonly short: number
  readonly full?: number
  readonly long?: number
}

/** @returns the value for this run */
export function byEffort({ short, full = short, long = full }: Efforts): number {
  const values: Readonly<Record<string, number>> = { short, full, long }
  const value = values[EFFORT]
  if (value === undefined) throw new Error(`EFFORT is "${EFFORT}"; use short, full or long`)
  return value
}
