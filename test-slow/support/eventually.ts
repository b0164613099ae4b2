/** A short interval, because some tests must catch an operation while it runs. */
const POLL_EVERY_MS = 5

/**
 * Waits until a condition holds in another process.
 * @param condition its description for the error; a function when the description contains progress
 * @throws an error with the description when the condition does not hold in time
 */
export async function eventually(
  condition: string | (() => string),
  isTrue: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  for (const until = performance.now() + withinMs; performance.now() < until; await Bun.sleep(POLL_EVERY_MS)) {
    if (await isTrue()) return
  }
  throw new Error(`not within ${withinMs} ms: ${typeof condition === 'string' ? condition : condition()}`)
}
