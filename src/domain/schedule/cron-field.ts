/** Recognises a field of a cron expression by its form, before parsing. */

export const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] as const
export const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const

const FIELD = new RegExp(`^(?=.*[0-9*?~A-Z])(?:[0-9*?,/#~()LWH-]|${[...MONTHS, ...WEEKDAYS].join('|')})+$`, 'i')

/**
 * Whether a word consists of the characters and names of a field, including those of Quartz and Jenkins and fields with mistakes: `0/5`,
 * `61`, `?`, `MON-FRI`, `H/15`.
 */
export const looksLikeField = (word: string) => FIELD.test(word)
