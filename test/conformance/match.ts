/** Compares a text with a recorded expectation. Its `<matchers>` represent parts that differ from run to run. */
import { type Json, pointer } from './case.ts'
import { asInstant, fill, type Variables } from './template.ts'

/** Greatest difference between the server's clock and ours. */
const NOW_SLACK_SECONDS = 300
const ISO_SECONDS = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00`
const ISO_MICROS = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?\+00:00`

/** Matchers that may occur in the middle of a text. */
const TOKENS: Readonly<Record<string, string>> = {
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  'iso-seconds': ISO_SECONDS,
  'iso-micros': ISO_MICROS,
  sha1hex: '[0-9a-f]{40}',
  ip: '[0-9a-f:.]+',
  sig: '[A-Za-z0-9_-]{8}',
  slug: '[A-Za-z0-9_-]+',
  int: String.raw`\d+`,
}
const TOKEN = new RegExp(`<(${Object.keys(TOKENS).join('|')})>`, 'g')

/** @param document the answer that contains `got`, for matchers that refer to another member */
export function textMatches(expected: string, got: Json | undefined, variables: Variables, document: Json): boolean {
  if (expected === '<any>') return true
  if (expected === '<number>') return typeof got === 'number'
  if (typeof got !== 'string') return false

  const parsed = /^<([a-z-]+)(?::(.*))?>$/s.exec(expected)
  const argument = parsed?.[2] ?? ''
  switch (parsed?.[1]) {
    case 'regex':
      return new RegExp(fill(argument, variables, escapeRegExp)).test(got)
    case 'set':
      return sameSet(fill(argument, variables), got)
    case 'now-seconds':
      return isNow(got, ISO_SECONDS)
    case 'now-micros':
      return isNow(got, ISO_MICROS)
    case 'weekday':
      return argument.includes(String(asInstant(got)?.toZonedDateTimeISO('UTC').dayOfWeek ?? 'none'))
    case 'iso-offset':
      return isOffset(argument, got, document)
    default:
      return new RegExp(`^${patternOf(expected, variables)}$`).test(got)
  }
}

/** Converts the whole text to a regular expression: matchers become patterns, everything else is literal. */
function patternOf(expected: string, variables: Variables): string {
  let position = 0
  let pattern = ''
  for (const token of expected.matchAll(TOKEN)) {
    pattern += escapeRegExp(fill(expected.slice(position, token.index), variables))
    pattern += TOKENS[token[1] ?? ''] ?? ''
    position = token.index + token[0].length
  }
  return pattern + escapeRegExp(fill(expected.slice(position), variables))
}

function isNow(got: string, pattern: string): boolean {
  const instant = asInstant(got)
  if (instant === null || !new RegExp(`^${pattern}$`).test(got)) return false
  return Math.abs(instant.epochMilliseconds - Date.now()) < NOW_SLACK_SECONDS * 1000
}

/** Whether a timestamp is exactly so many seconds after another one of the same answer, as `/pointer:seconds` says. */
function isOffset(argument: string, got: string, document: Json): boolean {
  const colon = argument.lastIndexOf(':')
  const base = asInstant(pointer(document, argument.slice(0, colon)))
  const instant = asInstant(got)
  if (base === null || instant === null || !new RegExp(`^${ISO_SECONDS}$`).test(got)) return false
  return base.add({ seconds: Number(argument.slice(colon + 1)) }).equals(instant)
}

function sameSet(expected: string, got: string): boolean {
  const words = (text: string) => text.split(',').map((word) => word.trim())
  return words(expected).sort().join(',') === words(got).sort().join(',')
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}

/** A value as a short line, for messages. */
export function short(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length < 300 ? text : `${text.slice(0, 300)}… (${text.length} characters)`
}
