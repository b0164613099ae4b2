/** Compares a whole answer (status, headers, body) with the recorded one. */
import { createHash } from 'node:crypto'
import type { Expectation, Json } from './case.ts'
import { short, textMatches } from './match.ts'
import { jsonDifferences } from './match-json.ts'
import { readSvg } from './svg.ts'
import { fill, type Variables } from './template.ts'
import type { WireResponse } from './wire.ts'

/** Lists differences; empty when the answer is as expected. */
export function responseDifferences(expected: Expectation, response: WireResponse, variables: Variables): string[] {
  return [
    ...statusDifferences(expected.status, response.status),
    ...Object.entries(expected.headers ?? {}).flatMap(([name, value]) =>
      headerDifferences(name, value, response.headers.get(name.toLowerCase()), variables),
    ),
    ...jsonBodyDifferences(expected.json, response.body, variables),
    ...textDifferences(expected, response.body.toString('utf8'), variables),
    ...byteDifferences(expected, response.body),
    ...svgDifferences(expected.svg, response.body.toString('utf8'), variables),
  ]
}

function statusDifferences(expected: number | readonly number[], got: number): string[] {
  const allowed = typeof expected === 'number' ? [expected] : expected
  return allowed.includes(got) ? [] : [`status: expected ${allowed.join(' or ')}, got ${got}`]
}

/** Compares a header. `null` expects its absence. For Content-Type, only the media type counts. */
function headerDifferences(
  name: string,
  expected: string | null,
  got: string | undefined,
  variables: Variables,
): string[] {
  if (expected === null) return got === undefined ? [] : [`header ${name}: expected none, got ${short(got)}`]
  if (got === undefined) return [`header ${name}: missing, expected ${short(expected)}`]
  const value = name.toLowerCase() === 'content-type' ? (got.split(';')[0] ?? '').trim().toLowerCase() : got
  if (textMatches(expected, value, variables, null)) return []
  return [`header ${name}: expected ${short(expected)}, got ${short(value)}`]
}

/** Parses JSON. Returns `undefined` for other bytes, and for bytes that are not UTF-8 or have a byte order mark. */
export function readJson(body: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    return undefined
  }
}

function jsonBodyDifferences(expected: Json | undefined, body: Buffer, variables: Variables): string[] {
  if (expected === undefined) return []
  const got = readJson(body)
  if (got === undefined) return [`body: expected JSON, got ${short(body.subarray(0, 200).toString('utf8'))}`]
  return jsonDifferences(expected, got, variables)
}

function textDifferences(expected: Expectation, got: string, variables: Variables): string[] {
  const differences: string[] = []
  if (expected.text !== undefined && !textMatches(expected.text, got, variables, null)) {
    differences.push(`body: expected ${short(expected.text)}, got ${short(got)}`)
  }
  for (const part of expected.text_contains ?? []) {
    const wanted = fill(part, variables)
    if (!got.includes(wanted)) differences.push(`body: does not contain ${short(wanted)}`)
  }
  return differences
}

function byteDifferences(expected: Expectation, body: Buffer): string[] {
  const differences: string[] = []
  if (expected.hex !== undefined && body.toString('hex') !== expected.hex) {
    differences.push(`body: expected hex ${expected.hex.slice(0, 200)}, got ${body.toString('hex').slice(0, 200)}`)
  }
  if (expected.length !== undefined && body.length !== expected.length) {
    differences.push(`body: expected ${expected.length} bytes, got ${body.length}`)
  }
  if (expected.sha256 !== undefined && createHash('sha256').update(body).digest('hex') !== expected.sha256) {
    differences.push('body: the bytes differ (SHA-256)')
  }
  return differences
}

function svgDifferences(expected: readonly string[] | undefined, body: string, variables: Variables): string[] {
  if (expected === undefined) return []
  const texts = readSvg(body)
  if (typeof texts === 'string') return [`svg: ${texts}`]
  const wanted = expected.map((text) => fill(text, variables))
  return wanted.filter((text) => !texts.includes(text)).map((text) => `svg: no text ${short(text)}`)
}
