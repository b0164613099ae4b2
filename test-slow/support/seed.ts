/** The seed of what a suite makes up: `SEED` repeats a run. Short runs always use 1, long ones another one each time. */
import { isLong } from './effort.ts'

export const SEED = Number(process.env.SEED ?? (isLong ? Date.now() % 2 ** 31 : 1))
