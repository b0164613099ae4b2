/** Where a reader of a live page stands: what it has seen, as a text for its address and for `Last-Event-ID`. */
import { type Instant, Temporal } from '../../lib/time.ts'
import type { Revision } from '../../store/store.ts'

export interface Position {
  readonly revision: Revision
  readonly at: Instant
}

/** @param run of the program; revisions count from its start */
export function writePosition(run: string, { edits, touches }: Revision, at: Instant): string {
  return [run, edits, touches, at.epochMilliseconds].join('~')
}

/** @returns null for the position of another run, and for what is none */
export function readPosition(run: string, text: string): Position | null {
  const [ofRun, edits = '', touches = '', at = ''] = text.split('~')
  if (ofRun !== run || !/^\d{1,16}$/.test(touches) || !/^\d{1,15}$/.test(at)) return null
  return {
    revision: { edits, touches: Number(touches) },
    at: Temporal.Instant.fromEpochMilliseconds(Number(at)),
  }
}
