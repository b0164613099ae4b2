/** Implements an import source for Uptime Kuma. All its push monitors become one project. */

import { Refusal } from '../../domain/errors.ts'
import { distinctTimes } from '../../domain/import/distinct-times.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportedCheck, ImportedProject, ImportSource } from '../../domain/import/import-source.ts'
import { derivedUuid } from '../../lib/secrets/derived-uuid.ts'
import { earlier, type Instant } from '../../lib/time.ts'
import type { Registry } from '../../transports/transport.ts'
import { toFlips, toPing } from './beats.ts'
import { type KumaChannels, mapNotifications } from './channels.ts'
import { checkIdOf, monitorName, TakenSlugs, takable, toCheck } from './check.ts'
import type { KumaMonitor, KumaTables } from './tables.ts'
import { instantOf, textOf } from './values.ts'

export interface UptimeKumaOptions {
  /** name of the new project */
  readonly project: string
  readonly pingLogLimit: number
  readonly now: Instant
  readonly transports: Registry
}

/** Opens a source. Closing the source closes the tables. @throws Refusal `import-empty` */
export async function uptimeKumaSource(tables: KumaTables, options: UptimeKumaOptions): Promise<ImportSource> {
  const monitors = await tables.monitors()
  if (monitors.length === 0) {
    throw new Refusal('import-empty', `${tables.name} has no push monitors`, { path: tables.name })
  }
  const notes: ImportNote[] = standingNotes(options.project)
  await noteOthers(tables, options.project, notes)
  const installation = await installationOf(tables, monitors)
  const taken = takenOf(monitors, options.project, notes)
  const since = taken.reduce((oldest, { createdAt }) => earlier(oldest, createdAt) ?? oldest, options.now)
  const channels = await mapNotifications(tables, taken, { ...options, since, installation, notes })
  const checks = await readChecks(tables, taken, channels, options, notes)
  const project: ImportedProject = {
    id: derivedUuid('project of an Uptime Kuma', installation),
    name: options.project,
    slug: null,
    badgeKey: derivedUuid('badges of an Uptime Kuma', installation),
    pingLogLimit: options.pingLogLimit,
    createdAt: since,
    isSearched: true,
    tz: null,
    members: [],
    keys: [],
    checks,
    channels: channels.channels,
    silences: [],
    statusPage: null,
    secret: null,
    badges: [],
  }
  return sourceOf(tables, project, new Map(taken.map(({ monitor, token }) => [checkIdOf(token), monitor.id])), notes)
}

interface TakenMonitor {
  readonly monitor: KumaMonitor
  readonly token: string
  readonly createdAt: Instant | null
}

function takenOf(monitors: readonly KumaMonitor[], project: string, notes: ImportNote[]): TakenMonitor[] {
  const taken = new Map<string, TakenMonitor>()
  for (const monitor of monitors) {
    const { token, reason } = takable(monitor)
    const isTwin = token !== null && taken.has(token)
    if (token !== null && !isTwin) taken.set(token, { monitor, token, createdAt: instantOf(monitor.created_date) })
    else {
      notes.push({
        kind: 'left-out',
        subject: 'check',
        name: monitorName(monitor),
        project,
        reason: reason ?? 'Another monitor has the same push token.',
        advice: null,
      })
    }
  }
  return [...taken.values()]
}

async function readChecks(
  tables: KumaTables,
  taken: readonly TakenMonitor[],
  { assigned }: KumaChannels,
  { project, pingLogLimit, now }: UptimeKumaOptions,
  notes: ImportNote[],
): Promise<ImportedCheck[]> {
  const tagsOf = Map.groupBy(await tables.tags(), (tag) => tag.monitor_id)
  const groups = new Map((await tables.groups()).map((group) => [group.id, group]))
  const times = distinctTimes(taken.map(({ createdAt }) => createdAt ?? now))
  const slugs = new TakenSlugs()
  const note = (given: ImportNote) => void notes.push(given)
  const checks: ImportedCheck[] = []
  for (const [index, { monitor, token }] of taken.entries()) {
    const id = checkIdOf(token)
    const pings = (await tables.pushes(monitor.id, pingLogLimit)).flatMap((beat) => toPing(id, beat) ?? [])
    const flips = toFlips(id, await tables.changes(monitor.id))
    const channelIds = assigned.get(monitor.id) ?? []
    const createdAt = times[index] ?? now
    const tags = tagsOf.get(monitor.id) ?? []
    checks.push(toCheck(monitor, token, { project, createdAt, groups, tags, channelIds, slugs, pings, flips, note }))
  }
  return checks
}

function sourceOf(
  tables: KumaTables,
  project: ImportedProject,
  monitors: ReadonlyMap<string, number>,
  notes: readonly ImportNote[],
): ImportSource {
  const read = async ({ id }: ImportedCheck) => {
    const beats = await tables.pushes(monitors.get(id) ?? 0, project.pingLogLimit)
    return beats.flatMap((beat) => toPing(id, beat) ?? [])
  }
  return {
    kind: 'uptime-kuma',
    name: tables.name,
    accounts: [],
    projects: [project],
    notes,
    async *pings(check, after) {
      const pings = (await read(check)).filter(({ n }) => n > after)
      if (pings.length > 0) yield pings
    },
    async *flips({ id }, after) {
      const flips = toFlips(id, await tables.changes(monitors.get(id) ?? 0)).filter(({ n }) => n > after)
      if (flips.length > 0) yield flips
    },
    async *alerts() {},
    async countPings() {
      let pings = 0
      for (const check of project.checks) pings += (await read(check)).length
      return pings
    },
    close: () => tables.close(),
  }
}

/**
 * Returns the seed from which the ids of the project and its integrations are derived, so that the next import finds the same project and
 * integrations.
 */
async function installationOf(tables: KumaTables, monitors: readonly KumaMonitor[]): Promise<string> {
  const token = monitors.map((monitor) => textOf(monitor.push_token)).find((text) => text !== '')
  return (await tables.installationSecret()) ?? token ?? tables.name
}

async function noteOthers(tables: KumaTables, project: string, notes: ImportNote[]): Promise<void> {
  for (const { type, count } of await tables.otherMonitors()) {
    notes.push({
      kind: 'left-out',
      subject: 'monitor',
      name: `${count} of type ${textOf(type) || 'unknown'}`,
      project,
      reason: 'Uptime Kuma probes its target itself. Overdue waits for pings.',
      advice: null,
    })
  }
}

function standingNotes(project: string): ImportNote[] {
  return [
    {
      kind: 'to-do',
      subject: 'push URL',
      name: 'all',
      project,
      reason: 'Overdue does not answer push URLs of Uptime Kuma (/api/push/ and a token).',
      advice:
        'Give each job the ping URL on its check page. For a push with status=down, add /fail to the URL, and send its msg as the body.',
    },
    {
      kind: 'changed',
      subject: 'ping',
      name: 'all',
      project,
      reason:
        'Pings have the numbers of their heartbeats, which Uptime Kuma counts across all monitors. The durations that pushes reported are not imported.',
      advice: null,
    },
  ]
}
