/** The tables to copy. Every table comes after the tables that its rows reference. */
import { CHECK_COLUMNS, COUNTER_COLUMNS } from '../sql/check-rows.ts'
import { PING_COLUMNS } from '../sql/ping-tables.ts'
import { ATTEMPTS, CHANNELS, DELIVERIES, EVENTS, MAILINGS } from '../tables/alerts.ts'
import { ADVICE, CHECK_DAYS, REFUSED_SIGNALS, STAGED_LOGS } from '../tables/checks.ts'
import { INCIDENTS, SILENCES } from '../tables/incidents.ts'
import { ACCOUNTS, IDENTITIES, MEMBERS, MORNING_MAILS, PASSKEYS, SESSIONS, TOKENS } from '../tables/people.ts'
import { AUDIT, KEYS, PROJECTS, STATUS_PAGES } from '../tables/projects.ts'

export interface CopiedTable {
  readonly name: string
  /** primary key or, for the log, another unique key. Rows are read in the order of this key */
  readonly key: readonly string[]
  /** columns that exist in every engine, including the key columns */
  readonly columns: readonly string[]
  /** SQL condition for the rows to copy; if omitted, all rows are copied */
  readonly only?: string
  /** column with long values, whose total size limits a page */
  readonly long?: string
}

/**
 * Settings that are not copied: the position of the search loop, because the target's log is reindexed, and the marks of copies (see
 * `marks.ts`).
 */
const OWN_SETTINGS = ['search_cursor', 'copied to', 'copied from'] as const

/** @param columns all columns except the key columns */
function table(name: string, key: string, columns: readonly string[]): CopiedTable {
  const own = key.split(' ')
  return { name, key: own, columns: [...new Set([...own, ...columns])] }
}

export const LOG = 'pings'

export const COPIED: readonly CopiedTable[] = [
  {
    ...table('settings', 'name', ['value']),
    only: `name NOT IN (${OWN_SETTINGS.map((name) => `'${name}'`).join(', ')})`,
  },
  PROJECTS,
  ACCOUNTS,
  MEMBERS,
  SESSIONS,
  TOKENS,
  PASSKEYS,
  IDENTITIES,
  AUDIT,
  KEYS,
  table('counters', 'counter_id', COUNTER_COLUMNS),
  table('checks', 'id', CHECK_COLUMNS),
  table('ping_key_uses', 'lookup check_id', ['last_at']),
  table('overgrown_logs', 'check_id', ['n']),
  table('overgrown_projects', 'project_id', ['done_until']),
  table('deleted_checks', 'check_id', []),
  table('cleared_checks', 'check_id n_pings', ['n_events']),
  STAGED_LOGS,
  table('imported_secrets', 'project_id secret', []),
  table('imported_badges', 'project_id tag signature', []),
  table('run_durations', 'check_id bound', ['runs', 'total']),
  EVENTS,
  INCIDENTS,
  SILENCES,
  CHANNELS,
  table('check_channels', 'check_id channel_id', []),
  DELIVERIES,
  ATTEMPTS,
  MAILINGS,
  MORNING_MAILS,
  STATUS_PAGES,
  REFUSED_SIGNALS,
  ADVICE,
  CHECK_DAYS,
  table('long_bodies', 'id', ['check_id', 'n', 'rest_bytes', 'begun_at']),
  { ...table('body_pieces', 'body_id piece', ['bytes']), long: 'bytes' },
  // This table must be last, because the heads of its entries' chains are looked up in the other tables.
  {
    ...table(LOG, 'id', [...PING_COLUMNS.filter((column) => column !== 'previous_id'), 'dropped_bytes']),
    long: 'body',
  },
]

/**
 * Tables that are not copied and start empty in the target. SQLite's index does not allow reading its words, so the target's search loop
 * reindexes the complete log. Servers re-create their rows when they start. Changes made before the copy can't be undone afterwards.
 */
export const NOT_COPIED: readonly string[] = [
  ...['ping_words', 'unread_pings', 'unread_checks', 'unread_projects'],
  ...['instances', 'leases', 'undos'],
]

/** Columns that only SQLite has, because only its log is a chain. The copy computes them for the target; see `chain.ts`. */
export const CHAIN: Readonly<Record<string, readonly string[]>> = {
  pings: ['previous_id'],
  counters: ['last_ping_id'],
  deleted_checks: ['last_ping_id'],
  cleared_checks: ['last_ping_id'],
  staged_logs: ['last_ping_id'],
}
