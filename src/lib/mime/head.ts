/** Parses the header of a message or of one of its parts (RFC 5322, 2.2; MIME, RFC 2045). */

type FieldName = 'subject' | 'content-type' | 'content-transfer-encoding' | 'content-disposition'

export interface Head {
  /** Values are unfolded and trimmed but not decoded. If a field occurs more than once, only its first occurrence is included. */
  readonly fields: ReadonlyMap<FieldName, string>
  /** The bytes after the blank line that ends the header. */
  readonly body: Buffer
}

const NAMES: ReadonlyMap<string, FieldName> = new Map(
  (['subject', 'content-type', 'content-transfer-encoding', 'content-disposition'] as const).map((name) => [
    name,
    name,
  ]),
)
/** Maximum size of a header, in bytes. No mail program has a higher limit. */
const HEAD_BYTES = 256 * 1024
const FIELD_CHARACTERS = 10_000

/** Parses the header. Lines may end with LF or CRLF. */
export function readHead(message: Buffer): Head {
  const { end, bodyStart } = findEmptyLine(message)
  return { fields: readFields(message.subarray(0, Math.min(end, HEAD_BYTES))), body: message.subarray(bodyStart) }
}

function findEmptyLine(message: Buffer): { readonly end: number; readonly bodyStart: number } {
  if (message[0] === LINE_FEED) return { end: 0, bodyStart: 1 }
  if (message[0] === CARRIAGE_RETURN && message[1] === LINE_FEED) return { end: 0, bodyStart: 2 }
  const bare = message.indexOf('\n\n')
  // Searches only up to the first bare line break.
  const usual = (bare < 0 ? message : message.subarray(0, bare + 1)).indexOf('\n\r\n')
  if (usual >= 0) return { end: usual + 1, bodyStart: usual + 3 }
  return bare >= 0 ? { end: bare + 1, bodyStart: bare + 2 } : { end: message.length, bodyStart: message.length }
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** A header field, unfolded and trimmed but not decoded. */
interface Field {
  readonly name: string
  readonly value: string
}

/**
 * Lists the fields of a message in order.
 * @param limits maximum number of fields, and maximum length of a value in characters
 */
export function listFields(
  message: Buffer,
  limits: { readonly fields: number; readonly characters: number },
): readonly Field[] {
  const { end } = findEmptyLine(message)
  const fields: { name: string; lines: string[] }[] = []
  for (const line of linesOf(message.subarray(0, Math.min(end, HEAD_BYTES)))) {
    if (/^[ \t]/.test(line)) {
      fields.at(-1)?.lines.push(line)
      continue
    }
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    if (fields.length === limits.fields) break
    fields.push({ name: line.slice(0, colon).trimEnd(), lines: [line.slice(colon + 1)] })
  }
  return fields.map(({ name, lines }) => ({ name, value: lines.join('').trim().slice(0, limits.characters) }))
}

function readFields(head: Buffer): Map<FieldName, string> {
  const found = new Map<FieldName, string[]>()
  /** lines of the current field; null if the field is being skipped */
  let lines: string[] | null = null
  for (const line of linesOf(head)) {
    if (/^[ \t]/.test(line)) {
      lines?.push(line)
      continue
    }
    lines = null
    const colon = line.indexOf(':')
    const name = colon < 0 ? undefined : NAMES.get(line.slice(0, colon).trimEnd().toLowerCase())
    if (name === undefined || found.has(name)) continue
    lines = [line.slice(colon + 1)]
    found.set(name, lines)
  }
  return new Map(Array.from(found, ([name, parts]) => [name, parts.join('').slice(0, FIELD_CHARACTERS).trim()]))
}

const utf8 = new TextDecoder()
const windows1252 = new TextDecoder('windows-1252')

/**
 * Splits a header into lines. Unencoded text is UTF-8 (RFC 6532). A line that is not valid UTF-8 is assumed to be windows-1252 text from an
 * old program.
 */
function linesOf(head: Buffer): string[] {
  const text = utf8.decode(head)
  return isWhole(text) ? text.split(LINE_END) : head.toString('latin1').split(LINE_END).map(decodeLine)
}

const LINE_END = /\r?\n/

function decodeLine(line: string): string {
  const bytes = Buffer.from(line, 'latin1')
  const text = utf8.decode(bytes)
  return isWhole(text) ? text : windows1252.decode(bytes)
}

/** Returns true if decoding the text as UTF-8 found no invalid bytes. */
function isWhole(text: string): boolean {
  return !text.includes('\ufffd')
}
