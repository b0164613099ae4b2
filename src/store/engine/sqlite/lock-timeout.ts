/** Milliseconds that a connection waits for the lock of another program, such as a command. */
export const LOCK_TIMEOUT_MS = 5_000
