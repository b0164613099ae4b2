/** Implements an import source for Healthchecks. Projects are converted when the source is opened, and logs when they are read. */

import type { Flip } from '../../domain/check/flip.ts'
import { Refusal } from '../../domain/errors.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type {
  ImportedAccount,
  ImportedAlert,
  ImportedCheck,
  ImportedProject,
  ImportSource,
} from '../../domain/import/import-source.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import { mapUsers, type SourceUser } from './accounts.ts'
import { mapAlerts } from './alerts.ts'
import { mapFlip, mapPing } from './logs.ts'
import { collectNotes, type Note } from './notes.ts'
import type { HealthchecksOptions } from './options.ts'
import { type MappedProject, mapProject, type ProjectTables } from './project.ts'
import { nameProjects, type SourceProject } from './projects.ts'
import { verifyBySessions } from './sessions.ts'
import { noteSettings } from './settings.ts'
import type { HealthchecksTables, SourceRow } from './tables.ts'
import { textOf } from './values.ts'

/**
 * Opens a source. Closing the source closes the tables. @throws Refusal `import-secret-wrong`, `import-project-unknown`; errors from the
 * tables
 */
export async function healthchecksSource(
  tables: HealthchecksTables,
  options: HealthchecksOptions,
): Promise<ImportSource> {
  const { all, note } = collectNotes()
  await refuseWrongSecret(tables, options, note)
  const [users, found, rows] = await readHeads(tables, options, note)
  const projects: MappedProject[] = []
  for (const project of chosen(found, options.projects)) {
    projects.push(await mapProject(tables, rows, project, users, options, note))
  }
  const imported = projects.map(({ project }) => project)
  noteSettings(imported, note)
  return new HealthchecksSource(tables, accountsOf(users, imported, options.projects === null), projects, all)
}

/** Rejects a wrong secret. Adds a note if the database cannot prove the secret, because no user is signed in to the old server. */
async function refuseWrongSecret(
  tables: HealthchecksTables,
  { secret, isSecretVerified }: HealthchecksOptions,
  note: Note,
): Promise<void> {
  if (secret === null) return
  const verdict = verifyBySessions(secret, await tables.sessions())
  if (verdict === 'wrong') {
    const message =
      'the secret is not the SECRET_KEY of this Healthchecks: the sessions in its database are not signed with it'
    throw new Refusal('import-secret-wrong', message)
  }
  if (verdict === 'right' || isSecretVerified) return
  const reason = 'The database cannot confirm the given secret. If it is wrong, API keys and tag badges stop working.'
  const advice =
    'Compare it with the environment of the old server, or verify it by an API key with the import command.'
  note({ kind: 'to-do', subject: 'setting', name: 'SECRET_KEY', project: null, reason, advice })
}

async function readHeads(
  tables: HealthchecksTables,
  { now }: HealthchecksOptions,
  note: Note,
): Promise<[ReadonlyMap<string, SourceUser>, SourceProject[], ProjectTables]> {
  const users = mapUsers(
    {
      users: await tables.rows('auth_user'),
      profiles: await tables.rows('accounts_profile'),
      credentials: await tables.rows('accounts_credential'),
    },
    now,
    note,
  )
  const projects = nameProjects(await tables.rows('accounts_project'), users, note)
  const members = Map.groupBy(await tables.rows('accounts_member'), (row) => textOf(row.project_id))
  const checks = Map.groupBy(await tables.rows('api_check'), (row) => textOf(row.project_id))
  const channels = Map.groupBy(await tables.rows('api_channel'), (row) => textOf(row.project_id))
  const assignments = Map.groupBy(await tables.rows('api_channel_checks'), (row) => textOf(row.check_id))
  return [users, projects, { members, checks, channels, assignments }]
}

/** @throws Refusal `import-project-unknown` */
function chosen(projects: readonly SourceProject[], names: readonly string[] | null): readonly SourceProject[] {
  if (names === null) return projects
  const isNamed = ({ id, name }: SourceProject, wanted: string) => id === wanted || name === wanted
  for (const name of names) {
    if (projects.some((project) => isNamed(project, name))) continue
    const problems = projects.map((project) => project.name)
    throw new Refusal('import-project-unknown', `the source has no project named "${name}"`, { name, problems })
  }
  return projects.filter((project) => names.some((name) => isNamed(project, name)))
}

function accountsOf(
  users: ReadonlyMap<string, SourceUser>,
  projects: readonly ImportedProject[],
  isWhole: boolean,
): ImportedAccount[] {
  const accounts = new Map([...users.values()].map(({ account }) => [account.email, account]))
  const members = new Set(projects.flatMap((project) => project.members.map(({ email }) => email)))
  return [...accounts.values()].filter(({ email }) => isWhole || members.has(email))
}

class HealthchecksSource implements ImportSource {
  readonly kind = 'healthchecks'
  readonly projects: readonly ImportedProject[]
  readonly #tables: HealthchecksTables
  readonly #mapped: readonly MappedProject[]
  /** values of `api_check.id` by UUID */
  readonly #rows: ReadonlyMap<string, number>

  constructor(
    tables: HealthchecksTables,
    readonly accounts: readonly ImportedAccount[],
    mappedProjects: readonly MappedProject[],
    readonly notes: readonly ImportNote[],
  ) {
    this.#tables = tables
    this.#mapped = mappedProjects
    this.projects = mappedProjects.map(({ project }) => project)
    this.#rows = new Map(mappedProjects.flatMap(({ rows }) => [...rows]))
  }

  get name(): string {
    return this.#tables.name
  }

  async *pings(check: ImportedCheck, after: number): AsyncGenerator<readonly Ping[]> {
    for await (const page of this.#tables.pings(this.#rowOf(check.id), after)) {
      const pings = page.map((ping) => mapPing(ping, check.id)).filter((ping) => ping !== null)
      if (pings.length > 0) yield pings
    }
  }

  async *flips(check: ImportedCheck, after: number): AsyncGenerator<readonly Flip[]> {
    let n = after
    for await (const page of this.#tables.flips(this.#rowOf(check.id), after)) {
      yield page.map((row) => mapFlip(row, check.id, ++n, check.createdAt))
    }
  }

  async *alerts({ id }: ImportedProject): AsyncGenerator<readonly ImportedAlert[]> {
    const found = this.#mapped.find(({ project }) => project.id === id)
    for (const check of found?.project.checks ?? []) {
      const rows: SourceRow[] = []
      for await (const page of this.#tables.notifications(this.#rowOf(check.id))) rows.push(...page)
      if (rows.length === 0) continue
      const flips: Flip[] = []
      for await (const page of this.flips(check, 0)) flips.push(...page)
      const alerts = mapAlerts(rows, check.id, flips, found?.channels ?? new Map())
      if (alerts.length > 0) yield alerts
    }
  }

  async countPings(): Promise<number> {
    return this.#mapped.reduce((sum, { pings }) => sum + pings, 0)
  }

  /** @throws Error if the check is not in this source */
  #rowOf(id: string): number {
    const row = this.#rows.get(id)
    if (row === undefined) throw new Error('this check is not of this source')
    return row
  }

  close(): Promise<void> {
    return this.#tables.close()
  }
}
