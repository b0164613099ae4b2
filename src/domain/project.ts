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
  /** how many pings per check are kept and listed, 1…1000 */
  readonly pingLogLimit: number
  readonly createdAt: Instant
  /** in the addresses of its pages: see `projectSlug` */
  readonly slug: string
  /** false: what its pings brought is not searched */
  readonly isSearched: boolean
  /** IANA name: of the times in its alerts, but for emails, which have their own; null: that of each check */
  readonly tz: string | null
}

/** A project that is made. It is searched, and has no zone. */
export type NewProject = Omit<Project, 'isSearched' | 'tz'>

export const PROJECT_NAME_LIMIT = 200
export const ProjectName = Text({ maxLength: PROJECT_NAME_LIMIT, pattern: '\\S' })
export const PING_LOG_LIMIT_MAX = 1000

/** A stored key: API keys only as a keyed hash, ping keys as they are, since every ping URL shows them. */
export interface StoredKey {
  /** what `findKey` searches for: see {@link keyLookup} */
  readonly lookup: string
  readonly projectId: string
  readonly kind: KeyKind
  /** the first characters, enough to tell keys apart in a list */
  readonly hint: string
  readonly createdAt: Instant
  /** what it is for; may be empty */
  readonly name: string
  /** exact to five minutes; null for one that was never used, and for ping keys, whose uses are noted by check */
  readonly lastUsedAt: Instant | null
}

/** A key as lists show it. */
export interface ListedKey extends StoredKey {
  /** exact to five minutes; null for one that was never used */
  readonly lastUsedAt: Instant | null
  /** null for an API key */
  readonly usedBy: UsedBy | null
}

/** How many checks were pinged with a ping key in the last {@link USED_DAYS}, of all in the project that have a slug. */
interface UsedBy {
  readonly checks: number
  readonly of: number
}

/** So many days show the jobs that run once a week. */
export const USED_DAYS = 7

export const KEY_NAME_LIMIT = 100
export const KeyName = Text({ maxLength: KEY_NAME_LIMIT })

/** Written so seldom, because otherwise each request of a client, and each ping, would write. */
const USED_EVERY_SECONDS = 300

/** Whether a use of the key at `now` must be written. */
export function isUseStale({ lastUsedAt }: Pick<StoredKey, 'lastUsedAt'>, now: Instant): boolean {
  return lastUsedAt === null || microsecondsBetween(lastUsedAt, now) >= USED_EVERY_SECONDS * 1_000_000
}

export const API_KEY_LENGTH = 32
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const PREFIX: Record<KeyKind, string> = { 'read-write': 'odw_', 'read-only': 'odr_', ping: '' }

/** A new key: `odw_` or `odr_` and 28 letters and digits, or 22 lower-case letters and digits for pings. */
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
 * The value under which a key is stored and found. A key is random enough that its hash can't be reversed. The secret keeps
 * whoever steals a copy of the database from testing guesses against the hashes. Looking up a hash in an index tells an
 * attacker nothing about the key's characters.
 */
export function keyLookup(kind: KeyKind, key: string, secret: string): string {
  return kind === 'ping' ? key : hashApiKey(key, secret)
}

/** HMAC-SHA256 in hex. Both kinds of API key are hashed alike, since a request doesn't say which kind it carries. */
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
