/** A live page reader's position. It encodes the state that the reader has seen, for use in the stream's URL and in `Last-Event-ID`. */
import type { Fingerprint } from '../../domain/check/fingerprint.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import type { Revision } from '../../store/store.ts'

export interface Position {
  /** identifies a run of the program; revisions are counted from the start of the run */
  readonly run: string
  readonly revision: Revision
  /** a time that is not later than the state that the reader has seen */
  readonly at: Instant
  /** fingerprint of the state that the reader has seen; other runs and instances can compare it */
  readonly seen: Fingerprint
}

export function writePosition({ run, revision, at, seen }: Position): string {
  return [run, revision.edits, revision.touches, at.epochMilliseconds, seen.settings, seen.activity].join('~')
}

/** @returns null if the text is not a position */
export function readPosition(text: string): Position | null {
  const [run = '', edits = '', ...rest] = text.split('~')
  const [touches, at, settings, activity] = rest.map((number) => (/^\d{1,16}$/.test(number) ? Number(number) : null))
  if (touches == null || at == null || settings == null || activity == null || at >= 1e15) return null
  const seen = { settings, activity }
  return { run, revision: { edits, touches }, at: Temporal.Instant.fromEpochMilliseconds(at), seen }
}
