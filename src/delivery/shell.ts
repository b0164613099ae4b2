/** Runs a command in a shell of its own. What its end means is left to the transport. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { ShellAnswer, ShellRunner } from '../domain/shell.ts'

export interface ShellRunnerOptions {
  /** All that commands see of an environment. */
  readonly environment: Readonly<Record<string, string>>
  /** From the start to the end; 30 by default. */
  readonly timeoutSeconds?: number
}

export interface CommandShell {
  readonly run: ShellRunner
  /** Kills what is running; nobody would be left to end it in time. */
  close(): void
}

/**
 * Commands read nothing, and what they write is discarded. A command that is not done in time is killed with all that it
 * has started and not detached; what it leaves running at an end of its own is its own affair.
 */
export function createShellRunner({ environment, timeoutSeconds = 30 }: ShellRunnerOptions): CommandShell {
  const running = new Set<ChildProcess>()

  const start = (command: string, done: (answer: ShellAnswer) => void) => {
    // Detached: the leader of a process group, which can be killed as a whole.
    const shell = spawn('/bin/sh', ['-c', command], { env: environment, stdio: 'ignore', detached: true })
    const end = (answer: ShellAnswer) => {
      clearTimeout(timer)
      running.delete(shell)
      done(answer)
    }
    const timer = setTimeout(() => {
      killGroup(shell)
      end({ kind: 'aborted', error: `Command was not done after ${timeoutSeconds} seconds` })
    }, timeoutSeconds * 1000)
    running.add(shell)
    shell.on('error', (error) => end(notStarted(error)))
    shell.on('exit', (status, signal) => {
      end(status === null ? { kind: 'aborted', error: `Command was ended by ${signal}` } : { kind: 'exited', status })
    })
  }

  return {
    run: ({ command }) =>
      new Promise((resolve) => {
        try {
          start(command, resolve)
        } catch (error) {
          // An argument that no program can be given.
          resolve(notStarted(error))
        }
      }),
    close() {
      for (const shell of running) killGroup(shell)
    },
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It ended by itself at this very moment.
  }
}

function notStarted(error: unknown): ShellAnswer {
  const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
  return { kind: 'aborted', error: `Command could not be started${reason}` }
}
