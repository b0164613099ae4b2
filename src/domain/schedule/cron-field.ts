/** Recognizes a cron field by its form, before it is parsed. */

export const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] as const
export const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const

const FIELD = new RegExp(`^(?=.*[0-9*?~A-Z])(?:[0-9*?,/#~()LWH-]|${[...MONTHS, ...WEEKDAYS].join('|')})+$`, 'i')

/**
 * Whether a word looks like a cron field, based on its characters and names. Also accepts Quartz and Jenkins fields, and fields with
 * mistakes, such as `0/5`, `61`, `?`, `MON-FRI` and `H/15`.
 */
export const looksLikeField = (word: string) => FIELD.test(word)
