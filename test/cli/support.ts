/** Runs the program as a process, in a folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment, FROM_SOURCE, type Ran, runProgram } from '../support/served.ts'

export type Run = Ran
export type Settings = Readonly<Record<string, string>>

/** Runs a command to its end. @param input what it reads from standard input */
export function run(words: readonly string[], settings: Settings = {}, input = ''): Promise<Run> {
  return runProgram(FROM_SOURCE, words, settings, input)
}

export interface Started {
  /** what the server printed when it was ready; it prints nothing later */
  readonly out: string
  stop(signal: 'SIGINT' | 'SIGTERM'): Promise<Run>
}

/** Starts `serve` and waits until it is ready. */
export async function start(settings: Settings, ...words: readonly string[]): Promise<Started> {
  const child = Bun.spawn([...FROM_SOURCE.command, 'serve', ...words], {
    cwd: FROM_SOURCE.cwd,
    env: environment({ HOST: '127.0.0.1', PORT: '0', ...settings }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const err = child.stderr.text()
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  let out = ''
  // The server prints it with one write.
  const first = await reader.read()
  out += decoder.decode(first.value, { stream: true })
  if (first.done) throw new Error(`the server did not start:\n${await err}`)
  return {
    out,
    async stop(signal) {
      child.kill(signal)
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) out += decoder.decode(chunk.value)
      return { code: await child.exited, out, err: await err }
    },
  }
}

export interface Folder {
  readonly path: string
  /** DATABASE_URL for a database there */
  readonly url: string
  remove(): void
}

export function folder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'overdue-'))
  return { path, url: `sqlite:${join(path, 'o.db')}`, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Runs a command on a terminal. @param typed the input of a person */
export async function runOnTerminal(
  words: readonly string[],
  settings: Settings = {},
  columns = 80,
  typed = '',
): Promise<{ readonly code: number; readonly out: string }> {
  const decoder = new TextDecoder()
  let out = ''
  const closed = Promise.withResolvers<void>()
  const child = Bun.spawn([...FROM_SOURCE.command, ...words], {
    cwd: FROM_SOURCE.cwd,
    env: environment({ TERM: 'xterm', ...settings }),
    terminal: {
      cols: columns,
      rows: 24,
      data(terminal, bytes) {
        const first = out === ''
        out += decoder.decode(bytes, { stream: true })
        if (first && typed !== '') terminal.write(typed)
      },
      exit: () => closed.resolve(),
    },
  })
  const code = await child.exited
  // The last output arrives before the terminal closes.
  await closed.promise
  child.terminal?.close()
  return { code, out: out.replaceAll('\r\n', '\n') }
}
