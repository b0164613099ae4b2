/** Limits the total size of the bodies in a check's log, and selects the bodies to drop when the limit is exceeded. */

/** Default value of PING_LOG_BYTES. The newest entry's body does not count towards the limit. */
export const PING_LOG_BYTES = 16 * 1024 * 1024

/** Maximum value of PING_LOG_BYTES: 1 TiB, which is effectively unlimited. */
export const PING_LOG_BYTES_MAX = 2 ** 40

/**
 * Divisor of the limit. The log's size is checked only after a body arrives that is longer than this fraction of the limit. Shorter bodies
 * can make the log at most twice as large as the limit.
 */
const FRACTION = 100

/** Whether a body is long enough that the log's size must be checked. */
export function isLongBody(bytes: number, logBytes: number): boolean {
  return bytes > logBytes / FRACTION
}

/**
 * Selects the bodies to drop. The newest entry always keeps its body. Going backwards from there, each body is kept if it still fits within
 * the limit.
 * @param entries newest first; `bytes` is null for an entry without a body
 * @returns the entries whose bodies must be dropped, in the same order
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
