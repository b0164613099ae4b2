/** Some wait for the middle of something. */
const LOOK_EVERY_MS = 5

/**
 * Waits for something that happens in another process.
 * @param hope in words; a function, where they tell how far it has come
 * @throws what `hope` says when it does not come true in time
 */
export async function eventually(
  hope: string | (() => string),
  isTrue: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  for (const until = performance.now() + withinMs; performance.now() < until; await Bun.sleep(LOOK_EVERY_MS)) {
    if (await isTrue()) return
  }
  throw new Error(`not within ${withinMs} ms: ${typeof hope === 'string' ? hope : hope()}`)
}
