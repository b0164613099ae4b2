/** Runs what a line consists of, one program after the other, as what reads the line would. */
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
  /** @param place where the files of this run are: `job.sh` is the job */
  steps(url: string, status: number, place: Place): readonly Step[]
  /** of a job that ended with a status: what is to arrive */
  readonly endings: (status: number) => readonly string[]
  /** exit status of a job that fails, where it is not the one that it ends with */
  readonly failure?: number
  /** true: what the job prints is sent with its end */
  readonly sendsOutput: boolean
}

export interface Place {
  readonly path: string
  /** Writes a file that may be run. @returns its path */
  write(name: string, text: string): string
}

export interface Result {
  /** exit status of the job, as what started it saw it */
  readonly status: number | null
  readonly seconds: number
  readonly output: string
  readonly errors: string
}

/** The end of what a job prints, which is more than the server keeps. */
export const OUTPUT = 'the job ran: ü'
export const WHOLE_OUTPUT = `${'x'.repeat(20_000)} ${OUTPUT}`

/** A step that takes longer is ended, with all that it started. */
const GIVEN_UP_MS = 60_000

/** Each run has a folder of its own, which is also the one for temporary files. */
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
