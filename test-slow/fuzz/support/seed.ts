/** The seed of generated requests: `SEED` repeats a run. Short runs always use 1, long ones another one each time. */
import { isLong } from '../../support/effort.ts'

export const SEED = Number(process.env.SEED ?? (isLong ? Date.now() % 2 ** 31 : 1))
