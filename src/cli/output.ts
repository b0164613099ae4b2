/** Standard output at its end: it may be a full disk, or a reader that has gone. */
import { finished } from 'node:stream/promises'
import { codeOf, reasonOf } from '../lib/errors.ts'

/** Reports on standard error, once, that standard output can't be written. A reader that stops early is no error. */
export function watchOutput(): void {
  process.stdout.once('error', (error) => {
    if (codeOf(error) !== 'EPIPE') process.stderr.write(`cannot write to standard output: ${reasonOf(error)}\n`)
    // An error without a listener ends the process.
    process.stdout.on('error', () => {})
  })
}

/** Waits until a slow reader has everything. @returns false if something could not be written */
export async function finishOutput(): Promise<boolean> {
  process.stdout.end()
  return finished(process.stdout).then(
    () => true,
    (error) => codeOf(error) === 'EPIPE',
  )
}
