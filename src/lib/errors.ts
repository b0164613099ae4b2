/** Helpers for errors from libraries and the system, which can be any value. */

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns an error's message followed by that of its cause. */
export function messageWithCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${messageOf(error)}${cause}`
}

/** Returns the error code from the system or the database engine, such as `EACCES` or `SQLITE_BUSY`; empty if there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Returns the place where a bug was thrown, for the log line about it; undefined if unknown. */
export function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : String(error)
}

const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EIO: 'input/output error',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'not a directory',
  ENOTFOUND: 'the host has no address',
  EROFS: 'read-only file system',
}

/**
 * Describes an error in the system's words instead of the runtime's, such as `connection refused`. Returns the message if the code is
 * unknown.
 */
export function reasonOf(error: unknown): string {
  return SYSTEM_WORDS[codeOf(error)] ?? messageWithCause(error)
}

/** Returns the message without the call and paths at the end of system messages, which reveal details about this machine. */
export function withoutPaths(error: unknown): string {
  const message = messageOf(error)
  const call = error instanceof Error && 'syscall' in error ? message.indexOf(`, ${error.syscall}`) : -1
  return call < 0 ? message : message.slice(0, call)
}
