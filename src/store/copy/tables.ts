/** What a copy of a database holds: each table, in an order in which every row comes after those that it refers to. */
import { SETTINGS_COLUMNS } from '../sql/check-rows.ts'

export interface CopiedTable {
  readonly name: string
  /** the primary key, or for the log another one that is unique: the order in which rows are read */
  readonly key: readonly string[]
  /** all that every engine has, the key among them */
  readonly columns: readonly string[]
  /** SQL condition of the rows that are copied; null: all */
  readonly only: string | null
}

/**
 * Settings that stay behind: how far the search has read, since the target reads everything again, and the marks of copies
 * (see `marks.ts`).
 */
const OWN_SETTINGS = ['search_cursor', 'copied to', 'copied from'] as const

function table(name: string, key: string, columns: string, only: string | null = null): CopiedTable {
  const words = (list: string) => list.split(/\s+/).filter((word) => word !== '')
  return { name, key: words(key), columns: words(columns), only }
}

/** Bodies are long, so the pages of this table are bounded by bytes. */
export const LOG = 'pings'

export const COPIED: readonly CopiedTable[] = [
  table('settings', 'name', 'name value', `name NOT IN (${OWN_SETTINGS.map((name) => `'${name}'`).join(', ')})`),
  table('projects', 'id', 'id name badge_key ping_log_limit created_at slug search staged_at tz'),
  table(
    'accounts',
    'id',
    `id email password_hash is_administrator tz theme has_shortcuts created_at is_suspended totp_secret totp_step
     last_seen_at is_email_confirmed`,
  ),
  table('members', 'account_id project_id', 'account_id project_id role created_at'),
  table('sessions', 'lookup', 'lookup account_id created_at last_seen_at remote_addr ua method confirmed_at'),
  table('tokens', 'lookup', 'lookup purpose account_id project_id made_by email role data created_at expires_at'),
  table('passkeys', 'id', 'id account_id name public_key counter transports created_at last_used_at'),
  table('identities', 'issuer subject', 'issuer subject account_id created_at last_used_at'),
  table(
    'audit',
    'change_id n',
    `change_id n created_at author_kind author_id author_name remote_addr project_id action subject_kind subject_id
     subject_name old_values new_values`,
  ),
  table('keys', 'lookup', 'lookup project_id kind hint created_at name last_used_at'),
  table(
    'counters',
    'counter_id',
    'counter_id n_pings last_ping_at last_success_at last_start_at last_start_rid last_duration spared_until runs',
  ),
  table(
    'checks',
    'id',
    `id project_id status n_flips alert_after badge_key unique_key created_at counter_id public_id
     ${SETTINGS_COLUMNS.join(' ')}`,
  ),
  table('ping_key_uses', 'lookup check_id', 'lookup check_id last_at'),
  table('overgrown_logs', 'check_id', 'check_id n'),
  table('overgrown_projects', 'project_id', 'project_id done_until'),
  table('deleted_checks', 'check_id', 'check_id'),
  table('cleared_checks', 'check_id n_pings', 'check_id n_pings n_flips'),
  table('staged_logs', 'check_id', 'check_id project_id n_pings n_flips entries bytes staged_at'),
  table('imported_secrets', 'project_id secret', 'project_id secret'),
  table('imported_badges', 'project_id tag signature', 'project_id tag signature'),
  table('run_durations', 'check_id bound', 'check_id bound runs total'),
  table('flips', 'check_id n', 'check_id n created_at old_status new_status reason'),
  table(
    'channels',
    'id',
    'id project_id name kind settings created_at disabled_reason last_error host awaits_confirmation',
  ),
  table('check_channels', 'check_id channel_id', 'check_id channel_id'),
  table('deliveries', 'id', 'id check_id flip_n channel_id state attempts created_at next_attempt_at ended_at error'),
  table('attempts', 'delivery_id n', 'delivery_id n created_at duration error answer'),
  table(
    'mailings',
    'channel_id kind',
    'channel_id kind project_id period_seconds due_at attempts next_attempt_at error',
  ),
  table('status_pages', 'project_id', 'project_id slug is_public is_indexed title text tz sections updated_at'),
  table('refused_signals', 'check_id', 'check_id n last_tail last_at'),
  // Last: its entries find the heads of their chains in the tables above.
  table(
    LOG,
    'id',
    `id check_id n received_at kind exit_status rid scheme method ua remote_addr body dropped_bytes content_type
     ignored_by`,
  ),
]

/**
 * Tables that are not copied, and stay empty at the target. The words of the search cannot be read from SQLite's index, so the search
 * loop of the target reads the whole log again; then nothing waits to be read once more.
 * Servers note themselves at their start, and a change before the copy can no longer be undone after it.
 */
export const REMADE: readonly string[] = [
  ...['ping_words', 'unread_pings', 'unread_checks', 'unread_projects'],
  ...['instances', 'leases', 'undos'],
]

/** Columns that only SQLite has, because only its log is a chain. The target computes them: see `chain.ts`. */
export const CHAIN: Readonly<Record<string, readonly string[]>> = {
  pings: ['previous_id'],
  counters: ['last_ping_id'],
  deleted_checks: ['last_ping_id'],
  cleared_checks: ['last_ping_id'],
  staged_logs: ['last_ping_id'],
}
