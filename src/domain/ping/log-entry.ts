/** An entry of a check's log as its pages show it. */
import { type BodyPart, startText } from './body-text.ts'
import type { Ping } from './ping.ts'

/** Without the id of the check, which allows pings. */
export interface LogEntry extends Omit<Ping, 'checkId' | 'body'> {
  /** of the body on one line, or the subject of an email; '' without one */
  readonly firstWords: string
  /** bytes; 0 without a body */
  readonly bodySize: number
  /** bytes of a body that was dropped because the log was full; null when none was */
  readonly droppedBytes: number | null
  /** microseconds of the run that it ended; null when it ended none */
  readonly duration: number | null
}

const utf8 = new TextDecoder()

/** The first line that isn't blank; `isCut`: it may go on beyond what is known of the body. @param body its beginning */
export function firstLine(body: BodyPart): { readonly text: string; readonly isCut: boolean } {
  const text = startText(body).trimStart()
  const [line = ''] = text.split(/[\r\n]/, 1)
  return { text: line.trim(), isCut: line.length === text.length && body.bytes.length < body.size }
}

const SUBJECT = /^subject:[ \t]*(.*(?:\r?\n[ \t]+.*)*)(\r?\n)?/im

/** The subject of an email, not decoded; null when it is not in what is known of the message. */
export function subjectOf({ bytes, size }: Pick<BodyPart, 'bytes' | 'size'>): string | null {
  const text = utf8.decode(bytes)
  const end = text.search(/\r?\n\r?\n/)
  const [, field, lineEnd] = SUBJECT.exec(end < 0 ? text : text.slice(0, end + 1)) ?? []
  const isWhole = lineEnd !== undefined || bytes.length === size
  return field === undefined || !isWhole ? null : field.replace(/\s+/g, ' ').trim()
}
