/** An entry of a check's log as its pages show it. */
import type { BodyPart } from './body-text.ts'
import type { Ping } from './ping.ts'
import type { PingKind } from './signal.ts'

/** Without the id of the check, which allows pings. */
export interface LogEntry extends Omit<Ping, 'checkId' | 'body'> {
  /** bytes; 0 without a body */
  readonly bodySize: number
  /** bytes of a body that was dropped because the log was full; null when none was */
  readonly droppedBytes: number | null
  /** microseconds of the run that it ended; null when it ended none */
  readonly duration: number | null
}

/** An entry as a line of a list. */
export interface ListedEntry extends LogEntry {
  /** of the output, see `lastLine`, or the subject of an email; '' without one */
  readonly lastLine: string
  /** true: the run before ended with the same line */
  readonly isRepeated: boolean
}

/** What a ping is that ends a run, or reports one. */
export function isRunKind(kind: PingKind): boolean {
  return kind === 'success' || kind === 'fail'
}

const utf8 = new TextDecoder()

const SUBJECT = /^subject:[ \t]*(.*(?:\r?\n[ \t]+.*)*)(\r?\n)?/im

/** The subject of an email, not decoded; null when it is not in what is known of the message. */
export function subjectOf({ bytes, size }: Pick<BodyPart, 'bytes' | 'size'>): string | null {
  const text = utf8.decode(bytes)
  const end = text.search(/\r?\n\r?\n/)
  const [, field, lineEnd] = SUBJECT.exec(end < 0 ? text : text.slice(0, end + 1)) ?? []
  const isWhole = lineEnd !== undefined || bytes.length === size
  return field === undefined || !isWhole ? null : field.replace(/\s+/g, ' ').trim()
}
