/**
 * Calls functions of the C library that the runtime does not offer, on Linux. On other systems, or if the library is missing, these
 * functions do nothing, and their callers use the runtime instead.
 */
import { dlopen, FFIType, ptr } from 'bun:ffi'

const { i32, i64, ptr: pointer } = FFIType
const SYMBOLS = {
  pipe2: { args: [pointer, i32], returns: i32 },
  signal: { args: [i32, pointer], returns: pointer },
  pwritev2: { args: [i32, pointer, i32, i64, i32], returns: i64 },
  setrlimit: { args: [i32, pointer], returns: i32 },
} as const

function openLibrary() {
  const musl = process.arch === 'arm64' ? 'libc.musl-aarch64.so.1' : 'libc.musl-x86_64.so.1'
  for (const name of process.platform === 'linux' ? ['libc.so.6', musl] : []) {
    try {
      return dlopen(name, SYMBOLS).symbols
    } catch {
      // The next name in the list belongs to the other C library.
    }
  }
  return null
}

const library = openLibrary()
const O_CLOEXEC = 0o2000000
const RLIMIT_CORE = 4

export interface Pipe {
  readonly readEnd: number
  readonly writeEnd: number
}

/**
 * Opens a pipe. The runtime would use sockets for its children instead. A command cannot open a socket as `/dev/stdout` or `/dev/stderr`,
 * and gets a different error when the reader closes it.
 */
export function openPipe(): Pipe | null {
  const ends = new Int32Array(2)
  if (library === null || library.pipe2(ptr(ends), O_CLOEXEC) !== 0) return null
  const [readEnd = 0, writeEnd = 0] = ends
  return { readEnd, writeEnd }
}

const RWF_NOWAIT = 8
const vector = new BigUint64Array(2)

/**
 * Writes as much as fits into a pipe, without waiting. The runtime's own calls would wait, or use another thread and twice the processor
 * time.
 * @returns the number of bytes written; 0 where this is not possible, for example on a terminal
 */
export function writeAtOnce(to: number, bytes: Uint8Array): number {
  if (library === null) return 0
  vector[0] = BigInt(ptr(bytes))
  vector[1] = BigInt(bytes.length)
  return Math.max(0, Number(library.pwritev2(to, ptr(vector), 1, -1n, RWF_NOWAIT)))
}

/** Restores a signal's default action for this process, without a core dump. @param signal number of the signal */
export function restoreSignal(signal: number): void {
  library?.setrlimit(RLIMIT_CORE, ptr(new BigUint64Array(2)))
  library?.signal(signal, null)
}
