/** A project: the checks and channels that belong together, and the keys that open them. */
import { createHmac } from 'node:crypto'
import type { Instant } from './time.ts'

export interface Project {
  /** lower-case UUID */
  readonly id: string
  readonly name: string
  /** names the project in badge URLs */
  readonly badgeKey: string
  /** how many pings per check are kept and listed, 1…1000 */
  readonly pingLogLimit: number
  readonly createdAt: Instant
}

export const PROJECT_NAME_LIMIT = 200
export const PING_LOG_LIMIT_MAX = 1000

export type ApiKeyKind = 'read-write' | 'read-only'
export type KeyKind = ApiKeyKind | 'ping'
export const KEY_KINDS: readonly KeyKind[] = ['read-write', 'read-only', 'ping']

/** A key as it is stored: API keys only as a keyed hash, ping keys as they are since every ping URL shows them. */
export interface StoredKey {
  /** what `findAccess` looks for: see {@link keyLookup} */
  readonly lookup: string
  readonly projectId: string
  readonly kind: KeyKind
  /** the first characters, enough to tell keys apart in a list */
  readonly hint: string
  readonly createdAt: Instant
}

/** What a request does with the project. */
export type Right = 'read' | 'write'

/** What an API key opens. */
export interface Access {
  readonly project: Project
  readonly kind: ApiKeyKind
  /** identifies the key without being it, for rate limits */
  readonly lookup: string
}

export const API_KEY_LENGTH = 32
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const SMALL_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const PREFIX: Record<KeyKind, string> = { 'read-write': 'odw_', 'read-only': 'odr_', ping: '' }
const HINT_LENGTH = 8

/** @returns `length` uniformly random bytes */
export type RandomBytes = (length: number) => Uint8Array

/** A fresh key: `odw_` or `odr_` and 28 letters and digits, or 22 small letters and digits for pings. */
export function makeKey(kind: KeyKind, randomBytes: RandomBytes): string {
  if (kind === 'ping') return randomText(22, SMALL_AND_DIGITS, randomBytes)
  return PREFIX[kind] + randomText(API_KEY_LENGTH - PREFIX[kind].length, LETTERS_AND_DIGITS, randomBytes)
}

function randomText(length: number, alphabet: string, randomBytes: RandomBytes): string {
  // Bytes beyond the last whole multiple would make the first letters likelier than the others.
  const fair = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

/**
 * Under what a key is stored and found. A key is random enough that its hash cannot be turned back; being keyed, hashes
 * from a stolen copy cannot even be compared with guesses unless the secret was taken with it. Finding the hash through an
 * index tells an attacker nothing about the key's characters.
 */
export function keyLookup(kind: KeyKind, key: string, secret: string): string {
  return kind === 'ping' ? key : hashApiKey(key, secret)
}

/** HMAC-SHA256 in hex; the same for both kinds of API key, since a request does not say which kind it carries. */
export function hashApiKey(key: string, secret: string): string {
  return createHmac('sha256', secret).update(key).digest('hex')
}

export function storedKey(project: Project, kind: KeyKind, key: string, secret: string, createdAt: Instant): StoredKey {
  return {
    lookup: keyLookup(kind, key, secret),
    projectId: project.id,
    kind,
    hint: key.slice(0, HINT_LENGTH),
    createdAt,
  }
}
