/** Passes on what a command prints, at the speed of its reader. */
import { closeSync, write } from 'node:fs'
import { codeOf } from '../lib/errors.ts'
import { writeAtOnce } from './libc.ts'

/** The output of a command to one place. */
export interface Source {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /** the read end of its pipe; null if the runtime made the stream */
  readonly readEnd: number | null
  /** standard output or standard error of this process */
  readonly to: 1 | 2
}

export interface Passing {
  /** resolves when everything was passed on, the reader has gone, or others go on */
  readonly ended: Promise<void>
  /** Lets another process pass on what others print who have the pipe from the command. */
  leave(): void
}

/** @param keep is called with each piece, which is valid only during the call */
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
      // The command learns of it as without this program: its next write fails.
      if (failure === 'EPIPE') return reader.cancel()
      // A full disk, or a terminal that has gone, does not end the command.
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
      // A piece that its reader has not taken is waited for, as long as that takes.
      if (!isWriting) void reader.cancel()
    },
  }
}

/**
 * Writes by the calls of the system, not by a stream: that would make the file description non-blocking, and another program that
 * shares it, such as the next one in a script, would fail. @returns the code of the error, or null
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

/** Another program has made the description non-blocking, and nothing tells when its reader has room. */
const BUSY_MS = 5

/** Gives the memory of a piece back now: the collector would wait for tens of megabytes. */
function free({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (buffer.byteLength === byteLength) buffer.transfer(0)
}
