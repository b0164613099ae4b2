/** The effort of suites that can run for any time: `EFFORT=long` for hours, anything else for CI. */
export const isLong = process.env.EFFORT === 'long'

/** @returns the value for this run */
export function byEffort(short: number, long: number): number {
  return isLong ? long : short
}
