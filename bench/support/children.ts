/** Starts the processes of a benchmark and stops them when it ends. */
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'

export type Child = Subprocess<'ignore' | 'pipe', 'pipe', 'inherit'>

const ROOT = join(import.meta.dir, '../..')
const STOPPED_WITHIN_MS = 5000

const running = new Set<Subprocess>()

/**
 * Runs a TypeScript file of the project with the Bun that runs this process.
 * @param settings the environment, to which PATH, HOME and TMPDIR are added
 */
export function startChild(words: readonly string[], settings: Readonly<Record<string, string>> = {}): Child {
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: ROOT,
    env: { PATH, HOME, TMPDIR, ...settings },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  running.add(child)
  return child
}

export interface ProgramPlace {
  /** environment, to which PATH, HOME and TMPDIR are added */
  readonly settings: Readonly<Record<string, string>>
  readonly directory: string
  /** file to which all output is appended */
  readonly log: string
}

/** Runs any program with empty standard input. */
export function startProgram(command: readonly string[], { settings, directory, log }: ProgramPlace): Subprocess {
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env
  const output = openSync(log, 'a')
  const child = Bun.spawn([...command], {
    cwd: directory,
    env: { PATH, HOME, TMPDIR, ...settings },
    stdin: 'ignore',
    stdout: output,
    stderr: output,
  })
  closeSync(output)
  running.add(child)
  return child
}

/** Sends SIGTERM, after five seconds SIGKILL, and waits until the child has ended. */
export async function stopChild(child: Subprocess): Promise<void> {
  child.kill('SIGTERM')
  const killing = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS)
  await child.exited
  clearTimeout(killing)
  running.delete(child)
}

export async function stopAllChildren(): Promise<void> {
  await Promise.all([...running].map(stopChild))
}

/** Kills all children at once, for signal handlers, which can't wait. */
export function killAllChildren(): void {
  for (const child of running) child.kill('SIGKILL')
}

/**
 * Writes the input of a child and waits until it ends. Returns its output.
 * @throws Error when it fails, or is still running after `withinSeconds`
 */
export async function outputOf(child: Child, input: string, withinSeconds: number): Promise<string> {
  const hung = setTimeout(() => child.kill('SIGKILL'), withinSeconds * 1000)
  if (typeof child.stdin === 'object') {
    child.stdin.write(input)
    child.stdin.end()
  }
  const [output, code] = await Promise.all([child.stdout.text(), child.exited])
  clearTimeout(hung)
  running.delete(child)
  if (code !== 0) throw new Error(`a child process ended with ${child.signalCode ?? code}: ${output}`)
  return output
}
