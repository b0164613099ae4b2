/** Converts one Healthchecks project with all its data except the logs. */
import type { Flip } from '../../domain/check/flip.ts'
import { distinctTimes } from '../../domain/import/distinct-times.ts'
import type { ImportedChannel, ImportedCheck, ImportedProject } from '../../domain/import/import-source.ts'
import type { Instant } from '../../lib/time.ts'
import type { SourceUser } from './accounts.ts'
import { mapChannels } from './channels.ts'
import { mapCheck } from './checks.ts'
import { mapKeys } from './keys.ts'
import { mapFlip, mapRuns, PINGS_OF_RUNS } from './logs.ts'
import { withMailings } from './mailings.ts'
import { type Note, named } from './notes.ts'
import type { HealthchecksOptions } from './options.ts'
import { mapMembers, oldest, pingLogLimit, type SourceProject } from './projects.ts'
import type { HealthchecksTables, SourceRow } from './tables.ts'
import { instantOf, textOf, uuidOf } from './values.ts'

/** Rows that belong to any of the projects. */
export interface ProjectTables {
  /** members by project id */
  readonly members: ReadonlyMap<string, readonly SourceRow[]>
  readonly checks: ReadonlyMap<string, readonly SourceRow[]>
  readonly channels: ReadonlyMap<string, readonly SourceRow[]>
  /** assigned channels, by check id */
  readonly assignments: ReadonlyMap<string, readonly SourceRow[]>
}

export interface MappedProject {
  readonly project: ImportedProject
  /** values of `api_check.id` by UUID */
  readonly rows: ReadonlyMap<string, number>
  /** ids of imported channels, by the value of `api_channel.id` */
  readonly channels: ReadonlyMap<string, string>
  /** number of log entries of all checks */
  readonly pings: number
}

export async function mapProject(
  tables: HealthchecksTables,
  all: ProjectTables,
  source: SourceProject,
  users: ReadonlyMap<string, SourceUser>,
  options: HealthchecksOptions,
  note: Note,
): Promise<MappedProject> {
  const { row, id, name } = source
  const { now, secret, random, transports } = options
  const people = mapMembers(source, all.members.get(textOf(row.id)) ?? [], users, note)
  const channelRows = all.channels.get(textOf(row.id)) ?? []
  const plain = mapChannels(channelRows, { project: name, transports, otherwise: now, note })
  const channels = withMailings(plain, people.users, name, note)
  const checkRows = all.checks.get(textOf(row.id)) ?? []
  const { checks, rows, pings } = await mapChecks(tables, checkRows, { name, all, channels, options, note })
  const createdAt = oldest(
    checks.map((check) => check.createdAt),
    oldest(
      [...channels.values()].map((channel) => channel.createdAt),
      now,
    ),
  )
  const project: ImportedProject = {
    id,
    name,
    slug: null,
    badgeKey: badgeKeyOf(row) ?? random.uuid(),
    pingLogLimit: pingLogLimit(source, note),
    createdAt,
    isSearched: true,
    tz: null,
    members: people.members,
    keys: mapKeys(row, name, createdAt, secret, note),
    checks,
    channels: [...channels.values()],
    silences: [],
    statusPage: null,
    secret,
    badges: [],
  }
  if (secret === null) noteBadges(name, checks, note)
  return { project, rows, pings, channels: new Map([...channels].map(([key, channel]) => [key, channel.id])) }
}

/** Returns the badge key, or null if the key cannot be part of a URL. */
function badgeKeyOf(row: SourceRow): string | null {
  return /^[\w-]{1,150}$/.exec(textOf(row.badge_key))?.[0] ?? null
}

function noteBadges(project: string, checks: readonly ImportedCheck[], note: Note): void {
  const reason = checks.some(({ tags }) => tags.trim() !== '')
    ? 'Badges of tags and of the whole project get new addresses, signed with the secret of this server.'
    : 'The badge of the whole project gets a new address, signed with the secret of this server.'
  const advice = 'Import with the SECRET_KEY of the old server, or update the pages that show them.'
  note({ kind: 'left-out', subject: 'badge', name: 'signed badges', project, reason, advice })
}

interface ChecksContext {
  readonly name: string
  readonly all: ProjectTables
  readonly channels: ReadonlyMap<string, ImportedChannel>
  readonly options: HealthchecksOptions
  readonly note: Note
}

interface MappedChecks extends Pick<MappedProject, 'rows' | 'pings'> {
  readonly checks: readonly ImportedCheck[]
}

async function mapChecks(
  tables: HealthchecksTables,
  given: readonly SourceRow[],
  { name, all, channels, options, note }: ChecksContext,
): Promise<MappedChecks> {
  const usable = given.filter((row) => {
    if (uuidOf(row.code) !== null) return true
    const about = { subject: 'check', name: named(textOf(row.name), 'unnamed'), project: name }
    note({ ...about, kind: 'left-out', reason: 'Its code is not a UUID.' })
    return false
  })
  const times = distinctTimes(usable.map(({ created }) => instantOf(created) ?? options.now))
  const summaries = await tables.summarize(usable.map(({ id }) => Number(id)))
  const rows = new Map<string, number>()
  const checks: ImportedCheck[] = []
  for (const [index, row] of usable.entries()) {
    const [id, createdAt, summary] = [uuidOf(row.code), times[index], summaries[index]]
    if (id === null || createdAt === undefined || summary === undefined) continue
    const told = all.assignments.get(textOf(row.id)) ?? []
    // The order must not depend on the database engine.
    const channelIds = told.flatMap((assigned) => channels.get(textOf(assigned.channel_id))?.id ?? []).toSorted()
    const runs = summary.pings === 0 ? new Uint8Array(0) : await readRuns(tables, row, createdAt)
    const { uuid } = options.random
    rows.set(id, Number(row.id))
    checks.push(mapCheck(row, id, { project: name, createdAt, summary, runs, channelIds, uuid, note }))
  }
  return { checks, rows, pings: summaries.reduce((sum, summary) => sum + summary.pings, 0) }
}

async function readRuns(tables: HealthchecksTables, row: SourceRow, createdAt: Instant): Promise<Uint8Array> {
  const check = Number(row.id)
  const flips: Flip[] = []
  for await (const page of tables.flips(check, 0)) {
    flips.push(...page.map((flip, index) => mapFlip(flip, '', flips.length + index + 1, createdAt)))
  }
  return mapRuns(row, createdAt, await tables.newestPings(check, PINGS_OF_RUNS), flips)
}
