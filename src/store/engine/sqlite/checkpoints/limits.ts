/** How long the write-ahead log of a file becomes. */

/** Pages have 4 kB each. */
export interface Limits {
  /** pages after which they are copied: few, because each copy ends with a sync of the file */
  readonly copiedPages: number
  /** pages of a log that begins again as soon as it is copied, while little is written */
  readonly shortPages: number
  /** the same while much is written: the more, the fewer pings wait for that */
  readonly longPages: number
  /** The log begins again after so large a share of what was written between two looks: about every two seconds. */
  readonly longShare: number
  /** The file keeps so many times the pages at which the log begins again: a little more than it then has. SQLite cuts off what a longer log has left. */
  readonly spare: number
  /** pages of a log behind which the thread has fallen: each write waits for it */
  readonly longestPages: number
  /** how long one write waits for the thread, at most; as much longer for each `copiedPages` that the log grows nevertheless */
  readonly longestWaitMs: number
  readonly lookEveryMs: number
  /** The log is cut off if its file is so many times longer than what was written between two looks. SQLite reads its pages anew then. */
  readonly quietShare: number
}

/** A log begins again at 33 to 99 MB; at 132 MB writes wait. */
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
