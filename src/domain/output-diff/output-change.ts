/** Compares the output of a failed run with that of the last good run before it. */
import type { Instant } from '../../lib/time.ts'
import type { OutputDiff } from './output-diff.ts'

/** The run that the failed run is compared with. */
interface GoodRun {
  /** number of the ping that ended the run */
  readonly n: number
  readonly receivedAt: Instant
  readonly occurredAt: Instant | null
}

/**
 * Reasons for comparing nothing. `no-output`: the run has sent no output, and neither has any good run. `gone`: the run has sent no output,
 * but the last good run has. `dropped`: the output was dropped because the log was full. `no-good-run`: the log has no good run before it.
 * `no-good-output`: no good run has an output. `no-text`: an output is not text.
 */
export type NotCompared = 'no-output' | 'gone' | 'dropped' | 'no-good-run' | 'no-good-output' | 'no-text'

export type OutputChange =
  | { readonly kind: 'changed'; readonly good: GoodRun; readonly isCut: boolean; readonly diff: OutputDiff }
  /** the outputs are the same, except for parts that differ on every run */
  | { readonly kind: 'same'; readonly good: GoodRun; readonly isCut: boolean }
  | { readonly kind: 'not-compared'; readonly why: NotCompared; readonly good: GoodRun | null }

/**
 * Number of bytes to compare from the beginning of each output. `isCut`: at least one of them is longer. By default, servers store fewer
 * bytes of a body.
 */
export const COMPARED_BYTES = 65_536

/** Maximum number of new lines in a message: enough to see what happened. */
const NEW_LINES_NAMED = 3

/**
 * Returns the first new lines for a message. Returns none if the whole output is new, because a few lines would then explain nothing.
 * @param isQuoted whether the message already quotes a line
 */
export function namedNewLines(
  change: OutputChange | null,
  isQuoted: (line: string) => boolean = () => false,
): readonly string[] {
  if (change?.kind !== 'changed' || change.diff.isAllNew) return []
  return change.diff.newLines.filter((line) => !isQuoted(line)).slice(0, NEW_LINES_NAMED)
}
