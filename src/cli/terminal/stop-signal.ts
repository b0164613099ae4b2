/** Ends long work by Ctrl-C or by a service manager. */
import type { Io } from './io.ts'

/** Milliseconds within which two signals are one: a terminal sends Ctrl-C to the whole group, and a package runner passes it on. */
const SAME_MS = 1_000
/** exit status of a program that Ctrl-C ends: 128 + SIGINT */
export const EXIT_STOPPED = 130

/** Aborts at the first SIGINT or SIGTERM. A later one ends the process at once. */
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
