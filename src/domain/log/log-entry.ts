/** An entry in a check's log, as shown on pages. */
import type { BodyPart } from '../ping/body-text.ts'
import type { Ping } from '../ping/ping.ts'
import type { PingKind } from '../ping/signal.ts'

/** A log entry without the check's id, which is secret because anyone who knows it can ping the check. */
export interface LogEntry extends Omit<Ping, 'checkId' | 'body'> {
  /** size of the body, in bytes; 0 if there is none */
  readonly bodySize: number
  /** size of the body, in bytes, if it was dropped because the log was full; otherwise null */
  readonly droppedBytes: number | null
  /** duration of the run that this ping ended, in microseconds; null if it did not end a run */
  readonly duration: number | null
}

/** A log entry, as shown on a single line of a list. */
export interface ListedEntry extends LogEntry {
  /** last line of the output, see `lastLine`, or an email's subject; '' if there is none */
  readonly lastLine: string
  /** true: the output of the previous run ended with the same line */
  readonly isRepeated: boolean
}

/** Whether a ping of this kind ends a run. */
export function isRunKind(kind: PingKind): boolean {
  return kind === 'success' || kind === 'fail'
}

const utf8 = new TextDecoder()
const windows1252 = new TextDecoder('windows-1252')

const SUBJECT = /^subject:[ \t]*(.*(?:\r?\n[ \t]+.*)*)(\r?\n)?/im

/**
 * Returns an email's subject without decoding it; null if the subject is not in the part of the message that was read. Raw text that is not
 * UTF-8 is read as windows-1252.
 */
export function subjectOf({ bytes, size }: Pick<BodyPart, 'bytes' | 'size'>): string | null {
  const isWhole = bytes.length === size
  const subject = subjectIn(utf8.decode(bytes), isWhole)
  return subject?.includes('\ufffd') ? subjectIn(windows1252.decode(bytes), isWhole) : subject
}

function subjectIn(text: string, isWhole: boolean): string | null {
  const end = text.search(/\r?\n\r?\n/)
  const [, field, lineEnd] = SUBJECT.exec(end < 0 ? text : text.slice(0, end + 1)) ?? []
  const isKnown = isWhole || lineEnd !== undefined
  return field === undefined || !isKnown ? null : field.replace(/\s+/g, ' ').trim()
}
