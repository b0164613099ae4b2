/** A run's outcome in one or two words, for the list of runs and for display next to the last run. */
import { roundedWords } from '../../lib/time-words.ts'
import { SECOND } from '../units.ts'
import type { ListedRun } from './run-list.ts'

/**
 * Returns a phrase such as `On time`, `Late 12 min` or `Failed 2`. A run that was not expected, such as the first one, is neither on time
 * nor late.
 */
export function outcomeWords({ kind, delay, due, exitStatus }: Omit<ListedRun, 'changes'>): string {
  switch (kind) {
    case 'ran':
      return due === null ? 'OK' : 'On time'
    case 'slow':
      return 'Slow'
    case 'late':
      return delay === null ? 'Late' : `Late ${roundedWords(delay / SECOND)}`
    case 'failed':
      return exitStatus === null || exitStatus === 0 ? 'Failed' : `Failed ${exitStatus}`
    case 'missing':
      return 'Missing'
    case 'running':
      return 'Running'
  }
}
