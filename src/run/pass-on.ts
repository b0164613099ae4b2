/** Forwards a command's output as fast as its reader reads it. */
import { closeSync, write } from 'node:fs'
import { codeOf } from '../lib/errors.ts'
import { writeAtOnce } from './libc.ts'

/** A command's output stream and its destination. */
export interface Source {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /** read end of the pipe; null if the runtime created the stream */
  readonly readEnd: number | null
  /** standard output or standard error of this process */
  readonly to: 1 | 2
}

export interface Passing {
  /** resolves when everything was forwarded, the reader has closed its end, or another process takes over */
  readonly ended: Promise<void>
  /** Lets another process forward the later output of processes that share the command's pipe. */
  leave(): void
}

/** @param keep called with each piece of output, which is valid only during the call */
export function passOn(source: Source, keep: (bytes: Uint8Array) => void): Passing {
  const { readEnd, to } = source
  const reader = source.stream.getReader()
  let isLeft = false
  let isWriting = false
  let hasReader = true

  async function passPieces(): Promise<void> {
    for (;;) {
      const { value } = await reader.read()
      if (value === undefined) return
      keep(value)
      isWriting = true
      const failure = hasReader ? await writeAll(to, value) : null
      isWriting = false
      free(value)
      // The command notices the closed pipe as it would without this program: its next write fails.
      if (failure === 'EPIPE') return reader.cancel()
      // A full disk or a closed terminal does not stop the command.
      if (failure !== null) hasReader = false
      if (isLeft) return reader.cancel()
    }
  }

  const passed = passPieces().then(() => {
    if (isLeft && readEnd !== null) Bun.spawn(['cat'], { stdin: readEnd, stdout: to, stderr: 'ignore' }).unref()
    if (readEnd !== null) closeSync(readEnd)
  })
  return {
    ended: passed,
    leave() {
      isLeft = true
      // Waits for a piece that is still being written, no matter how long its reader takes.
      if (!isWriting) void reader.cancel()
    },
  }
}

/**
 * Writes with system calls instead of a stream. A stream would make the open file non-blocking, and other programs that share the file,
 * such as the next one in a script, would fail.
 * @returns the error code, or null
 */
async function writeAll(to: number, bytes: Uint8Array): Promise<string | null> {
  for (let at = writeAtOnce(to, bytes); at < bytes.length; ) {
    const result = await new Promise<number | string>((resolve) =>
      write(to, bytes, at, bytes.length - at, null, (error, written) => resolve(error ? codeOf(error) : written)),
    )
    if (typeof result === 'number') at += result
    else if (result === 'EAGAIN') await Bun.sleep(BUSY_MS)
    else return result
  }
  return null
}

/**
 * Pause in milliseconds between attempts if another program made the file non-blocking. The system does not report when the file's reader
 * has room.
 */
const BUSY_MS = 5

/** Frees a piece's memory at once. The garbage collector would wait until tens of megabytes have accumulated. */
function free({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (buffer.byteLength === byteLength) buffer.transfer(0)
}
