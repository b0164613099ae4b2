/** Limits of the length of a file's write-ahead log. */

/** Limits in pages of 4 kB each. */
export interface Limits {
  /** pages after which they are copied: few, because each copy ends with a sync of the file */
  readonly copiedPages: number
  /** pages of a log that restarts as soon as it is copied, while little is written */
  readonly shortPages: number
  /** the same while much is written: the more, the fewer pings wait for a restart */
  readonly longPages: number
  /** share of the pages written between two looks after which the log restarts: about every two seconds */
  readonly longShare: number
  /**
   * Factor of the file's size to the pages at which the log restarts: a little more than it then has. SQLite cuts off the rest of a longer
   * log.
   */
  readonly spare: number
  /** pages of a log with which the thread can't keep up: each write waits for it */
  readonly longestPages: number
  /** longest wait of a write for the thread, in milliseconds; as much longer for each `copiedPages` that the log grows nevertheless */
  readonly longestWaitMs: number
  readonly lookEveryMs: number
  /**
   * The log is cut off if its file is this many times longer than the pages written between two looks. SQLite then reads its pages anew.
   */
  readonly quietShare: number
}

/** Limits with which a log restarts at 33 to 99 MB; at 132 MB writes wait. */
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
