/**
 * Placeholders in requests: `{{check:3}}` for a check's UUID, `{{long:5000}}` for five thousand letters. Requests are generated before the
 * ids on the server are known, and must be readable when one fails.
 */

/** @returns the value of a placeholder with a name and a number; the names are in `worker-project.ts` */
export type Lookup = (name: string, n: number) => string

const PLACEHOLDER = /\{\{([a-z]+)(?::(\d+))?\}\}/g

export function fill(template: string, lookup: Lookup): string {
  return template.replace(PLACEHOLDER, (place, name: string, n = '0') => {
    if (name === 'long') return 'x'.repeat(Number(n))
    if (name === 'wide') return utf8('\u{1f600}'.repeat(Number(n)))
    if (name === 'deep') return '['.repeat(Number(n)) + ']'.repeat(Number(n))
    return lookup(name, Number(n)) ?? place
  })
}

/** Returns the UTF-8 bytes of a text, each as a character. */
export function utf8(text: string): string {
  return Buffer.from(text).toString('latin1')
}
