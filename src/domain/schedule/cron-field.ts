/** Recognizes a field of a cron expression by its form, before it is parsed. */

export const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] as const
export const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const

const FIELD = new RegExp(`^(?=.*[0-9*?~A-Z])(?:[0-9*?,/#~()LWH-]|${[...MONTHS, ...WEEKDAYS].join('|')})+$`, 'i')

/**
 * Whether a word looks like a cron field, judging by its characters and names. Includes fields of Quartz and Jenkins and fields with
 * mistakes: `0/5`, `61`, `?`, `MON-FRI`, `H/15`.
 */
export const looksLikeField = (word: string) => FIELD.test(word)
