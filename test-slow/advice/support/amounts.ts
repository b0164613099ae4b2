/** How many histories of each kind the doctor is shown, how often it looks at each, and how often it may err. */
import { byEffort } from '../../support/effort.ts'

/** Fixed, because a share of histories is judged: another seed may be on the other side of a limit. `SEED` tries others. */
export const SEED = Number(process.env.SEED ?? 53)

export const HISTORIES = byEffort({ short: 30, full: 300 })
/** looks after those at the first runs */
export const LATER_LOOKS = byEffort({ short: 20, full: 34 })

/** Of 300 histories. */
const WRONG_OF_300 = 1

/** In how many histories of a healthy kind the doctor may say something. */
export const MAY_BE_WRONG = Math.max(1, (WRONG_OF_300 * HISTORIES) / 300)

/** @param share of the histories in which it is expected to be right; it may be by three hundredths fewer */
export function leastFound(share: number): number {
  // Few histories say less about a share.
  const deviation = Math.sqrt((share * (1 - share)) / HISTORIES)
  return Math.floor((share - 0.03 - (HISTORIES < 300 ? 2.5 * deviation : 0)) * HISTORIES)
}
