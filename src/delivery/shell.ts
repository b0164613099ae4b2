/** Runs a command in its own shell. The transport interprets the exit status. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { ShellAnswer, ShellRunner } from '../domain/carrier/shell.ts'
import { codeOf } from '../lib/errors.ts'

interface ShellRunnerOptions {
  /** The command's complete environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Time limit of a command's complete run in seconds; 30 by default. */
  readonly timeoutSeconds?: number
}

interface CommandShell {
  readonly run: ShellRunner
  /** Kills running commands, because nothing else could stop them in time. */
  close(): void
}

/**
 * Creates a command runner. Commands get no input, and their output is discarded. A command that takes too long is killed with its process
 * group. After a normal exit, background processes keep running.
 */
export function createShellRunner({ environment, timeoutSeconds = 30 }: ShellRunnerOptions): CommandShell {
  const running = new Set<ChildProcess>()

  const start = (command: string, done: (answer: ShellAnswer) => void) => {
    // The option `detached` makes the shell the leader of a process group, so that the whole group can be killed.
    const shell = spawn('/bin/sh', ['-c', command], { env: environment, stdio: 'ignore', detached: true })
    const end = (answer: ShellAnswer) => {
      clearTimeout(timer)
      running.delete(shell)
      done(answer)
    }
    const timer = setTimeout(() => {
      killGroup(shell)
      end({ kind: 'aborted', error: `Command did not finish within ${timeoutSeconds} seconds` })
    }, timeoutSeconds * 1000)
    running.add(shell)
    shell.on('error', (error) => end(notStarted(error)))
    shell.on('exit', (status, signal) => {
      end(status === null ? { kind: 'aborted', error: `Command was killed by ${signal}` } : { kind: 'exited', status })
    })
  }

  return {
    run: ({ command }) =>
      new Promise((resolve) => {
        try {
          start(command, resolve)
        } catch (error) {
          // The command can't be passed as an argument, for example because of a NUL byte.
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
    // The process group has already ended.
  }
}

function notStarted(error: unknown): ShellAnswer {
  const code = codeOf(error)
  return { kind: 'aborted', error: `Command could not be started${code === '' ? '' : ` (${code})`}` }
}
