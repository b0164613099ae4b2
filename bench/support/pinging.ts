/** Pings a check in a loop while something else is measured. */

const PAUSE_MS = 2
const WARM_UP_PINGS = 20

/** Sends pings, because a server prepares its statements when it gets the first ones. */
export async function warmUp(url: string): Promise<void> {
  for (let ping = 0; ping < WARM_UP_PINGS; ping += 1) await (await fetch(url)).text()
}

/**
 * Sends one ping after the other with a short pause until the signal aborts.
 * @param init `keepalive: false` opens a connection for each ping
 * @returns milliseconds of the longest ping
 * @throws Error for an answer other than `OK`
 */
export async function keepPinging(url: string, over: AbortSignal, init: { keepalive?: boolean } = {}): Promise<number> {
  let longest = 0
  while (!over.aborted) {
    const sentAt = performance.now()
    const answer = await fetch(url, init)
    const text = await answer.text()
    longest = Math.max(longest, performance.now() - sentAt)
    if (text !== 'OK') throw new Error(`a ping was answered with ${answer.status} ${text}`)
    await Bun.sleep(PAUSE_MS)
  }
  return longest
}

/** Returns milliseconds of the longest ping during the work, and for `settleMs` before and after it. */
export async function longestPing(url: string, work: () => Promise<void>, settleMs = 0): Promise<number> {
  const over = new AbortController()
  const pinging = keepPinging(url, over.signal)
  await Bun.sleep(settleMs)
  await work()
  await Bun.sleep(settleMs)
  over.abort()
  return pinging
}
