/** Reads a check's newest runs, and the last line of each run's output. */
import { type Actor, may, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import { type ListedRun, runList } from '../../domain/run-list/run-list.ts'
import type { Instant } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'
import { readLastLines } from '../pings/last-lines.ts'
import type { TimedLine } from '../pings/log.ts'

export interface ReadRun extends ListedRun {
  /** last line of the output, or the subject of an email; '' if there is none */
  readonly lastLine: string
  /** true if the previous run's output ended with the same line */
  readonly isRepeated: boolean
}

/**
 * Reads runs, newest first.
 * @param pings the newest pings of the log, newest first
 * @param flips the newest flips, newest first
 */
export async function readRunList(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  check: Check,
  { pings, flips }: { readonly pings: readonly TimedLine[]; readonly flips: readonly Flip[] },
  now: Instant,
): Promise<readonly ReadRun[]> {
  requireRight(actor, 'read', check)
  const advice = await store.advice.find(check.id)
  const since = advice?.changedAt ?? check.createdAt.epochMilliseconds
  const runs = runList({ check, pings, flips, since }, now)
  const numbers = runs.flatMap(({ kind, n }) => (n === null || kind === 'running' ? [] : [n]))
  const lines = await readLastLines({ store }, check, numbers, may(actor, 'write'))
  const lineOf = (run: ListedRun | undefined) => (run?.n == null ? '' : (lines.get(run.n) ?? ''))
  return runs.map((run, index) => {
    const lastLine = lineOf(run)
    const before = runs.slice(index + 1).find(({ ended }) => ended !== null)
    return { ...run, lastLine, isRepeated: lastLine !== '' && lineOf(before) === lastLine }
  })
}
