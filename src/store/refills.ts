/** The steps of migrations that compute values. Each belongs to one version of the data model, and stays as it was then. */
import { createHash } from 'node:crypto'
import { followingPublicId, makePublicId } from '../domain/check/public-id.ts'
import { slugify } from '../domain/check/slug.ts'
import { pastRuns } from '../domain/ping/past-runs.ts'
import type { PingKind } from '../domain/ping/signal.ts'
import { fromMicroseconds } from '../lib/time.ts'
import type { Value } from './database.ts'

/**
 * Computes values that SQL cannot: `write` runs with each list that `values` makes of the rows of `read`. Rows are read one by one, so a
 * large table needs no memory; `write` must not change what `read` orders or selects by.
 */
export interface Refill {
  readonly read: string
  readonly write: string
  values(rows: Iterable<Readonly<Record<string, Value>>>): Iterable<readonly Value[]>
}

export const PROJECT_SLUGS: Refill = {
  read: 'SELECT id, name FROM projects ORDER BY created_at, id',
  write: 'UPDATE projects SET slug = $2 WHERE id = $1',
  *values(rows) {
    const taken = new Set<string>()
    for (const { id = null, name } of rows) {
      const slug = freeSlug(String(name), taken)
      taken.add(slug)
      yield [id, slug]
    }
  },
}

const SLUG_LENGTH = 30

/** Numbered when it is taken. */
function freeSlug(name: string, taken: ReadonlySet<string>): string {
  const base = cut(slugify(name).replaceAll('_', '-'), SLUG_LENGTH) || 'project'
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`
    const slug = cut(base, SLUG_LENGTH - suffix.length) + suffix
    if (!taken.has(slug)) return slug
  }
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/-+$/, '')
}

export const PUBLIC_IDS: Refill = {
  read: 'SELECT id FROM checks',
  write: 'UPDATE checks SET public_id = $2 WHERE id = $1',
  *values(rows) {
    const taken = new Set<string>()
    for (const { id = null } of rows) {
      // The id is random, so its hash is too, and doesn't tell the id.
      let publicId = makePublicId(() => createHash('sha256').update(`public ${id}`).digest())
      while (taken.has(publicId)) publicId = followingPublicId(publicId)
      taken.add(publicId)
      yield [id, publicId]
    }
  },
}

/** Each run may have a start, and pings that end no run. */
const ENTRIES_READ = 60

// A flip to new is a resumption, or a start that ended a pause: then its ping comes right after it and says the same.
export const RUNS: Refill = {
  read: `
    SELECT counter_id, created_at, kind, timeout_seconds, grace_seconds, schedule, tz, (
      WITH RECURSIVE log (id, previous_id, n, received_at, kind, rid) AS (
        SELECT id, previous_id, n, received_at, kind, rid FROM pings
        WHERE id = counters.last_ping_id AND check_id = checks.id
        UNION ALL
        SELECT pings.id, pings.previous_id, pings.n, pings.received_at, pings.kind, pings.rid
        FROM log JOIN pings ON pings.id = log.previous_id AND pings.check_id = checks.id
        WHERE log.n > counters.n_pings - ${ENTRIES_READ} + 1
      )
      SELECT json_group_array(json_array(received_at, kind, rid)) FROM log
    ) AS pings, (
      SELECT json_group_array(json_array(created_at, new_status)) FROM (
        SELECT created_at, new_status FROM flips WHERE check_id = checks.id AND new_status IN ('paused', 'new')
        ORDER BY n DESC LIMIT ${ENTRIES_READ}
      )
    ) AS pauses
    FROM counters JOIN checks USING (counter_id) WHERE last_ping_id IS NOT NULL`,
  write: 'UPDATE counters SET runs = $2 WHERE counter_id = $1',
  *values(rows) {
    for (const row of rows) {
      const runs = runsOf(row)
      if (runs.length > 0) yield [row.counter_id ?? null, runs]
    }
  },
}

function runsOf(row: Readonly<Record<string, Value>>): Uint8Array {
  const pings: [number, PingKind, string | null][] = JSON.parse(String(row.pings))
  const pauses: [number, string][] = JSON.parse(String(row.pauses))
  const oldest = pings.at(-1)?.[0] ?? 0
  const byPeople = pauses
    .filter(([at]) => at >= oldest)
    .map(([at, status]) => ({ kind: status === 'new' ? ('resume' as const) : ('pause' as const), at }))
  const events = [...byPeople.toReversed(), ...pings.toReversed().map(([at, kind, rid]) => ({ kind, rid, at }))]
  return pastRuns(
    {
      kind: row.kind === 'cron' || row.kind === 'oncalendar' ? row.kind : 'simple',
      timeoutSeconds: Number(row.timeout_seconds),
      graceSeconds: Number(row.grace_seconds),
      schedule: String(row.schedule),
      tz: String(row.tz),
    },
    fromMicroseconds(Number(row.created_at)),
    // Stable, so of one instant the flip comes first.
    events.toSorted((a, b) => a.at - b.at).map((event) => ({ ...event, at: fromMicroseconds(event.at) })),
  )
}
