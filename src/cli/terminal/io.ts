/** The process as the command line uses it: streams, environment, clock and signals. Tests give commands streams of their own. */
import type { Environment } from '../../config/settings.ts'
import type { Clock } from '../../lib/time.ts'

export interface Io {
  readonly out: Output
  readonly err: Output
  readonly input: Input
  readonly environment: Environment
  readonly now: Clock
  /** IANA name of the time zone of this machine */
  zone(): string
  /** Asks on the terminal, and waits for the answer. @returns true for a yes */
  ask(question: string): boolean
  /** Calls the listener at each SIGINT and SIGTERM, which from then on do not end the process. */
  onSignal(listener: (signal: StopSignal) => void): void
  /** Ends the process at once. */
  exit(status: number): never
}

type StopSignal = 'SIGINT' | 'SIGTERM'

export interface Output {
  /** null: not a terminal */
  readonly terminal: Terminal | null
  /** Writes at once. Resolves when a slow reader accepts more, and when there is no reader left. */
  write(piece: string | Uint8Array): Promise<void>
}

export interface Terminal {
  /** its width in characters */
  readonly columns: number
  /** descriptor of the open file, to which another thread can write */
  readonly descriptor: number
}

export interface Input extends Pick<Blob, 'text' | 'bytes' | 'stream'> {
  readonly isTerminal: boolean
}
