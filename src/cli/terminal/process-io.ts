/**
 * Provides the streams, the environment and the signals of this process. Standard output may have a slow reader, may be a file on a full
 * disk, or may be a closed pipe.
 */
import { finished } from 'node:stream/promises'
import { systemClock } from '../../app/system-clock.ts'
import { codeOf, reasonOf } from '../../lib/errors.ts'
import type { Io, Output, Terminal } from './io.ts'

interface ProcessIo extends Io {
  /** Waits until all output has been written. @returns false if some output could not be written */
  finishOutput(): Promise<boolean>
}

/** Creates the streams. The first error on standard output is reported on standard error. It is not an error if the reader stops early. */
export function createProcessIo(): ProcessIo {
  const { stdout } = process
  // After an error, the stream may never resolve a pending write, and may never finish.
  const failed = Promise.withResolvers<unknown>()
  stdout.once('error', (error) => {
    if (codeOf(error) !== 'EPIPE') process.stderr.write(`cannot write to standard output: ${reasonOf(error)}\n`)
    failed.resolve(error)
    // An error event without a listener would end the process.
    stdout.on('error', () => {})
  })
  return {
    out: outputOf(stdout, failed.promise),
    err: outputOf(process.stderr, NEVER),
    input: {
      get isTerminal() {
        return process.stdin.isTTY === true
      },
      text: () => Bun.stdin.text(),
      bytes: () => Bun.stdin.bytes(),
      stream: () => Bun.stdin.stream(),
    },
    environment: process.env,
    now: systemClock,
    zone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    ask: (question) => confirm(question),
    onSignal(listener) {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => listener(signal))
    },
    exit: (status) => process.exit(status),
    async finishOutput() {
      stdout.end()
      const whole = finished(stdout).then(
        () => null,
        (error: unknown) => error,
      )
      const error = await Promise.race([whole, failed.promise])
      return error === null || codeOf(error) === 'EPIPE'
    },
  }
}

const NEVER = new Promise<never>(() => {})

/** @param failed resolves when the stream has failed; output written after that is dropped */
function outputOf(stream: Stream, failed: Promise<unknown>): Output {
  let drained: Promise<void> | null = null
  return {
    get terminal() {
      return terminalOf(stream)
    },
    async write(piece) {
      if (stream.write(piece)) return
      drained ??= new Promise<void>((resolve) => stream.once('drain', resolve)).then(() => {
        drained = null
      })
      await Promise.race([drained, failed])
    },
  }
}

type Stream = NodeJS.WriteStream & { readonly fd: 1 | 2 }

/** Assumed width of a terminal that does not report its width. */
const DEFAULT_COLUMNS = 80

function terminalOf({ isTTY, columns, fd }: Stream): Terminal | null {
  return isTTY ? { columns: columns || DEFAULT_COLUMNS, descriptor: fd } : null
}
