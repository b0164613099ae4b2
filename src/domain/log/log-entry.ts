/** An entry of a check's log, as pages show it. */
import type { BodyPart } from '../ping/body-text.ts'
import type { Ping } from '../ping/ping.ts'
import type { PingKind } from '../ping/signal.ts'

/** An entry without the check's id, because anyone who knows the id can ping the check. */
export interface LogEntry extends Omit<Ping, 'checkId' | 'body'> {
  /** bytes; 0 without a body */
  readonly bodySize: number
  /** bytes of a body that was dropped because the log was full; null if none was */
  readonly droppedBytes: number | null
  /** duration in microseconds of the run that this ping ended; null if it ended none */
  readonly duration: number | null
}

/** An entry as a line of a list. */
export interface ListedEntry extends LogEntry {
  /** last line of the output, see `lastLine`, or the subject of an email; '' without one */
  readonly lastLine: string
  /** true: the previous run ended with the same line */
  readonly isRepeated: boolean
}

/** Whether a ping ends or reports a run. */
export function isRunKind(kind: PingKind): boolean {
  return kind === 'success' || kind === 'fail'
}

const utf8 = new TextDecoder()
const windows1252 = new TextDecoder('windows-1252')

const SUBJECT = /^subject:[ \t]*(.*(?:\r?\n[ \t]+.*)*)(\r?\n)?/im

/**
 * Returns the undecoded subject of an email; null if it is not in the known part of the message. Raw text that is not UTF-8 is read as
 * windows-1252.
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
