/** Reads an Uptime Kuma database, version 1 or 2. */
import { Refusal } from '../../domain/errors.ts'
import type { ForeignDatabase } from '../../store/sql/foreign-database.ts'
import {
  type KumaAssignment,
  type KumaBeat,
  type KumaCell,
  type KumaGroup,
  type KumaMonitor,
  type KumaNotification,
  type KumaTables,
  type KumaTag,
  SILENCE,
} from './tables.ts'

const MONITOR = [
  'id',
  'name',
  'active',
  'interval',
  'push_token',
  'maxretries',
  'retry_interval',
  'upside_down',
  'description',
  'parent',
  'created_date',
]

/** Formats columns for a SELECT statement. Names that are SQL keywords are quoted. */
function selected(columns: readonly string[], present: ReadonlySet<string>): string {
  return columns.map((column) => (present.has(column) ? `"${column}"` : `NULL AS "${column}"`)).join(', ')
}

/** @throws Refusal `import-foreign` if the database belongs to another program */
export async function openKumaTables(database: ForeignDatabase): Promise<KumaTables> {
  const { name } = database
  const monitor = await database.columns('monitor')
  const heartbeat = await database.columns('heartbeat')
  if (!monitor?.has('push_token') || !heartbeat?.has('important')) {
    throw new Refusal('import-foreign', `${name} is not an Uptime Kuma database`, { path: name })
  }
  const all = <Row>(statement: string, values: readonly (string | number)[] = []) =>
    database.all<Row>(statement, [...values])
  /** Reads all rows of a table. Returns no rows if an old version of Uptime Kuma lacks the table. */
  const allOf = async <Row>(table: string, statement: string): Promise<readonly Row[]> =>
    (await database.columns(table)) === null ? [] : all<Row>(statement)

  return {
    name,
    monitors: () =>
      all<KumaMonitor>(`SELECT ${selected(MONITOR, monitor)} FROM monitor WHERE type = 'push' ORDER BY id`),
    groups: () =>
      all<KumaGroup>(`SELECT ${selected(['id', 'name', 'parent'], monitor)} FROM monitor WHERE type = 'group'`),
    otherMonitors: () =>
      all<{ type: KumaCell; count: number }>(
        `SELECT type, COUNT(*) AS count FROM monitor WHERE type NOT IN ('push', 'group') GROUP BY type ORDER BY type`,
      ),
    tags: () =>
      allOf<KumaTag>(
        'monitor_tag',
        `SELECT monitor_tag.monitor_id, tag.name, monitor_tag.value FROM monitor_tag
         JOIN tag ON tag.id = monitor_tag.tag_id ORDER BY monitor_tag.id`,
      ),
    notifications: () =>
      allOf<KumaNotification>('notification', 'SELECT id, name, active, config FROM notification ORDER BY id'),
    assignments: () =>
      allOf<KumaAssignment>(
        'monitor_notification',
        'SELECT monitor_id, notification_id FROM monitor_notification ORDER BY id',
      ),
    installationSecret: async () => {
      const rows = await allOf<{ value: KumaCell }>('setting', `SELECT value FROM setting WHERE "key" = 'jwtSecret'`)
      const value = rows[0]?.value
      return typeof value === 'string' && value !== '' ? value : null
    },
    pushes: async (monitorId, limit) => {
      const rows = await all<KumaBeat>(
        `SELECT id, status, msg, time FROM heartbeat
         WHERE monitor_id = $1 AND status <> 3 AND (msg IS NULL OR msg <> $2) ORDER BY id DESC LIMIT $3`,
        [monitorId, SILENCE, limit],
      )
      return rows.reverse()
    },
    changes: (monitorId) =>
      all<KumaBeat>('SELECT id, status, msg, time FROM heartbeat WHERE monitor_id = $1 AND important = 1 ORDER BY id', [
        monitorId,
      ]),
    close: () => database.close(),
  }
}
