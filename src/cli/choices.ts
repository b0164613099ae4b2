/** Choices of options that only the command line has. */

/** of a test message */
export const TEST_STATUSES = ['down', 'up'] as const

export const ON_OFF = ['on', 'off'] as const
