/**
 * Calls of the C library that the runtime does not offer, on Linux. Elsewhere, or without the library, they do nothing, and their
 * callers fall back to the runtime.
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
      // The next name is that of the other library.
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
 * Opens a pipe. The runtime connects its children by sockets instead. A command cannot open those as `/dev/stdout` and
 * `/dev/stderr`, and notices the end of their reader in another way.
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
 * Writes as much as a pipe has room for, and does not wait. A call of the runtime would wait, or take another thread and twice
 * the processor time. @returns the number of bytes; 0 where this is not possible, as on a terminal
 */
export function writeAtOnce(to: number, bytes: Uint8Array): number {
  if (library === null) return 0
  vector[0] = BigInt(ptr(bytes))
  vector[1] = BigInt(bytes.length)
  return Math.max(0, Number(library.pwritev2(to, ptr(vector), 1, -1n, RWF_NOWAIT)))
}

/** Restores the default action of a signal for this process, without a core dump. @param signal its number */
export function restoreSignal(signal: number): void {
  library?.setrlimit(RLIMIT_CORE, ptr(new BigUint64Array(2)))
  library?.signal(signal, null)
}
