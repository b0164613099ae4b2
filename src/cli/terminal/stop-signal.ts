/** Lets Ctrl-C or a service manager stop a long operation. */
import type { Io } from './io.ts'

/**
 * Interval in which two signals count as one, in milliseconds. A terminal sends Ctrl-C to the whole process group, and a package runner
 * passes it on, so the process receives it twice.
 */
const SAME_MS = 1_000
/** Exit status of a program that was stopped with Ctrl-C: 128 + SIGINT. */
export const EXIT_STOPPED = 130

/** Aborts the returned signal at the first SIGINT or SIGTERM. A later SIGINT or SIGTERM ends the process immediately. */
export function stopSignal({ onSignal, exit }: Pick<Io, 'onSignal' | 'exit'>): AbortSignal {
  const stop = new AbortController()
  let first: number | null = null
  onSignal(() => {
    first ??= performance.now()
    if (performance.now() - first > SAME_MS) exit(EXIT_STOPPED)
    stop.abort()
  })
  return stop.signal
}
