/** Converts the Uptime Kuma notifications whose settings Overdue's transports accept to integrations. */
import { CHANNEL_NAME_LIMIT } from '../../domain/channel/channel.ts'
import { settingWords } from '../../domain/channel/setting-words.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportedChannel } from '../../domain/import/import-source.ts'
import { derivedUuid } from '../../lib/secrets/derived-uuid.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import { settingsProblem } from '../../services/channels/settings-problems.ts'
import type { Registry } from '../../transports/transport.ts'
import { mapNotification } from './notifications.ts'
import type { KumaMonitor, KumaNotification, KumaTables } from './tables.ts'
import { flagOf, textOf } from './values.ts'

export interface KumaChannels {
  readonly channels: readonly ImportedChannel[]
  /** channel ids, by monitor id */
  readonly assigned: ReadonlyMap<number, readonly string[]>
}

interface Context {
  readonly project: string
  readonly installation: string
  /** creation time of the oldest monitor; Uptime Kuma does not store when notifications were created */
  readonly since: Instant
  readonly transports: Registry
  readonly notes: ImportNote[]
}

/** @param taken imported monitors; only their notifications are imported */
export async function mapNotifications(
  tables: KumaTables,
  taken: readonly { readonly monitor: KumaMonitor }[],
  context: Context,
): Promise<KumaChannels> {
  const ids = new Set(taken.map(({ monitor }) => monitor.id))
  const assignments = (await tables.assignments()).filter(({ monitor_id: id }) => ids.has(id))
  const used = new Set(assignments.map(({ notification_id: id }) => id))
  const channels: ImportedChannel[] = []
  const byNotification = new Map<number, readonly string[]>()
  const settings = new Set<string>()
  for (const notification of await tables.notifications()) {
    if (!used.has(notification.id)) continue
    const { made, setting } = mapOne(notification, channels.length, context)
    channels.push(...made)
    byNotification.set(
      notification.id,
      made.map(({ id }) => id),
    )
    if (setting !== null && made.length > 0) settings.add(setting)
  }
  for (const name of settings) noteSetting(name, context)
  const grouped = Map.groupBy(assignments, ({ monitor_id: id }) => id)
  const assigned = [...grouped].map(([id, rows]): [number, readonly string[]] => {
    return [id, [...new Set(rows.flatMap((row) => byNotification.get(row.notification_id) ?? []))]]
  })
  return { channels, assigned: new Map(assigned) }
}

function mapOne(notification: KumaNotification, before: number, context: Context) {
  const name = textOf(notification.name).trim() || `notification ${notification.id}`
  const mapped = mapNotification(notification.config)
  const note = (kind: ImportNote['kind'], reason: string, advice: string | null) =>
    void context.notes.push({ kind, subject: 'integration', name, project: context.project, reason, advice })
  if (mapped.channels.length === 0) note('left-out', mapped.reason, 'Add it by hand.')
  const made: ImportedChannel[] = []
  for (const [index, channel] of mapped.channels.entries()) {
    const problem = settingsProblem(context.transports, channel.kind, channel.settings)
    if (problem !== null) {
      note(
        'left-out',
        `Its settings are not valid here: in the settings of ${channel.kind}, ${problem}.`,
        'Add it by hand.',
      )
      continue
    }
    made.push({
      id: derivedUuid('notification of an Uptime Kuma', `${context.installation} ${notification.id} ${index}`),
      name: [...name].slice(0, CHANNEL_NAME_LIMIT - channel.detail.length).join('') + channel.detail,
      kind: channel.kind,
      settings: channel.settings,
      createdAt: fromMicroseconds(toMicroseconds(context.since) + before + made.length),
      disabledReason: flagOf(notification.active) ? null : 'switched off in Uptime Kuma',
      lastError: null,
      awaitsConfirmation: false,
      quietHours: null,
    })
  }
  if (made.length > 0 && mapped.changed !== null) note('changed', mapped.changed, null)
  return { made, setting: mapped.setting }
}

function noteSetting(name: string, { project, notes }: Context): void {
  const reason = 'Uptime Kuma stores it with each notification, Overdue once for all of a kind.'
  const { page } = settingWords(name)
  const set = page === null ? 'Set it' : `Enter it at ${page}, or set the variable,`
  const advice = `${set} before integrations of the kind are used.`
  notes.push({ kind: 'to-do', subject: 'setting', name, project, reason, advice })
}
