/** Starts the command of `overdue run`. */
import { closeSync, fstatSync } from 'node:fs'
import { codeOf, reasonOf } from '../lib/errors.ts'
import { openPipe } from './libc.ts'
import type { Source } from './pass-on.ts'
import type { Signal } from './signals.ts'

export interface Started {
  readonly pid: number
  readonly sources: readonly Source[]
  /** resolves when the command has ended; a signal without a name is given as a number */
  readonly ended: Promise<{ readonly status: number; readonly signal: Signal | number | null }>
}

/** Exit status and message with which a shell reports a command that it cannot start. */
export interface NotStarted {
  readonly status: 126 | 127
  readonly reason: string
}

export interface StartOptions {
  /** true if the command runs in its own session, so that it can be stopped together with its children */
  readonly isAlone: boolean
  /** signals that must remain ignored, although the runtime would reset them */
  readonly ignored: readonly Signal[]
}

/** Starts the command. It inherits this process's standard input. */
export function startCommand(command: readonly string[], options: StartOptions): Started | NotStarted {
  const [name = '', ...words] = command
  try {
    return spawn(ignoring(command, options.ignored), options)
  } catch (error) {
    // A script whose first line names no interpreter is a shell script.
    const file = codeOf(error) === 'ENOEXEC' ? Bun.which(name) : null
    return file === null ? notStarted(name, error) : startCommand(['/bin/sh', file, ...words], options)
  }
}

/**
 * Wraps the command in a shell, because a shell can ignore signals. A command that is not found is not wrapped, so that the system reports
 * the error.
 */
function ignoring(command: readonly string[], ignored: readonly Signal[]): readonly string[] {
  if (ignored.length === 0 || Bun.which(command[0] ?? '') === null) return command
  const names = ignored.map((signal) => signal.slice('SIG'.length)).join(' ')
  return ['/bin/sh', '-c', `trap '' ${names}; exec "$@"`, 'sh', ...command]
}

function spawn(command: readonly string[], { isAlone }: StartOptions): Started {
  const pipes = isSameFile(1, 2) ? [openPipe()] : [openPipe(), openPipe()]
  const [out = null, err = out] = pipes
  try {
    const child = Bun.spawn([...command], {
      stdin: 'inherit',
      stdout: out?.writeEnd ?? 'pipe',
      stderr: err?.writeEnd ?? 'pipe',
      detached: isAlone,
    })
    const { pid, stdout, stderr } = child
    return {
      pid,
      sources: [sourceOf(out, stdout, 1), ...(err === out && out !== null ? [] : [sourceOf(err, stderr, 2)])],
      ended: child.exited.then((status) => ({ status, signal: child.signalCode })),
    }
  } catch (error) {
    for (const pipe of pipes) if (pipe !== null) closeSync(pipe.readEnd)
    throw error
  } finally {
    // A reader sees the end of the output only when no process has the write end of the pipe open any more.
    for (const pipe of pipes) if (pipe !== null) closeSync(pipe.writeEnd)
  }
}

function sourceOf(pipe: ReturnType<typeof openPipe>, stream: unknown, to: 1 | 2): Source {
  const readEnd = pipe?.readEnd ?? null
  return { stream: (readEnd === null ? stream : Bun.file(readEnd).stream()) as Source['stream'], readEnd, to }
}

/** Returns true if both descriptors refer to the same file, such as a terminal. In that case, a single pipe keeps the output in order. */
function isSameFile(one: number, other: number): boolean {
  try {
    const [first, second] = [fstatSync(one), fstatSync(other)]
    return first.dev === second.dev && first.ino === second.ino
  } catch {
    return false
  }
}

function notStarted(name: string, error: unknown): NotStarted {
  if (codeOf(error) === 'ENOENT') return { status: 127, reason: `command not found: ${name}` }
  return { status: 126, reason: `the command cannot be executed: ${name}: ${reasonOf(error)}` }
}
