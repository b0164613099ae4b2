/** Writes log lines. `observe.ts` decides where they go. */

export type LogLevel = 'debug' | 'info' | 'warning' | 'error'

/** Logs an event together with details that identify it. The details never contain keys, ping URLs or email addresses. */
export type Log = (level: LogLevel, message: string, details?: Readonly<Record<string, unknown>>) => void
