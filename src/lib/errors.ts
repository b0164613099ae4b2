/** Reads errors of libraries and of the system, which may be any value. */

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The message of an error, and the message of its cause. */
export function messageWithCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${messageOf(error)}${cause}`
}

/** The code that the system or the database engine gives: `EACCES`, `SQLITE_BUSY`; empty when there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** For the log line of a bug: where it was thrown, if that is known. */
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

/** In the words of the system instead of the runtime's: `connection refused`; the message if the code is not known. */
export function reasonOf(error: unknown): string {
  return SYSTEM_WORDS[codeOf(error)] ?? messageWithCause(error)
}

/** The message of an error. One of the system ends with its call and the paths of that, which tell of this machine. */
export function withoutPaths(error: unknown): string {
  const message = messageOf(error)
  const call = error instanceof Error && 'syscall' in error ? message.indexOf(`, ${error.syscall}`) : -1
  return call < 0 ? message : message.slice(0, call)
}
