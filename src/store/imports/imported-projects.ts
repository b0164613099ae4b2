/** Creates or extends projects for imports, each in one transaction. `interface/imports.ts` describes the process. */
import { auditedImport, auditedProject } from '../../domain/audit/subjects.ts'
import { byOf } from '../../domain/author.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Project } from '../../domain/project.ts'
import { enrollChecks } from '../advice/enrollment.ts'
import type { AuditTrail } from '../audit.ts'
import { listChannels } from '../channels/channels.ts'
import { writeWanted } from '../channels/mailing-dates.ts'
import type { ProjectExtension, ProjectImport } from '../interface/imports.ts'
import { insertAccount } from '../people/accounts.ts'
import { findProject } from '../projects/projects.ts'
import { writeStatusPage } from '../projects/status-pages.ts'
import { rereadProject } from '../revisions/rereads.ts'
import type { Sql } from '../sql/database.ts'
import { insertRows } from '../sql/insertion.ts'
import { SILENCES } from '../tables/incidents.ts'
import { MEMBERS } from '../tables/people.ts'
import { KEYS } from '../tables/projects.ts'
import { findClashes, owned, refuseClashes } from './import-clashes.ts'
import { insertChecks, type NewChecks, takeLogs } from './imported-checks.ts'
import { lockImports } from './staged-logs.ts'
import { showProject } from './staged-projects.ts'

/**
 * Makes a staged project visible with its members, keys and badges, in one transaction. Creates neither flips nor deliveries. The audit log
 * gets a row with totals for the project, and a row for each new account. Takes about ten microseconds per check.
 * @param order the same order as for staging
 * @throws Refusal `import-clash` about the first clash that `findClashes` returns, `import-interrupted` if this import has not staged all
 * of the checks
 */
export async function importProject(
  sql: Sql,
  trail: AuditTrail,
  order: ProjectImport,
  { importId, logBytes }: { readonly importId: string; readonly logBytes: number },
): Promise<Project> {
  const { kind, members, keys, channels, mailings, checks, silences, statusPage } = order
  await lockAll(sql, order)
  // Clashes with the staged project's own checks and channels are ignored, because these already exist.
  refuseClashes(await findClashes(sql, { ...order, checks: [], channels: [] }))
  const project = { ...order.project, slug: await slugOf(sql, order) }
  await showProject(sql, { ...order, project }, importId)
  const logs = await takeLogs(sql, project, logBytes)
  const accounts = await insertPeople(sql, trail, order)
  await insertKeys(sql, order)
  // Mailings depend on which checks are down.
  for (const channel of channels) await writeWanted(sql, channel, mailings.get(channel.id) ?? {})
  const createdBy = byOf(trail.author)
  const planned = silences.map((silence) => SILENCES.values({ ...silence, projectId: project.id, createdBy }))
  await insertRows(sql, SILENCES.name, SILENCES.written, planned)
  if (statusPage) await writeStatusPage(sql, statusPage)
  await rereadProject(sql, project.id)
  const numbers = {
    checks: checks.length,
    channels: channels.length,
    silences: silences.length,
    members: members.length,
    keys: keys.length,
  }
  await trail.note(null, auditedImport(project, kind, { ...numbers, accounts, ...logs }))
  return project
}

/** Takes locks in the order of `LOCKS`. */
async function lockAll(sql: Sql, { accounts, members, project, statusPage }: ProjectImport): Promise<void> {
  await lockImports(sql)
  await sql.lock('email', [...new Set([...accounts, ...members].map(({ email }) => email))])
  await sql.lock('project name', [project.name])
  if (statusPage) await sql.lock('status page slugs')
  await sql.lock('project', [project.id])
}

const SLUG = 'SELECT 1 FROM projects WHERE slug = $1'

/**
 * Returns a free slug for the project. The slug stays free until the commit, because imports are locked and only imports add slugs that are
 * not random.
 */
async function slugOf(sql: Sql, { project, drawnSlug }: ProjectImport): Promise<string> {
  const isFree = project.slug !== '' && (await sql.get(SLUG, [project.slug])) === null
  return isFree ? project.slug : drawnSlug
}

const ACCOUNT = 'SELECT id FROM accounts WHERE email = $1'

/** @returns number of new accounts */
async function insertPeople(
  sql: Sql,
  trail: AuditTrail,
  { project, accounts, members }: ProjectImport,
): Promise<number> {
  const idOf = (emails: readonly string[]) =>
    sql.getEach<{ id: string }>(
      ACCOUNT,
      emails.map((email) => [email]),
    )
  const here = await idOf(accounts.map(({ email }) => email))
  const fresh = accounts.filter((_, index) => here[index] === null)
  for (const account of fresh) await insertAccount(sql, trail, account)
  const ids = await idOf(members.map(({ email }) => email))
  const rows = members.map(({ role }, index) => {
    const id = ids[index]?.id
    if (id === undefined) throw new Error(`a member of an imported project has no account: ${role}`)
    return MEMBERS.values({ accountId: id, projectId: project.id, role, createdAt: trail.author.at })
  })
  await insertRows(sql, MEMBERS.name, MEMBERS.written, rows)
  return fresh.length
}

async function insertKeys(sql: Sql, { project, keys, secret, badges }: ProjectImport): Promise<void> {
  const rows = keys.map((key) => KEYS.values({ ...key, projectId: project.id }))
  await insertRows(sql, KEYS.name, KEYS.written, rows)
  const secrets = secret === null ? [] : [[project.id, secret]]
  await insertRows(sql, 'imported_secrets', ['project_id', 'secret'], secrets)
  await insertRows(
    sql,
    'imported_badges',
    ['project_id', 'tag', 'signature'],
    badges.map(({ tag, signature }) => [project.id, tag, signature]),
  )
}

/** Adds checks with their logs to a project. @returns false if there was nothing to add */
export async function extendProject(
  sql: Sql,
  trail: AuditTrail,
  { projectId, kind, pings, flips }: Omit<ProjectExtension, 'checks' | 'logs'>,
  { logBytes, ...made }: NewChecks & { readonly logBytes: number },
): Promise<boolean> {
  const { checks } = made
  if (checks.length + pings + flips === 0) return false
  await lockImports(sql)
  await sql.lock('project', [projectId])
  const project = await findProject(sql, projectId)
  if (!project) throw new Refusal('not-found', 'not found')
  const ids = checks.map(({ check }) => check.id)
  refuseClashes(await owned(sql, 'check', ids))
  const channelIds = new Set((await listChannels(sql, projectId)).map(({ id }) => id))
  await insertChecks(sql, projectId, made, channelIds, 'shown')
  await enrollChecks(sql, ids)
  const added = await takeLogs(sql, project, logBytes)
  // The search loop may have skipped the new checks' entries, because the checks did not exist yet.
  if (checks.length > 0) await rereadProject(sql, projectId)
  const numbers = { checks: checks.length, pings: pings + added.pings, flips: flips + added.flips }
  await trail.note(auditedProject(project), auditedImport(project, kind, numbers))
  return true
}
