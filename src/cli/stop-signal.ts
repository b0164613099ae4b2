/** Ends long work by Ctrl-C or by a service manager. */

/** A terminal sends Ctrl-C to the whole group, and a package runner passes it on, so one comes twice. */
const SAME_MS = 1_000
/** as of a program that Ctrl-C ends: 128 + SIGINT */
export const EXIT_STOPPED = 130

/** Aborts at the first SIGINT or SIGTERM. At a later one the process ends at once. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController()
  let first: number | null = null
  const onSignal = () => {
    first ??= performance.now()
    if (performance.now() - first > SAME_MS) process.exit(EXIT_STOPPED)
    stop.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  return stop.signal
}
