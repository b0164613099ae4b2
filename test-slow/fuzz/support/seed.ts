/** Where the dice start: `SEED` repeats a run. Short runs start at 1, long ones somewhere else each time. */
import { isLong } from '../../support/effort.ts'

export const SEED = Number(process.env.SEED ?? (isLong ? Date.now() % 2 ** 31 : 1))
