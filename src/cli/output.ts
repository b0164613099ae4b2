/** Standard output: it may be a slow reader, a full disk, or a reader that has gone. */
import { finished } from 'node:stream/promises'
import { codeOf, reasonOf } from '../lib/errors.ts'

/** Resolves with the first error of standard output. The stream may end neither a wait nor itself after one. */
const failed = Promise.withResolvers<unknown>()

/** Reports on standard error, once, that standard output can't be written. A reader that stops early is no error. */
export function watchOutput(): void {
  process.stdout.once('error', (error) => {
    if (codeOf(error) !== 'EPIPE') process.stderr.write(`cannot write to standard output: ${reasonOf(error)}\n`)
    failed.resolve(error)
    // An error without a listener ends the process.
    process.stdout.on('error', () => {})
  })
}

/** Waits while a reader is slow. What comes after an error is dropped. */
export async function writeOutput(piece: Uint8Array): Promise<void> {
  if (process.stdout.write(piece)) return
  const drained = new Promise((resolve) => process.stdout.once('drain', resolve))
  await Promise.race([drained, failed.promise])
}

/** Waits until a slow reader has everything. @returns false if something could not be written */
export async function finishOutput(): Promise<boolean> {
  process.stdout.end()
  const whole = finished(process.stdout).then(
    () => null,
    (error: unknown) => error,
  )
  const error = await Promise.race([whole, failed.promise])
  return error === null || codeOf(error) === 'EPIPE'
}
