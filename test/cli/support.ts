/** The program as a process, and folders for its files. */
import type { Settings, Started } from '../support/command-line.ts'
import { environment } from '../support/environment.ts'
import { temporaryFolder } from '../support/folder.ts'
import { FROM_SOURCE } from '../support/served.ts'

/** Starts `serve` as a process and waits until it is ready. */
export async function startProcess(settings: Settings, ...words: readonly string[]): Promise<Started> {
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
  /** DATABASE_URL of a database in the folder */
  readonly url: string
  remove(): void
}

export function folder(): Folder {
  const { path, file, remove } = temporaryFolder()
  return { path, url: `sqlite:${file('o.db')}`, remove }
}
