/** Reads the lines of a plain-text PostgreSQL dump. Other formats are recognized by their first bytes. */
import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { Refusal } from '../../../domain/errors.ts'
import { type DumpFormat, formatRefusal } from './dump-formats.ts'

/** Maximum length of a line in bytes. Healthchecks accepts emails of up to 32 MiB, and hexadecimal digits double the length of a body. */
const LINE_BYTES = 66 * 1024 * 1024
const [NEWLINE, RETURN] = [0x0a, 0x0d]
const HEAD = /^-- PostgreSQL database (?:cluster )?dump$/m
const HEAD_BYTES = 4_096

/** First bytes of other dump formats, in the order in which they are compared. */
const BEGINNINGS: readonly (readonly [RegExp, DumpFormat])[] = [
  [/^PGDMP/, 'archive'],
  [/^(?:\/\*!|\/\*M!|-- (?:MySQL|MariaDB) dump)/, 'mysql'],
  [/^\s*(?:\[|\{|<\?xml|<django-objects)/, 'django'],
]

/** Yields lines in batches, without line breaks. @throws Refusal `import-format` */
export async function* dumpLines(path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Iterable<Buffer>> {
  let isKnown = false
  for await (const whole of wholeLines(path, bytes)) {
    if (!isKnown) requireDump(path, whole)
    isKnown = true
    yield linesOf(path, whole)
  }
}

/**
 * Yields the file in pieces that end at a line break. The first piece is long enough to recognize the format, unless the file is shorter.
 */
async function* wholeLines(path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let least = HEAD_BYTES
  let [pieces, size]: [Uint8Array[], number] = [[], 0]
  for await (const chunk of bytes) {
    // Streams return buffered data without yielding to the event loop.
    await setImmediate()
    const end = size + chunk.length < least ? -1 : chunk.lastIndexOf(NEWLINE)
    if (end === -1) pieces.push(chunk)
    else {
      yield Buffer.concat([...pieces, chunk.subarray(0, end)])
      pieces = [chunk.subarray(end + 1)]
      size = -end - 1
      least = 0
    }
    size += chunk.length
    if (size > LINE_BYTES) {
      const words = `the file ${path} has a line of more than ${LINE_BYTES} bytes, longer than any Healthchecks row`
      throw new Refusal('import-damaged', words, { path })
    }
  }
  if (size > 0) yield Buffer.concat(pieces)
}

function requireDump(path: string, head: Uint8Array): void {
  const text = new TextDecoder('latin1').decode(head.subarray(0, HEAD_BYTES))
  if (HEAD.test(text)) return
  const kind = BEGINNINGS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'
  throw formatRefusal(path, kind)
}

/** Shared object for blank lines, of which there may be millions. */
const BLANK = Buffer.alloc(0)

/** Yields lines without line breaks. */
function* linesOf(path: string, bytes: Buffer): Generator<Buffer> {
  if (!isUtf8(bytes)) throw formatRefusal(path, 'encoding')
  let start = 0
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    yield start === end ? BLANK : withoutReturn(bytes.subarray(start, end))
    start = end + 1
  }
  yield withoutReturn(bytes.subarray(start))
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === RETURN ? line.subarray(0, -1) : line
}
