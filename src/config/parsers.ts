/** Parsers that convert a setting's text to a value. */
import { isIP } from 'node:net'
import { parseNetwork } from '../lib/network/network.ts'

/** @throws Error that says what is wrong and what to use instead */
export type Parse<T> = (text: string) => T

export function text(limit: number): Parse<string> {
  return (given) => {
    if (given.length > limit) throw new Error(`is too long; use at most ${limit} characters`)
    return given
  }
}

export function wholeNumber(minimum: number, maximum: number): Parse<number> {
  return (given) => {
    const number = Number(given)
    if (!/^\d+$/.test(given) || number < minimum || number > maximum) {
      throw new Error(`"${given}" is not valid; use a whole number from ${minimum} to ${maximum}`)
    }
    return number
  }
}

export function oneOf<const Value extends string>(values: readonly Value[]): Parse<Value> {
  return (given) => {
    const value = values.find((known) => known === given)
    if (value !== undefined) return value
    const choices = new Intl.ListFormat('en', { type: 'disjunction' }).format(values)
    throw new Error(`"${given}" is not supported; use ${choices}`)
  }
}

/** Accepts the values used in Healthchecks' compose files, and common words such as `yes`. */
export function flag(given: string): boolean {
  const text = given.toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(text)) return true
  if (['false', '0', 'no', 'off'].includes(text)) return false
  throw new Error(`"${given}" is not valid; use True or False`)
}

/** @returns the URL without trailing slashes */
export function webUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    const example = 'https://overdue.example.org'
    throw new Error(`"${given}" must be an http or https URL without a query; use one like ${example}`)
  }
  return given.replace(/\/+$/, '')
}

/**
 * Parses this server's address. Routes are built from the address's path, where some characters would have a special meaning or would not
 * work.
 */
export function siteUrl(given: string): string {
  const url = webUrl(given)
  const [unusable] = /[':*]/.exec(new URL(url).pathname) ?? []
  if (unusable === undefined) return url
  throw new Error(`"${given}" has ${unusable} in its path, which this server does not accept; use a path without it`)
}

/** Parses another server's URL. Error messages don't quote it, because it may contain a password. */
export function endpoint(example: string): Parse<string> {
  return (given) => {
    if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given
    throw new Error(`is not an http or https URL; use one like ${example}`)
  }
}

/** Parses the address to listen on, without resolving host names. Listening fails later if the address does not belong to this machine. */
export function listenHost(given: string): string {
  const isAddress = isIP(given) !== 0
  if (isAddress || (given.length <= 255 && /[a-z]/i.test(given) && /^[\w.-]+$/.test(given))) return given
  throw new Error(`"${given.slice(0, 100)}" is not an address of this machine; use one like 127.0.0.1, 0.0.0.0 or ::`)
}

export function networks(given: string): string[] {
  const items = given
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  for (const item of items) {
    try {
      parseNetwork(item)
    } catch {
      throw new Error(`"${item}" is neither an address nor a network; use one like 10.0.0.0/8`)
    }
  }
  return items
}

/** Parses the path of a file or directory. A shell expands a ~ only at the beginning of a word, and other programs never do. */
export function filePath(given: string): string {
  if (!/^~[\w.-]*(?:\/|$)/.test(given)) return text(1000)(given)
  throw new Error(`"${given.slice(0, 100)}" begins with ~, which the shell does not expand here; use an absolute path`)
}
