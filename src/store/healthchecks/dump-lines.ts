/** The lines of a plain dump of PostgreSQL. Anything else is told apart by how it begins. */
import { setImmediate } from 'node:timers/promises'
import { Refusal } from '../../domain/errors.ts'
import { type DumpFormat, formatRefusal } from './dump-formats.ts'

/** A body as hexadecimal digits is twice as long as it was. */
const LINE_BYTES = 512 * 1024 * 1024
const NEWLINE = 0x0a
const HEAD = /^-- PostgreSQL database (?:cluster )?dump$/m
const HEAD_BYTES = 4_096

/** Checked in this order. */
const BEGINNINGS: readonly (readonly [RegExp, DumpFormat])[] = [
  [/^PGDMP/, 'archive'],
  [/^(?:\/\*!|\/\*M!|-- (?:MySQL|MariaDB) dump)/, 'mysql'],
  [/^\s*(?:\[|\{|<\?xml|<django-objects)/, 'django'],
]

/** @throws Refusal `import-format` */
export async function* dumpLines(path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let isKnown = false
  for await (const whole of wholeLines(path, bytes)) {
    if (!isKnown) requireDump(path, whole)
    isKnown = true
    yield* linesOf(path, whole)
  }
}

/** Pieces that end with a line; the first has as much as tells what the file is, or all of it. */
async function* wholeLines(path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let least = HEAD_BYTES
  let [pieces, size]: [Uint8Array[], number] = [[], 0]
  for await (const chunk of bytes) {
    // Streams hand over what they have without a pause.
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
    if (size > LINE_BYTES) throw new Refusal('import-damaged', `the file ${path} has too long a line`, { path })
  }
  if (size > 0) yield Buffer.concat(pieces)
}

function requireDump(path: string, head: Uint8Array): void {
  const text = new TextDecoder('latin1').decode(head.subarray(0, HEAD_BYTES))
  if (HEAD.test(text)) return
  const kind = BEGINNINGS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'
  throw formatRefusal(path, kind)
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function* linesOf(path: string, bytes: Uint8Array): Generator<string> {
  for (const line of decoded(path, bytes).split('\n')) yield line.endsWith('\r') ? line.slice(0, -1) : line
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    throw formatRefusal(path, 'encoding')
  }
}
