/** The parts of the process that the command line uses: streams, environment, clock and signals. Tests replace the streams. */
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
  /** Asks a question on the terminal and waits for the answer. @returns true if the answer is yes */
  ask(question: string): boolean
  /** Calls the listener at each SIGINT and SIGTERM. From then on, these signals do not end the process by themselves. */
  onSignal(listener: (signal: StopSignal) => void): void
  /** Ends the process at once. */
  exit(status: number): never
}

type StopSignal = 'SIGINT' | 'SIGTERM'

export interface Output {
  /** null if standard output is not a terminal */
  readonly terminal: Terminal | null
  /** Writes immediately. Resolves when the reader accepts more, or has gone away. */
  write(piece: string | Uint8Array): Promise<void>
}

export interface Terminal {
  /** width of the terminal in characters */
  readonly columns: number
  /** file descriptor of the terminal, to which another thread can write */
  readonly descriptor: number
}

export interface Input extends Pick<Blob, 'text' | 'bytes' | 'stream'> {
  readonly isTerminal: boolean
}
