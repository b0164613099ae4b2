/** Compares the output of a failed run with that of the last successful run before it. */
import type { Instant } from '../../lib/time.ts'
import type { OutputDiff } from './output-diff.ts'

/** The successful run that a failed run is compared with. */
interface GoodRun {
  /** sequence number of the ping that ended the run */
  readonly n: number
  readonly receivedAt: Instant
  readonly occurredAt: Instant | null
}

/**
 * The reason why the outputs could not be compared. `no-output`: neither the run nor any good run has sent output. `gone`: the run has sent
 * no output, but the last good run has. `dropped`: the output was dropped because the log was full. `no-good-run`: the log contains no good
 * run before this one. `no-good-output`: no good run has output. `no-text`: one of the outputs is not text.
 */
export type NotCompared = 'no-output' | 'gone' | 'dropped' | 'no-good-run' | 'no-good-output' | 'no-text'

export type OutputChange =
  | { readonly kind: 'changed'; readonly good: GoodRun; readonly isCut: boolean; readonly diff: OutputDiff }
  /** the outputs are the same, except for parts that vary between runs */
  | { readonly kind: 'same'; readonly good: GoodRun; readonly isCut: boolean }
  | { readonly kind: 'not-compared'; readonly why: NotCompared; readonly good: GoodRun | null }

/**
 * Number of bytes to compare, from the beginning of each output. `isCut` is true if at least one output is longer than this. By default,
 * servers store fewer bytes of a body.
 */
export const COMPARED_BYTES = 65_536

/** Maximum number of new lines to quote in a message, which is enough to show what happened. */
const NEW_LINES_NAMED = 3

/**
 * Returns the first few new lines, to be quoted in a message. Returns none if the entire output is new, because a few lines of it would not
 * explain anything.
 * @param isQuoted true if the message already quotes a line
 */
export function namedNewLines(
  change: OutputChange | null,
  isQuoted: (line: string) => boolean = () => false,
): readonly string[] {
  if (change?.kind !== 'changed' || change.diff.isAllNew) return []
  return change.diff.newLines.filter((line) => !isQuoted(line)).slice(0, NEW_LINES_NAMED)
}
