/** Choices of options that only the command line has. */

/** statuses of a test message */
export const TEST_STATUSES = ['down', 'up'] as const

export const ON_OFF = ['on', 'off'] as const

/** States of checks, as lists show them. */
export const STATES = {
  down: 'down',
  late: 'late',
  running: 'started',
  up: 'up',
  new: 'new',
  paused: 'paused',
} as const
