/** How hard the suites try that can go on for as long as one likes: `EFFORT=long` is for an evening, anything else for CI. */
export const isLong = process.env.EFFORT === 'long'

/** @returns the number for this run */
export function byEffort(short: number, long: number): number {
  return isLong ? long : short
}
