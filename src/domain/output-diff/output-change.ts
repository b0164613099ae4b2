/** The difference between the output of a failed run and that of the last good run before it, as far as known. */
import type { Instant } from '../../lib/time.ts'
import type { OutputDiff } from './output-diff.ts'

/** The run used for comparison. */
interface GoodRun {
  /** number of the ping that ended it */
  readonly n: number
  readonly receivedAt: Instant
  readonly occurredAt: Instant | null
}

/**
 * The reason why nothing is compared: the run has sent no output, while no good run has one (`no-output`) or the last good one has
 * (`gone`); its output was dropped because the log was full; the log has no good run before it (`no-good-run`), or none with an output; or
 * an output has no text.
 */
export type NotCompared = 'no-output' | 'gone' | 'dropped' | 'no-good-run' | 'no-good-output' | 'no-text'

export type OutputChange =
  | { readonly kind: 'changed'; readonly good: GoodRun; readonly isCut: boolean; readonly diff: OutputDiff }
  /** the same, except for parts that differ in every run */
  | { readonly kind: 'same'; readonly good: GoodRun; readonly isCut: boolean }
  | { readonly kind: 'not-compared'; readonly why: NotCompared; readonly good: GoodRun | null }

/**
 * Bytes compared from the beginning of each output; `isCut`: one of them has more. Servers keep less of a body unless they are set to keep
 * more.
 */
export const COMPARED_BYTES = 65_536

/** Enough lines to see what happened, and few enough for a message. */
const NEW_LINES_NAMED = 3

/**
 * Returns the first new lines for a message: none if the whole output is new, because then no single line is significant.
 * @param isQuoted whether the message already contains a line
 */
export function namedNewLines(
  change: OutputChange | null,
  isQuoted: (line: string) => boolean = () => false,
): readonly string[] {
  if (change?.kind !== 'changed' || change.diff.isAllNew) return []
  return change.diff.newLines.filter((line) => !isQuoted(line)).slice(0, NEW_LINES_NAMED)
}
