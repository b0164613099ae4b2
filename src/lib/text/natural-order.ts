/** Sorts names in the order that readers expect. */

/** Compares two names. Numbers within names are compared by value. Case and accents are ignored. */
export const { compare: compareNames } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
