/** Stores a ping as a file in the spool: one line of JSON with its metadata, followed by its body. */
import type { PingServer, RunPing } from './ping.ts'

/** A waiting ping and the server to which it will be sent. */
export interface Letter {
  readonly ping: RunPing
  /** the run's OVERDUE_URL; null if the ping has a complete URL */
  readonly serverUrl: string | null
  /** see {@link keyMark}; null if the ping needs no ping key */
  readonly keyMark: string | null
}

const VERSION = 1
const LINE_END = 0x0a
const MARK_LENGTH = 16

/**
 * Hashes a text, so that a secret is not stored in the spool. Importing `node:crypto` would take longer than loading the rest of the
 * client.
 */
function markOf(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, MARK_LENGTH)
}

/** Returns a ping key's mark. The spool distinguishes keys by their marks but does not store keys. */
export function keyMark(pingKey: string): string {
  return markOf(pingKey)
}

export function letterOf(ping: RunPing, { url, pingKey }: PingServer): Letter {
  const { kind } = ping.target
  return {
    ping,
    serverUrl: kind === 'url' ? null : url,
    keyMark: kind === 'slug' && pingKey !== null ? keyMark(pingKey) : null,
  }
}

/** Returns a check's mark. Pings with the same mark are delivered in order. */
export function checkMark({ ping, serverUrl, keyMark: key }: Letter): string {
  return markOf(JSON.stringify([serverUrl, key, ping.target]))
}

export function writeLetter({ ping: { body, ...ping }, serverUrl, keyMark: key }: Letter): Uint8Array {
  const head = { version: VERSION, ...ping, serverUrl, keyMark: key, bytes: body.length }
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body])
}

/** @returns null if the file does not contain a complete letter */
export function readLetter(file: Uint8Array): Letter | null {
  const end = file.indexOf(LINE_END)
  const body = file.subarray(end + 1)
  try {
    const head: unknown = JSON.parse(Buffer.from(file.subarray(0, Math.max(end, 0))).toString())
    if (!isHead(head) || head.bytes !== body.length) return null
    const { target, create, action, rid, at, serverUrl, keyMark: key } = head
    return { ping: { target, create, action, rid, at, body }, serverUrl, keyMark: key }
  } catch {
    return null
  }
}

type Head = Omit<RunPing, 'body'> & Omit<Letter, 'ping'> & { readonly bytes: number }

function isHead(value: unknown): value is Head {
  if (!isRecord(value) || value.version !== VERSION || !isTarget(value.target)) return false
  const { create, action, rid, at, serverUrl, keyMark: key } = value
  return (
    (create === null || isCreate(create)) &&
    (typeof action === 'number' ? Number.isInteger(action) : ['start', 'fail', 'log'].includes(String(action))) &&
    typeof rid === 'string' &&
    Number.isFinite(at) &&
    [serverUrl, key].every(isTextOrNull)
  )
}

function isTarget(target: unknown): boolean {
  if (!isRecord(target)) return false
  return ['uuid', 'slug', 'url'].some((kind) => target.kind === kind && typeof target[kind] === 'string')
}

function isCreate(create: unknown): boolean {
  return isRecord(create) && typeof create.schedule === 'string' && [create.tz, create.grace].every(isTextOrNull)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}
