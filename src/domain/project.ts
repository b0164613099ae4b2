/** A project: a group of checks and channels, with the keys that give access to them. */
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
  /** number of pings to store and list per check, 1 to 1000 */
  readonly pingLogLimit: number
  readonly createdAt: Instant
  /** part of the URLs of the project's pages; see `projectSlug` */
  readonly slug: string
  /** false if the contents of pings are excluded from the search */
  readonly isSearched: boolean
  /** IANA name of the time zone for times in alerts, except in emails, which have their own; null to use the zone of each check */
  readonly tz: string | null
}

/** A project to be created. Its pings are included in the search, and it has no time zone. */
export type NewProject = Omit<Project, 'isSearched' | 'tz'>

export const PROJECT_NAME_LIMIT = 200
export const ProjectName = Text({ maxLength: PROJECT_NAME_LIMIT, pattern: '\\S' })
export const PING_LOG_LIMIT_MAX = 1000

/** A key as stored. An API key is stored only as a keyed hash. A ping key is stored as plain text, because every ping URL contains it. */
export interface StoredKey {
  /** value that `findKey` searches for; see {@link keyLookup} */
  readonly lookup: string
  readonly projectId: string
  readonly kind: KeyKind
  /** first characters of the key, enough to tell keys apart in a list */
  readonly hint: string
  readonly createdAt: Instant
  /** name that describes the key's purpose; may be empty */
  readonly name: string
  /** time of the last use, accurate to five minutes; null if the key was never used, and for ping keys, whose use is recorded per check */
  readonly lastUsedAt: Instant | null
}

/** A key, as shown in lists. */
export interface ListedKey extends StoredKey {
  /** time of the last use, accurate to five minutes; null if the key was never used */
  readonly lastUsedAt: Instant | null
  /** number of checks that use the key; null for an API key */
  readonly usedBy: UsedBy | null
}

/**
 * The number of checks that were pinged with a ping key during the last {@link USED_DAYS} days, out of the project's checks that have a
 * slug.
 */
interface UsedBy {
  readonly checks: number
  readonly of: number
}

/** Number of past days to check for uses of a key. A week is enough to include weekly jobs. */
export const USED_DAYS = 7

export const KEY_NAME_LIMIT = 100
export const KeyName = Text({ maxLength: KEY_NAME_LIMIT })

/** Minimum number of seconds between two updates of a key's last use. Updating it on every request and ping would cause too many writes. */
const USED_EVERY_SECONDS = 300

/** Whether a use of the key at `now` must be saved. */
export function isUseStale({ lastUsedAt }: Pick<StoredKey, 'lastUsedAt'>, now: Instant): boolean {
  return lastUsedAt === null || microsecondsBetween(lastUsedAt, now) >= USED_EVERY_SECONDS * 1_000_000
}

export const API_KEY_LENGTH = 32
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const PREFIX: Record<KeyKind, string> = { 'read-write': 'odw_', 'read-only': 'odr_', ping: '' }

/** Creates a key. An API key is `odw_` or `odr_` followed by 28 letters and digits. A ping key is 22 lower-case letters and digits. */
export function makeKey(kind: KeyKind, randomBytes: RandomBytes): string {
  if (kind === 'ping') return randomText(22, SMALL_AND_DIGITS, randomBytes)
  return PREFIX[kind] + randomText(API_KEY_LENGTH - PREFIX[kind].length, LETTERS_AND_DIGITS, randomBytes)
}

/** Whether a string looks like one of Overdue's API keys. */
export function isApiKey(text: string): boolean {
  return text.length === API_KEY_LENGTH && /^od[rw]_[A-Za-z0-9]+$/.test(text)
}

/** Whether a string looks like an API key from Healthchecks 3.11 or later, which stores only hashes of its keys. */
export function isHealthchecksKey(text: string): boolean {
  return text.length === API_KEY_LENGTH && /^hc[rw]_[A-Za-z0-9]+$/.test(text)
}

/**
 * Returns the value under which a key is stored and looked up. Keys are random, so the hash can't be reversed. If a copy of the database is
 * stolen, guesses can't be tested against the hashes without the secret. Looking up the value in an index reveals nothing about the key
 * itself.
 */
export function keyLookup(kind: KeyKind, key: string, secret: string): string {
  return kind === 'ping' ? key : hashApiKey(key, secret)
}

/**
 * Returns an HMAC-SHA256 in hex. Both kinds of API keys are hashed in the same way, because a request doesn't say which kind it contains.
 */
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
