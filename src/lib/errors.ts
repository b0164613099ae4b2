/** Helpers for errors thrown by libraries and the system, which can be any value. */

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns an error's message, followed by the message of its cause if there is one. */
export function messageWithCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${messageOf(error)}${cause}`
}

/** Returns the error code reported by the system or the database engine, such as `EACCES` or `SQLITE_BUSY`; empty if there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Returns the location from which an unexpected error was thrown, for the log; undefined if unknown. */
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
 * Describes an error in the system's terms instead of the runtime's, such as `connection refused`. Returns the error's message if its code
 * is unknown.
 */
export function reasonOf(error: unknown): string {
  return SYSTEM_WORDS[codeOf(error)] ?? messageWithCause(error)
}

/** Returns the message without the system call and paths at the end of system messages, because they reveal details about this machine. */
export function withoutPaths(error: unknown): string {
  const message = messageOf(error)
  const call = error instanceof Error && 'syscall' in error ? message.indexOf(`, ${error.syscall}`) : -1
  return call < 0 ? message : message.slice(0, call)
}
