/** Limits on the length of a file's write-ahead log. */

/** Limits in pages of 4 kB each. */
export interface Limits {
  /** number of pages after which the log is copied. It is small, because each copy ends with a file sync */
  readonly copiedPages: number
  /** number of pages at which a copied log restarts if little is being written */
  readonly shortPages: number
  /**
   * number of pages at which a copied log restarts if a lot is being written. The larger this number, the fewer pings wait for a restart
   */
  readonly longPages: number
  /**
   * The log restarts once it contains this share of the number of pages written between two checks, which happens about every two seconds.
   */
  readonly longShare: number
  /** Size of the log file relative to the length at which the log restarts, with a little to spare. SQLite truncates a longer file. */
  readonly spare: number
  /** number of pages at which the thread is considered too slow; each write then waits for it */
  readonly longestPages: number
  /**
   * maximum time in milliseconds that a write waits for the thread. If the log keeps growing, the maximum increases by the same amount for
   * every additional `copiedPages` pages
   */
  readonly longestWaitMs: number
  readonly lookEveryMs: number
  /**
   * The log is truncated if its file is this many times longer than the pages written between two checks of the log. SQLite then has to
   * read its pages again.
   */
  readonly quietShare: number
}

/** The limits in use. The log restarts at 33 to 99 MB, and writes wait at 132 MB. */
export const LIMITS: Limits = {
  copiedPages: 1_000,
  shortPages: 8_000,
  longPages: 24_000,
  longShare: 0.4,
  spare: 1.5,
  longestPages: 32_000,
  longestWaitMs: 50,
  lookEveryMs: 5_000,
  quietShare: 4,
}
