/** Runs the parts of a line, one program after the other, as the reader of the line would. */
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Folder } from '../../test/support/folder.ts'

/** A program that a line starts. */
export interface Step {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** true: its exit status is that of the job */
  readonly isJob?: boolean
}

/** A line that Overdue writes or documents. */
export interface Line {
  readonly name: string
  /** programs that it needs */
  readonly needs: readonly string[]
  /** @param place of the files of this run: `job.sh` is the job */
  steps(url: string, status: number, place: Place): readonly Step[]
  /** expected pings of a job that ended with a status */
  readonly endings: (status: number) => readonly string[]
  /** exit status of a failed job, if it differs from the job's own */
  readonly failure?: number
  /** true: the output of the job is sent with its end */
  readonly sendsOutput: boolean
}

export interface Place {
  readonly path: string
  /** Writes an executable file. @returns its path */
  write(name: string, text: string): string
}

export interface Result {
  /** exit status of the job, as seen by its parent */
  readonly status: number | null
  readonly seconds: number
  readonly output: string
  readonly errors: string
}

/** End of the output of a job, which is longer than the server keeps. */
export const OUTPUT = 'the job ran: ü'
export const WHOLE_OUTPUT = `${'x'.repeat(20_000)} ${OUTPUT}`

/** Limit for a step. A longer one is ended, with all its children. */
const GIVEN_UP_MS = 60_000

/** Runs a line in a folder of its own, which is also the one for temporary files. */
export async function runLine(line: Line, url: string, status: number, folder: Folder, name: string): Promise<Result> {
  const path = folder.file(name)
  mkdirSync(`${path}/tmp`, { recursive: true })
  const place = {
    path,
    write(file: string, text: string) {
      writeFileSync(`${path}/${file}`, text, { mode: 0o755 })
      return `${path}/${file}`
    },
  }
  place.write('job.sh', `#!/bin/sh\necho '${WHOLE_OUTPUT}'\nexit ${status}\n`)
  let [jobStatus, output, errors] = [null as number | null, '', '']
  const began = performance.now()
  for (const step of line.steps(url, status, place)) {
    const child = Bun.spawn([...step.command], {
      cwd: path,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      detached: true,
      env: { ...process.env, TMPDIR: `${path}/tmp`, ...step.env },
    })
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), GIVEN_UP_MS)
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    clearTimeout(timer)
    output += out
    errors += err
    if (step.isJob) jobStatus = child.exitCode
  }
  return { status: jobStatus, seconds: (performance.now() - began) / 1_000, output, errors }
}
