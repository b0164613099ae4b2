/** The format of a recorded case: requests in order, captured values, and the expected answers. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

export interface Case {
  readonly area: string
  readonly name: string
  readonly note?: string
  /** true for a case that waits for a minute or more */
  readonly slow?: boolean
  readonly steps: readonly Step[]
}

/** A step: it sends a request, waits, or (in `needs-clock/` only) describes a change of the store. */
export interface Step {
  readonly setup?: string
  /** seconds to wait before the request */
  readonly sleep?: number
  readonly request?: CaseRequest
  readonly repeat?: number
  readonly capture?: Readonly<Record<string, Capture>>
  readonly expect?: Expectation
}

export interface CaseRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string | null>>
  readonly json?: Json
  readonly body?: string
  readonly body_hex?: string
  readonly body_repeat?: { readonly text: string; readonly times: number }
}

/** A JSON pointer, a regular expression over the body (group 1), or the second over the result of the first. */
export type Capture = string | { readonly from: string; readonly regex: string }

export interface Expectation {
  readonly status: number | readonly number[]
  readonly headers?: Readonly<Record<string, string | null>>
  readonly json?: Json
  readonly text?: string
  readonly text_contains?: readonly string[]
  readonly hex?: string
  readonly length?: number
  readonly sha256?: string
  readonly svg?: readonly string[]
}

/** Reads every case of every JSON file in `directory`, sorted by file name. */
export function readCases(directory: string): Case[] {
  const files = readdirSync(directory).filter((file) => file.endsWith('.json'))
  return files.sort().flatMap((file): Case[] => JSON.parse(readFileSync(join(directory, file), 'utf8')))
}

export function titleOf(item: Case): string {
  return `${item.area}/${item.name}`
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** Returns the value at a JSON pointer (RFC 6901); `undefined` if there is none. */
export function pointer(document: Json, path: string): Json | undefined {
  let current: Json | undefined = document
  for (const escaped of path.split('/').slice(1)) {
    const part = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    if (isArray(current)) current = current[Number(part)]
    else if (isObject(current)) current = Object.hasOwn(current, part) ? current[part] : undefined
    else return undefined
  }
  return current
}
