/** A project: a group of checks and channels, and the keys that give access to them. */
import { createHmac } from 'node:crypto'
import { type RandomBytes, randomText, SMALL_AND_DIGITS } from '../lib/secrets/random-text.ts'
import { type Instant, microsecondsBetween } from '../lib/time.ts'
import { KEY_HINT_LENGTH, type KeyKind } from './key-kind.ts'
import { Text } from './schema.ts'

export interface Project {
  /** lower-case UUID */
  readonly id: string
  readonly name: string
  /** identifies the project in badge URLs */
  readonly badgeKey: string
  /** number of pings per check that are kept and listed, 1…1000 */
  readonly pingLogLimit: number
  readonly createdAt: Instant
  /** part of the addresses of its pages: see `projectSlug` */
  readonly slug: string
  /** false: the contents of its pings are not searched */
  readonly isSearched: boolean
  /** IANA name of the zone of times in its alerts, except emails, which have their own; null: that of each check */
  readonly tz: string | null
}

/** A project to create. It is searched, and has no zone. */
export type NewProject = Omit<Project, 'isSearched' | 'tz'>

export const PROJECT_NAME_LIMIT = 200
export const ProjectName = Text({ maxLength: PROJECT_NAME_LIMIT, pattern: '\\S' })
export const PING_LOG_LIMIT_MAX = 1000

/** A stored key: API keys only as a keyed hash, ping keys in plain text, because every ping URL shows them. */
export interface StoredKey {
  /** value by which `findKey` searches: see {@link keyLookup} */
  readonly lookup: string
  readonly projectId: string
  readonly kind: KeyKind
  /** the first characters, enough to distinguish keys in a list */
  readonly hint: string
  readonly createdAt: Instant
  /** its purpose; may be empty */
  readonly name: string
  /** exact to five minutes; null if it was never used, and for ping keys, whose uses are recorded by check */
  readonly lastUsedAt: Instant | null
}

/** A key as lists show it. */
export interface ListedKey extends StoredKey {
  /** exact to five minutes; null if it was never used */
  readonly lastUsedAt: Instant | null
  /** null for an API key */
  readonly usedBy: UsedBy | null
}

/** Number of checks that were pinged with a ping key in the last {@link USED_DAYS}, and of all in the project that have a slug. */
interface UsedBy {
  readonly checks: number
  readonly of: number
}

/** Enough days to see the jobs that run once a week. */
export const USED_DAYS = 7

export const KEY_NAME_LIMIT = 100
export const KeyName = Text({ maxLength: KEY_NAME_LIMIT })

/** Minimum number of seconds between two writes; otherwise each request of a client, and each ping, would write. */
const USED_EVERY_SECONDS = 300

/** Whether a use of the key at `now` must be written. */
export function isUseStale({ lastUsedAt }: Pick<StoredKey, 'lastUsedAt'>, now: Instant): boolean {
  return lastUsedAt === null || microsecondsBetween(lastUsedAt, now) >= USED_EVERY_SECONDS * 1_000_000
}

export const API_KEY_LENGTH = 32
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const PREFIX: Record<KeyKind, string> = { 'read-write': 'odw_', 'read-only': 'odr_', ping: '' }

/** Returns a new key: `odw_` or `odr_` and 28 letters and digits, or 22 lower-case letters and digits for pings. */
export function makeKey(kind: KeyKind, randomBytes: RandomBytes): string {
  if (kind === 'ping') return randomText(22, SMALL_AND_DIGITS, randomBytes)
  return PREFIX[kind] + randomText(API_KEY_LENGTH - PREFIX[kind].length, LETTERS_AND_DIGITS, randomBytes)
}

/** Whether a text may be an API key of ours. */
export function isApiKey(text: string): boolean {
  return text.length === API_KEY_LENGTH && /^od[rw]_[A-Za-z0-9]+$/.test(text)
}

/** Whether a text has the form of Healthchecks' API keys since its version 3.11, which it stores as hashes. */
export function isHealthchecksKey(text: string): boolean {
  return text.length === API_KEY_LENGTH && /^hc[rw]_[A-Za-z0-9]+$/.test(text)
}

/**
 * Returns the value under which a key is stored and found. A key is random enough that its hash can't be reversed. The secret prevents
 * anyone who steals a copy of the database from testing guesses against the hashes. Looking up a hash in an index reveals nothing about the
 * key's characters to an attacker.
 */
export function keyLookup(kind: KeyKind, key: string, secret: string): string {
  return kind === 'ping' ? key : hashApiKey(key, secret)
}

/** Returns HMAC-SHA256 in hex. Both kinds of API key are hashed alike, because a request doesn't say which kind it contains. */
export function hashApiKey(key: string, secret: string): string {
  return createHmac('sha256', secret).update(key).digest('hex')
}

export function storedKey(
  project: Pick<Project, 'id'>,
  kind: KeyKind,
  key: string,
  secret: string,
  createdAt: Instant,
  name = '',
): StoredKey {
  return {
    lookup: keyLookup(kind, key, secret),
    projectId: project.id,
    kind,
    hint: key.slice(0, KEY_HINT_LENGTH),
    createdAt,
    name,
    lastUsedAt: null,
  }
}
