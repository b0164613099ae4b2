/**
 * Parses the parts of Healthchecks' API v3 responses that an import needs. The server may be an older or newer version, or another program.
 */

import { ALL_TAGS } from '../../domain/badge-urls.ts'
import type { ImportedBadge } from '../../domain/import/import-source.ts'
import { fits, type Static, Text, type TSchema, Type } from '../../domain/schema.ts'
import { parseUuid } from '../../lib/secrets/uuid.ts'
import { isStorable } from '../../lib/text/text.ts'

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Day = Text({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)$' })
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()])

/** Fields that every version returns. Settings are read as a `CheckSpec`. */
const ApiCheck = Type.Object({
  uuid: Type.Optional(Type.String()),
  ping_url: Type.Optional(Type.String()),
  unique_key: Type.Optional(Type.String()),
  badge_url: Type.Optional(Type.String()),
  channels: Type.Optional(Type.String()),
  n_pings: Count,
  status: Type.Union(['new', 'up', 'grace', 'down', 'paused', 'started'].map((status) => Type.Literal(status))),
  started: Type.Optional(Type.Boolean()),
  last_ping: Type.Unsafe<string | null>(orNull(Day)),
  last_duration: Type.Optional(Type.Unsafe<number | null>(orNull(Count))),
})
export type ApiCheck = Static<typeof ApiCheck> & Readonly<Record<string, unknown>>

const ApiPing = Type.Object({
  type: Type.Union([
    Type.Literal('success'),
    Type.Literal('start'),
    Type.Literal('fail'),
    Type.Literal('log'),
    Type.Literal('ign'),
  ]),
  date: Day,
  /** original time of a ping that was delivered late; only Overdue servers return it */
  occurred_at: Type.Optional(Type.Unsafe<string | null>(orNull(Type.String()))),
  n: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  scheme: Text({ maxLength: 10 }),
  method: Text({ maxLength: 10 }),
  ua: Text(),
  remote_addr: Type.Unsafe<string | null>(orNull(Text({ maxLength: 50 }))),
  rid: Type.Optional(Type.Unsafe<string | null>(orNull(Type.String()))),
  body_url: Type.Optional(Type.Unsafe<string | null>(orNull(Type.String()))),
  /** body of the ping; only servers that do not return `body_url` return it */
  body: Type.Optional(Type.Unsafe<string | null>(orNull(Type.String()))),
})
export type ApiPing = Static<typeof ApiPing>

const ApiFlip = Type.Object({ timestamp: Day, up: Type.Union([Type.Literal(0), Type.Literal(1)]) })
export type ApiFlip = Static<typeof ApiFlip>

const ApiChannel = Type.Object({ id: Type.String(), name: Text({ maxLength: 100 }), kind: Type.String() })
export type ApiChannel = Static<typeof ApiChannel>

/** The rows of a list. */
export interface ApiList<Row> {
  readonly rows: readonly Row[]
  /** number of rows that could not be parsed */
  readonly unreadable: number
}

export const readChecks = (json: unknown) => readList<ApiCheck>(json, 'checks', ApiCheck)
export const readPings = (json: unknown) => readList<ApiPing>(json, 'pings', ApiPing)
export const readFlips = (json: unknown) => readList<ApiFlip>(json, 'flips', ApiFlip)
export const readChannels = (json: unknown) => readList<ApiChannel>(json, 'channels', ApiChannel)

/** Reads a list. Some servers return flips as a bare array. @returns null if the response is not a list */
function readList<Row>(json: unknown, member: string, schema: TSchema): ApiList<Row> | null {
  const list = Array.isArray(json) ? json : memberOf(json, member)
  if (!Array.isArray(list)) return null
  const rows = list.filter((row): row is Row => fits(schema, row))
  return { rows, unreadable: list.length - rows.length }
}

/** Returns a member of an object; undefined if the value is not an object. */
function memberOf(json: unknown, member: string): unknown {
  return typeof json === 'object' && json !== null && Object.hasOwn(json, member)
    ? (json as Record<string, unknown>)[member]
    : undefined
}

/** Returns a check's UUID, or null if the response does not contain it. Before v3.5, only the ping URL contains it. */
export function uuidOf({ uuid, ping_url: pingUrl }: ApiCheck): string | null {
  return parseUuid(uuid ?? pingUrl?.split('/').at(-1) ?? '')
}

/**
 * Returns true if the response was made for a read-only key. Such a response contains no UUIDs, because anyone with a check's UUID can ping
 * it.
 */
export function isForReader({ uuid, ping_url: pingUrl, unique_key: uniqueKey }: ApiCheck): boolean {
  return uuid === undefined && pingUrl === undefined && uniqueKey !== undefined
}

/** Returns a check's badge key, or null if the server is older than v3.10. */
export function badgeKeyOf({ badge_url: badgeUrl }: ApiCheck): string | null {
  return parseUuid(/\/b\/[23]\/([^/]+)\.\w+$/.exec(badgeUrl ?? '')?.[1] ?? '')
}

/** The badge key of a project and the signatures of its tags, taken from signed badge URLs. */
interface ApiBadges {
  readonly badgeKey: string
  readonly badges: readonly ImportedBadge[]
}

const BADGE = /\/badge\/([-\w]{1,100})\/([-\w]{8})(?:-2)?(?:\/[^/]+)?\.\w+$/

/** @returns null if the response contains no badge; every project has at least the badge for all checks */
export function readBadges(json: unknown): ApiBadges | null {
  const byTag = memberOf(json, 'badges')
  if (typeof byTag !== 'object' || byTag === null) return null
  const badges: ImportedBadge[] = []
  let badgeKey: string | null = null
  for (const [tag, urls] of Object.entries(byTag)) {
    const url = memberOf(urls, 'svg')
    const [, key = null, signature] = typeof url === 'string' ? (BADGE.exec(url) ?? []) : []
    if (key === null || signature === undefined || !isStorable(tag)) continue
    // All badges of a project contain the same badge key.
    if (tag === ALL_TAGS || badgeKey === null) badgeKey = key
    badges.push({ tag, signature })
  }
  return badgeKey === null ? null : { badgeKey, badges }
}
