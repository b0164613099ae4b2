/** Numbers of histories of each kind, of looks at each, and of permitted errors. */
import { byEffort } from '../../support/effort.ts'

/** A fixed seed, because a share of histories is judged: another seed may be on the other side of a limit. `SEED` tries others. */
export const SEED = Number(process.env.SEED ?? 53)

export const HISTORIES = byEffort({ short: 30, full: 300 })
/** number of looks after those at the first runs */
export const LATER_LOOKS = byEffort({ short: 20, full: 34 })

/** Permitted errors in 300 histories. */
const WRONG_OF_300 = 1

/** Number of histories of a healthy kind in which the doctor may give advice. */
export const MAY_BE_WRONG = Math.max(1, (WRONG_OF_300 * HISTORIES) / 300)

/** @param share of the histories in which the doctor should be right; three hundredths less are permitted */
export function leastFound(share: number): number {
  // A share of few histories is less certain.
  const deviation = Math.sqrt((share * (1 - share)) / HISTORIES)
  return Math.floor((share - 0.03 - (HISTORIES < 300 ? 2.5 * deviation : 0)) * HISTORIES)
}
