/** Number of milliseconds that a connection waits for another program's lock, such as that of a command. */
export const LOCK_TIMEOUT_MS = 5_000
