/** An entry in a check's log, as pages show it. */
import type { BodyPart } from '../ping/body-text.ts'
import type { Ping } from '../ping/ping.ts'
import type { PingKind } from '../ping/signal.ts'

/** A log entry without the check's id. The id is secret, because anyone who knows it can ping the check. */
export interface LogEntry extends Omit<Ping, 'checkId' | 'body'> {
  /** size of the body in bytes; 0 if there is none */
  readonly bodySize: number
  /** size of a body that was dropped because the log was full; null if no body was dropped */
  readonly droppedBytes: number | null
  /** microseconds that the run took that this ping ended; null if it ended none */
  readonly duration: number | null
}

/** A log entry as one line of a list. */
export interface ListedEntry extends LogEntry {
  /** last line of the output, see `lastLine`, or the subject of an email; '' if there is none */
  readonly lastLine: string
  /** true: the previous run ended with the same line */
  readonly isRepeated: boolean
}

/** Whether pings of this kind report the start or the end of a run. */
export function isRunKind(kind: PingKind): boolean {
  return kind === 'success' || kind === 'fail'
}

const utf8 = new TextDecoder()
const windows1252 = new TextDecoder('windows-1252')

const SUBJECT = /^subject:[ \t]*(.*(?:\r?\n[ \t]+.*)*)(\r?\n)?/im

/**
 * Returns the subject of an email, without decoding it; null if it is not in the part of the message that was read. Raw text that is not
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
