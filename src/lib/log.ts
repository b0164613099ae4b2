/** The function that writes log lines; `observe.ts` chooses their destination. */

export type LogLevel = 'debug' | 'info' | 'warning' | 'error'

/** Logs one event with details that identify it; never a key, a ping URL or an email address. */
export type Log = (level: LogLevel, message: string, details?: Readonly<Record<string, unknown>>) => void
