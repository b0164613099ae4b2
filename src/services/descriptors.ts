/**
 * File descriptors: each connection takes one, and while none is left nobody new is let in. Said in the log, since those
 * who probe are kept out as well.
 */
import type { Deps } from './deps.ts'

const LOOK_EVERY_SECONDS = 10
const SCARCE_FROM = 0.9

/** @returns to be called every second or so; costs nothing in between */
export function createDescriptorWatch({
  process,
  log,
  stopwatch,
}: Pick<Deps, 'process' | 'log' | 'stopwatch'>): () => void {
  let nextLookAt = Number.NEGATIVE_INFINITY
  let isScarce = false
  return () => {
    const at = stopwatch()
    if (at < nextLookAt) return
    nextLookAt = at + LOOK_EVERY_SECONDS
    const found = process.descriptors()
    const wasScarce = isScarce
    isScarce = found !== null && found.open >= SCARCE_FROM * found.limit
    if (isScarce === wasScarce) return
    if (isScarce) {
      const what = 'hardly any file descriptor is left, and without one nobody new can connect'
      log('error', `${what}: see who keeps connections open, or raise the limit (ulimit -n, LimitNOFILE)`, { ...found })
    } else log('info', 'there are file descriptors again', { ...found })
  }
}
