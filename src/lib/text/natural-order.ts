/** The order of names as people expect it. */

/** Numbers in names by their value, without regard to case and accents. */
export const { compare: compareNames } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
