/** A job that pings one check after another, beside whatever is measured. */

const PAUSE_MS = 2

/**
 * Sends a ping, waits for its answer and a moment, until the signal says that it is over.
 * @returns milliseconds of the longest
 * @throws Error for an answer other than `OK`
 */
export async function keepPinging(url: string, over: AbortSignal): Promise<number> {
  let longest = 0
  while (!over.aborted) {
    const sentAt = performance.now()
    const answer = await fetch(url)
    const text = await answer.text()
    longest = Math.max(longest, performance.now() - sentAt)
    if (text !== 'OK') throw new Error(`a ping beside was answered with ${answer.status} ${text}`)
    await Bun.sleep(PAUSE_MS)
  }
  return longest
}
