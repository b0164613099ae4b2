/** Sorts names in the order that people expect. */

/** Compares numbers in names by value, and ignores case and accents. */
export const { compare: compareNames } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
