/** Log lines in the words of whoever writes them; where they go is `observe.ts`. */

export type LogLevel = 'debug' | 'info' | 'warning' | 'error'

/** One event worth a line, with what tells it apart; never a key, a ping URL or a mail address. */
export type Log = (level: LogLevel, message: string, details?: Readonly<Record<string, unknown>>) => void
