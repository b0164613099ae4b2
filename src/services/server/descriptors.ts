/**
 * Watches the number of open file descriptors. Each connection uses one. If there are none left, no client can connect, not even a health
 * probe, so the shortage is logged.
 */
import type { Deps } from '../common/deps.ts'

const LOOK_EVERY_SECONDS = 10
const SCARCE_FROM = 0.9

/** @returns a function to call about every second; most calls do nothing */
export function createDescriptorWatch({
  ownProcess,
  log,
  stopwatch,
}: Pick<Deps, 'ownProcess' | 'log' | 'stopwatch'>): () => void {
  let nextLookAt = Number.NEGATIVE_INFINITY
  let isScarce = false
  return () => {
    const at = stopwatch()
    if (at < nextLookAt) return
    nextLookAt = at + LOOK_EVERY_SECONDS
    const found = ownProcess.descriptors()
    const wasScarce = isScarce
    isScarce = found !== null && found.open >= SCARCE_FROM * found.limit
    if (isScarce === wasScarce) return
    if (isScarce) {
      const what = 'file descriptors are almost used up, and every new connection needs one'
      log(
        'error',
        `${what}; find the clients that keep connections open, or raise the limit (ulimit -n, LimitNOFILE)`,
        { ...found },
      )
    } else log('info', 'file descriptors are available again', { ...found })
  }
}
