/** Writes log lines. `observe.ts` chooses where they go. */

export type LogLevel = 'debug' | 'info' | 'warning' | 'error'

/** Logs an event, with details that identify it. The details never contain a key, a ping URL or an email address. */
export type Log = (level: LogLevel, message: string, details?: Readonly<Record<string, unknown>>) => void
