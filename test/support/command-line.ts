/** Runs commands within this process, on streams, an environment and a clock of their own. */

import { systemClock } from '../../src/app/system-clock.ts'
import { runCli } from '../../src/cli/index.ts'
import type { Io, Output, Terminal } from '../../src/cli/terminal/io.ts'
import type { Clock } from '../../src/lib/time.ts'
import { environment } from './environment.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export type Settings = Readonly<Record<string, string>>

/** Runs a command to its end. @param input its standard input */
export function run(
  words: readonly string[],
  settings: Settings = {},
  input = '',
  now: Clock = systemClock,
): Promise<Ran> {
  return runRecorded(words, { settings, input, now, ...NO_TERMINAL })
}

/** Runs a command on a terminal. @param answer of the person to every question */
export function runOnTerminal(
  words: readonly string[],
  settings: Settings = {},
  columns = 80,
  answer = false,
): Promise<Ran> {
  const terminal = { columns, descriptor: -1 }
  return runRecorded(words, { settings, input: '', now: systemClock, terminal, answer })
}

export interface Started {
  /** output of the server when it was ready; it prints nothing later */
  readonly out: string
  stop(signal: 'SIGINT' | 'SIGTERM'): Promise<Ran>
}

/** Starts `serve` and waits until it is ready. */
export async function start(settings: Settings, ...words: readonly string[]): Promise<Started> {
  const ready = Promise.withResolvers<void>()
  const listeners: ((signal: 'SIGINT' | 'SIGTERM') => void)[] = []
  const [out, err] = [recorder(null), recorder(null)]
  // The server prints all at once.
  const onReady: Output = { terminal: null, write: (piece) => out.write(piece).then(ready.resolve) }
  const given = { HOST: '127.0.0.1', PORT: '0', ...settings }
  const io = ioOf({ settings: given, input: '', now: systemClock, ...NO_TERMINAL }, onReady, err)
  const ended = runCli(['serve', ...words], { ...io, onSignal: (listener) => void listeners.push(listener) })
  await Promise.race([ready.promise, ended])
  if (out.written() === '') throw new Error(`the server did not start:\n${err.written()}`)
  return {
    out: out.written(),
    async stop(signal) {
      for (const listener of listeners) listener(signal)
      return { code: await ended, out: out.written(), err: err.written() }
    },
  }
}

interface Surroundings {
  readonly settings: Settings
  readonly input: string
  readonly now: Clock
  /** terminal of its input and output; null: they are no terminal */
  readonly terminal: Terminal | null
  /** the person's answer to every question */
  readonly answer: boolean
}

const NO_TERMINAL = { terminal: null, answer: false }

async function runRecorded(words: readonly string[], surroundings: Surroundings): Promise<Ran> {
  const [out, err] = [recorder(surroundings.terminal), recorder(null)]
  const code = await runCli(words, ioOf(surroundings, out, err))
  return { code, out: out.written(), err: err.written() }
}

function ioOf({ settings, input, now, terminal, answer }: Surroundings, out: Output, err: Output): Io {
  const blob = new Blob([input])
  return {
    out,
    err,
    input: {
      isTerminal: terminal !== null,
      text: () => blob.text(),
      bytes: () => blob.bytes(),
      stream: () => blob.stream(),
    },
    environment: environment(settings),
    now,
    zone: () => settings.TZ ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    ask(question) {
      void out.write(`${question}\n`)
      return answer
    },
    onSignal: () => {},
    exit(status) {
      throw new Error(`the process would end with exit status ${status}`)
    },
  }
}

function recorder(terminal: Terminal | null): Output & { written(): string } {
  const pieces: Uint8Array[] = []
  return {
    terminal,
    async write(piece) {
      pieces.push(Buffer.from(piece))
    },
    written: () => Buffer.concat(pieces).toString(),
  }
}
