/** The parts of the process that the command line uses: streams, environment, clock and signals. Tests replace the streams. */
import type { Environment } from '../../config/settings.ts'
import type { Clock } from '../../lib/time.ts'

export interface Io {
  readonly out: Output
  readonly err: Output
  readonly input: Input
  readonly environment: Environment
  readonly now: Clock
  /** IANA name of this machine's time zone */
  zone(): string
  /** Asks a question on the terminal and waits for the answer. @returns true if the answer is yes */
  ask(question: string): boolean
  /** Calls the listener for each SIGINT and SIGTERM. Once a listener is added, these signals no longer end the process. */
  onSignal(listener: (signal: StopSignal) => void): void
  /** Exits the process immediately. */
  exit(status: number): never
}

type StopSignal = 'SIGINT' | 'SIGTERM'

export interface Output {
  /** null if standard output is not a terminal */
  readonly terminal: Terminal | null
  /** Writes immediately. Resolves when the reader accepts more data or has closed the pipe. */
  write(piece: string | Uint8Array): Promise<void>
}

export interface Terminal {
  /** width of the terminal in characters */
  readonly columns: number
  /** file descriptor of the terminal; another thread can write to it */
  readonly descriptor: number
}

export interface Input extends Pick<Blob, 'text' | 'bytes' | 'stream'> {
  readonly isTerminal: boolean
}
