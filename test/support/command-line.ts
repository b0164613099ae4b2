/** Runs commands within this process, on streams, an environment and a clock of their own. */
import { runCli } from '../../src/cli/index.ts'
import type { Io, Output, Terminal } from '../../src/cli/io.ts'
import type { Clock } from '../../src/lib/time.ts'
import { systemClock } from '../../src/system-clock.ts'
import { environment } from './environment.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export type Settings = Readonly<Record<string, string>>

/** Runs a command to its end. @param input what it reads from standard input */
export function run(
  words: readonly string[],
  settings: Settings = {},
  input = '',
  now: Clock = systemClock,
): Promise<Ran> {
  return runRecorded(words, { settings, input, now, terminal: null, answer: false })
}

/** Runs a command on a terminal. @param answer of the person who is asked */
export function runOnTerminal(
  words: readonly string[],
  settings: Settings = {},
  columns = 80,
  answer = false,
): Promise<Ran> {
  const terminal = { columns, descriptor: -1 }
  return runRecorded(words, { settings, input: '', now: systemClock, terminal, answer })
}

interface Surroundings {
  readonly settings: Settings
  readonly input: string
  readonly now: Clock
  /** that its input and its output are; null: they are none */
  readonly terminal: Terminal | null
  /** to every question */
  readonly answer: boolean
}

async function runRecorded(words: readonly string[], surroundings: Surroundings): Promise<Ran> {
  const { settings, input, now, terminal, answer } = surroundings
  const [out, err] = [recorder(terminal), recorder(null)]
  const blob = new Blob([input])
  const io: Io = {
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
  const code = await runCli(words, io)
  return { code, out: out.written(), err: err.written() }
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
