/** The limit on the bytes of all bodies in a check's log, and the choice of bodies that are dropped beyond it. */

/** Default of PING_LOG_BYTES. The newest entry's body doesn't count. */
export const PING_LOG_BYTES = 16 * 1024 * 1024

/** 1 TiB: effectively no limit. */
export const PING_LOG_BYTES_MAX = 2 ** 40

/** A body longer than a hundredth of the limit triggers an examination of the log; a hundred shorter bodies at most double the log. */
const FRACTION = 100

/** Whether a body is so long that its log may exceed its limit soon, and should be checked. */
export function isLongBody(bytes: number, logBytes: number): boolean {
  return bytes > logBytes / FRACTION
}

/**
 * Chooses the bodies to drop. The newest entry keeps its body. Going back from there, each body that fits in the remaining space is kept.
 * @param entries newest first; `bytes` is null without a body
 * @returns the entries whose bodies are to be dropped, in order
 */
export function bodiesToDrop<Entry extends { readonly bytes: number | null }>(
  entries: readonly Entry[],
  logBytes: number,
): Entry[] {
  let room = logBytes
  return entries.slice(1).filter(({ bytes }) => {
    if (bytes === null) return false
    if (bytes > room) return true
    room -= bytes
    return false
  })
}
