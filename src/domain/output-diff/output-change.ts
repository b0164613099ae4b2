/** The difference of the output of a failed run from that of the last good one before it, as far as it is known. */
import type { Instant } from '../../lib/time.ts'
import type { OutputDiff } from './output-diff.ts'

/** The run that is compared with. */
interface GoodRun {
  /** number of its ping */
  readonly n: number
  readonly receivedAt: Instant
  readonly occurredAt: Instant | null
}

/**
 * The reason why nothing is compared: the run has sent no output, and no good one has (`no-output`), or the last good one has (`gone`); its output was
 * dropped because the log was full; the log has no good run before it (`no-good-run`), or none with an output; or an output has no text.
 */
export type NotCompared = 'no-output' | 'gone' | 'dropped' | 'no-good-run' | 'no-good-output' | 'no-text'

export type OutputChange =
  | { readonly kind: 'changed'; readonly good: GoodRun; readonly isCut: boolean; readonly diff: OutputDiff }
  /** but for what differs in every run */
  | { readonly kind: 'same'; readonly good: GoodRun; readonly isCut: boolean }
  | { readonly kind: 'not-compared'; readonly why: NotCompared; readonly good: GoodRun | null }

/** The bytes that are compared from the beginning of each output; `isCut` tells that one has more. Servers keep less of a body unless they are set to keep more. */
export const COMPARED_BYTES = 65_536

/** Enough to see what happened, and short enough for a message. */
const NEW_LINES_NAMED = 3

/**
 * The first new lines, as messages name them: none when all of the output is new, which says nothing about a single line.
 * @param isQuoted tells lines that the message has already
 */
export function namedNewLines(
  change: OutputChange | null,
  isQuoted: (line: string) => boolean = () => false,
): readonly string[] {
  if (change?.kind !== 'changed' || change.diff.isAllNew) return []
  return change.diff.newLines.filter((line) => !isQuoted(line)).slice(0, NEW_LINES_NAMED)
}
