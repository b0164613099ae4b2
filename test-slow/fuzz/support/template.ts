/**
 * Requests are made up before anybody knows the ids of the server they are for, and are to be read when one fails: they
 * hold `{{check:3}}` where a check's UUID goes, and `{{long:5000}}` instead of five thousand letters.
 */

/** @returns what stands for a name and a number; the names are in `house.ts` */
export type Lookup = (name: string, n: number) => string

const PLACE = /\{\{([a-z]+)(?::(\d+))?\}\}/g

export function fill(template: string, lookup: Lookup): string {
  return template.replace(PLACE, (place, name: string, n = '0') => {
    if (name === 'long') return 'x'.repeat(Number(n))
    if (name === 'wide') return utf8('\u{1f600}'.repeat(Number(n)))
    if (name === 'deep') return '['.repeat(Number(n)) + ']'.repeat(Number(n))
    return lookup(name, Number(n)) ?? place
  })
}

/** A text as bytes, each of them a character: what the wire carries. */
export function utf8(text: string): string {
  return Buffer.from(text).toString('latin1')
}
