/**
 * The seed of random tests. It is taken from the commit, so that each change tries other values, or from the clock for the long effort. It
 * is printed, and `SEED` repeats a run.
 */
import { isLong } from './effort.ts'

/** Number of digits at the beginning of the commit's id, 28 bits. */
const DIGITS = 7
/** Seed without a commit, such as in an archive of the source. */
const FIXED = 1

export const SEED = Number(process.env.SEED ?? (isLong ? Date.now() % 2 ** 31 : ofCommit()))
process.stderr.write(`SEED=${SEED}\n`)

function ofCommit(): number {
  if (Bun.which('git') === null) return FIXED
  const { success, stdout } = Bun.spawnSync(['git', 'rev-parse', 'HEAD'], { cwd: import.meta.dir })
  return success ? Number.parseInt(stdout.toString().slice(0, DIGITS), 16) : FIXED
}
