/** Values for options that exist only on the command line. */

/** Statuses that a test message can report. */
export const TEST_STATUSES = ['down', 'up'] as const

export const ON_OFF = ['on', 'off'] as const

/** Check states that lists can be filtered by, with the names that users see. */
export const STATES = {
  down: 'down',
  late: 'late',
  running: 'started',
  up: 'up',
  new: 'new',
  paused: 'paused',
} as const
