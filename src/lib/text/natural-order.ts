/** Sorts names in the order that readers expect. */

/** Compares two names. Numbers in them are compared by value, and case and accents are ignored. */
export const { compare: compareNames } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
