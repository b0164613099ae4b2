/** Keeps the beginning and the end of an output in a fixed amount of memory, and builds a ping's body from them. */
import { masked } from './masks.ts'

/** number of bytes kept at each end; longer bodies are not sent, even if the server would accept them */
const END_BYTES = 512 * 1024
/** Number of bytes next to a cut that may contain half a match of a mask, unless a line begins there. */
const UNSURE_BYTES = 16 * 1024
/** number of bytes reserved for the line that reports omitted output */
const LEFT_OUT_BYTES = 80

export interface Output {
  /** Adds output of the command. Copies the bytes. */
  add(bytes: Uint8Array): void
  /**
   * Builds a ping's body. The body contains all output if it fits, and otherwise its beginning and its end. A line between them says how
   * much was left out.
   * @param limit maximum size in bytes, including the note
   * @param note the last line; empty if there is none
   */
  body(limit: number, masks: readonly RegExp[], note: string): Buffer
}

export function createOutput(): Output {
  // The system allocates the buffer's memory only as it is written.
  const head = Buffer.allocUnsafeSlow(END_BYTES)
  const tail = Buffer.allocUnsafeSlow(END_BYTES)
  let total = 0

  function addToTail(bytes: Uint8Array): void {
    // Skips bytes that do not fit into the tail, because later bytes would overwrite them anyway.
    const begin = Math.max(0, bytes.length - END_BYTES)
    const at = (total - END_BYTES + begin) % END_BYTES
    const untilEdge = bytes.subarray(begin, begin + END_BYTES - at)
    tail.set(untilEdge, at)
    tail.set(bytes.subarray(begin + untilEdge.length), 0)
  }

  function parts(): { begin: Buffer; end: Buffer; lost: number } {
    const inTail = total - END_BYTES
    if (inTail <= 0) return { begin: head.subarray(0, total), end: EMPTY, lost: 0 }
    if (inTail <= END_BYTES) return { begin: Buffer.concat([head, tail.subarray(0, inTail)]), end: EMPTY, lost: 0 }
    const at = inTail % END_BYTES
    return { begin: head, end: Buffer.concat([tail.subarray(at), tail.subarray(0, at)]), lost: inTail - END_BYTES }
  }

  return {
    add(bytes) {
      const inHead = bytes.subarray(0, Math.max(0, END_BYTES - total))
      head.set(inHead, Math.min(total, END_BYTES))
      total += inHead.length
      const rest = bytes.subarray(inHead.length)
      if (rest.length === 0) return
      addToTail(rest)
      total += rest.length
    },
    body(limit, masks, note) {
      const last = note === '' ? EMPTY : Buffer.from(`${note}\n`)
      const { begin, end, lost } = parts()
      const room = limit - last.length - 1
      if (lost === 0) {
        const whole = masked(begin, masks)
        return joined(whole.length <= room ? [whole, last] : [...shortened(whole, EMPTY, 0, room), last])
      }
      const isUnsure = masks.length > 0
      const sureBegin = isUnsure ? withoutLastLine(begin) : begin
      const sureEnd = isUnsure ? withoutFirstLine(end) : end
      const unsure = begin.length - sureBegin.length + end.length - sureEnd.length
      return joined([...shortened(masked(sureBegin, masks), masked(sureEnd, masks), lost + unsure, room), last])
    },
  }
}

const EMPTY = Buffer.alloc(0)

/**
 * Returns the beginning, a line that says how many bytes were left out, and the end.
 * @param end empty if `begin` contains the whole output
 */
function shortened(begin: Buffer, end: Buffer, lost: number, room: number): Buffer[] {
  const half = Math.max(0, Math.floor((room - LEFT_OUT_BYTES) / 2))
  const first = begin.subarray(0, characterBefore(begin, half))
  const source = end.length === 0 && lost === 0 ? begin : end
  const last = source.subarray(characterFrom(source, Math.max(0, source.length - half)))
  const leftOut = lost + begin.length + end.length - first.length - last.length
  return [first, Buffer.from(`[overdue run: ${leftOut} bytes were left out here]\n`), last]
}

/** Joins the pieces with line breaks. */
function joined(pieces: readonly Buffer[]): Buffer {
  const some = pieces.filter(({ length }) => length > 0)
  return Buffer.concat(
    some.flatMap((piece, index) => (index > 0 && some[index - 1]?.at(-1) !== LF ? [NEW_LINE, piece] : piece)),
  )
}

const LF = 0x0a
const NEW_LINE = Buffer.from('\n')

function withoutLastLine(text: Buffer): Buffer {
  const end = text.lastIndexOf(LF) + 1
  return text.subarray(0, Math.max(end, text.length - UNSURE_BYTES))
}

function withoutFirstLine(text: Buffer): Buffer {
  const lineEnd = text.indexOf(LF)
  return text.subarray(lineEnd < 0 ? UNSURE_BYTES : Math.min(lineEnd + 1, UNSURE_BYTES))
}

/** maximum number of bytes that follow the first byte of a UTF-8 character */
const FOLLOWING_MAX = 3
const isFollowing = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Returns a position at or before `at` that does not split the character before it. */
function characterBefore(text: Buffer, at: number): number {
  if (at >= text.length) return text.length
  const begins = [0, 1, 2, 3].map((back) => at - back).find((place) => place >= 0 && !isFollowing(text[place]))
  return begins ?? at
}

/** Returns a position that does not split the character after it. */
function characterFrom(text: Buffer, at: number): number {
  let place = at
  while (at > 0 && place < at + FOLLOWING_MAX && isFollowing(text[place])) place += 1
  return place
}
