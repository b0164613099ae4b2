/** Reads the output of the newest run if it failed, and compares it with the output of the last successful run. */
import type { Check } from '../../domain/check/check.ts'
import { isRunKind, type LogEntry } from '../../domain/log/log-entry.ts'
import { COMPARED_BYTES, type OutputChange } from '../../domain/output-diff/output-change.ts'
import type { Deps } from '../common/deps.ts'
import { compareOutput } from './output-change.ts'

export interface FailedOutput {
  /** number of the ping that contains the output */
  readonly n: number
  readonly change: OutputChange
}

/**
 * @param log newest first
 * @param mayPing false to remove ping URLs and keys, for members who must not see them
 * @returns null if the newest run did not fail, or is no longer in the log
 */
export async function findFailedOutput(
  deps: Pick<Deps, 'store' | 'eventLoop' | 'pingBodyLimit'>,
  check: Check,
  log: readonly Pick<LogEntry, 'n' | 'kind'>[],
  mayPing: boolean,
): Promise<FailedOutput | null> {
  const newest = log.find(({ kind }) => isRunKind(kind))
  if (newest?.kind !== 'fail') return null
  const failed = await deps.store.pings.findStart(check.id, newest.n, COMPARED_BYTES)
  return failed && { n: newest.n, change: await compareOutput(deps, failed, mayPing) }
}
