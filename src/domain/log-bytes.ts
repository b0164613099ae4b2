/** How many bytes the bodies in a check's log may take together, and which bodies have to go when they take more. */

/** Beyond the newest entry's body, unless PING_LOG_BYTES says otherwise. */
export const PING_LOG_BYTES = 16 * 1024 * 1024

/** 1 TiB: no limit that anybody meets. */
export const PING_LOG_BYTES_MAX = 2 ** 40

/** A body of a hundredth of the room calls for a look into the log, so that a hundred shorter ones take the room once more. */
const FRACTION = 100

/** Whether a body is so long that its log is to be looked at soon. */
export function isLongBody(bytes: number, logBytes: number): boolean {
  return bytes > logBytes / FRACTION
}

/**
 * The newest entry keeps its body. Of the older ones, from the newest back, each body stays that fits beside those that stay.
 * @param entries newest first; `bytes` is the length of the body, null where there is none
 * @returns those whose bodies are to be dropped, in the same order
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
