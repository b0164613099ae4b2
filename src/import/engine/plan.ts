/** Plans an import by comparing the source with this server. Writes nothing. */
import type { Account } from '../../domain/account/account.ts'
import { type Operator, type Person, requireAdministrator } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { type ClaimingProject, findTwins } from '../../domain/import/import-clash.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportPlan, NewProjectPlan, PlannedProject } from '../../domain/import/import-plan.ts'
import type { ImportedAccount, ImportedKey, ImportedProject, ImportSource } from '../../domain/import/import-source.ts'
import { type Project, type StoredKey, storedKey } from '../../domain/project.ts'
import type { ImportClash } from '../../store/store.ts'
import { planGrowth } from './growth.ts'
import type { ImportDeps } from './importing.ts'

/**
 * @throws Refusal `forbidden` if the person is not an administrator; `import-clash` if an item belongs to another project on this server or
 * occurs twice in the source; the refusal contains a sentence for each such item
 */
export async function planImport(deps: ImportDeps, by: Person | Operator, source: ImportSource): Promise<ImportPlan> {
  requireAdministrator(by)
  const accounts = await newAccounts(deps, source)
  const found: (NewProjectPlan | FoundProject)[] = []
  for (const imported of source.projects) {
    const here = await deps.store.projects.find(imported.id)
    found.push(here ? { kind: 'here', source: imported, project: here } : newProject(imported, deps.site.secret))
  }
  await refuseClashes(deps, found)
  const projects: PlannedProject[] = []
  const notes: ImportNote[] = [...source.notes]
  for (const each of found) {
    if (each.kind === 'new') projects.push(each)
    else {
      const growth = await planGrowth(deps, source, each.source, each.project)
      projects.push(growth.plan)
      notes.push(...growth.notes)
    }
  }
  return { accounts, projects, notes }
}

interface FoundProject {
  readonly kind: 'here'
  readonly source: ImportedProject
  /** the project as it exists on this server */
  readonly project: Project
}

/** @param secret this server's secret */
function newProject(source: ImportedProject, secret: string): NewProjectPlan {
  const { id, name, badgeKey, pingLogLimit, createdAt, isSearched, tz, slug } = source
  const project = { id, name, badgeKey, pingLogLimit, createdAt, isSearched, tz, slug: slug ?? '' }
  const keys = source.keys.map((key) => keyOf(project, key, secret))
  return { kind: 'new', source, project, keys, added: source.checks }
}

function keyOf(project: Project, key: ImportedKey, secret: string): StoredKey {
  const { kind, name, createdAt } = key
  if ('text' in key) return storedKey(project, kind, key.text, secret, createdAt, name)
  const { lookup, hint } = key
  return { lookup, projectId: project.id, kind, hint, createdAt, name, lastUsedAt: null }
}

/** Returns the accounts to create. If an account with the same email exists, it stays unchanged. */
async function newAccounts({ store, random }: ImportDeps, { accounts }: ImportSource): Promise<Account[]> {
  const fresh: Account[] = []
  for (const account of accounts) {
    if ((await store.accounts.find(account.email)) === null) fresh.push(accountOf(account, random.uuid()))
  }
  return fresh
}

function accountOf({ totpSecret, ...account }: ImportedAccount, id: string): Account {
  return {
    ...account,
    id,
    // The address counts as confirmed, because the old server mailed a sign-in link to it before the first sign-in.
    isEmailConfirmed: true,
    hasShortcuts: true,
    morningMail: null,
    listRows: 'dense',
    listPicture: 'runs',
    totp: totpSecret === null ? null : { secret: totpSecret, usedStep: null },
  }
}

/** @throws Refusal `import-clash` */
async function refuseClashes({ store }: ImportDeps, found: readonly (NewProjectPlan | FoundProject)[]): Promise<void> {
  const fresh = found.filter(({ kind }) => kind === 'new').map(claimsOf)
  const twins = findTwins([...fresh, ...found.filter(({ kind }) => kind === 'here').map(claimsOf)])
  if (twins.length > 0) {
    throw new Refusal('import-clash', 'the source has several objects that may exist only once here', {
      problems: twins,
    })
  }
  const problems: string[] = []
  for (const claiming of fresh) {
    for (const clash of await store.imports.findClashes(claiming)) {
      const owner = (await store.projects.find(clash.projectId))?.name ?? 'a project that was deleted meanwhile'
      problems.push(`project "${claiming.project.name}": ${CLASHES[clash.kind](clash.taken, owner)}`)
    }
  }
  if (problems.length === 0) return
  throw new Refusal('import-clash', 'some objects of the import exist here already, in other projects', { problems })
}

/** Lists the items of a project that must be unique, such as ids. An existing project only gets checks from the source. */
function claimsOf(planned: NewProjectPlan | FoundProject): ClaimingProject {
  const { source, project } = planned
  const checks = source.checks.map((check) => ({ check }))
  if (planned.kind === 'here') return { project, keys: [], checks, channels: [], silences: [], statusPage: null }
  const { channels, silences, statusPage } = source
  return { project, keys: planned.keys, checks, channels, silences, statusPage }
}

const CLASHES: Readonly<Record<ImportClash['kind'], (taken: string, owner: string) => string>> = {
  project: (_, owner) => `project "${owner}" already has its id`,
  'project-name': (taken) => `another project here is named "${taken}": rename one of them`,
  'badge-key': (_, owner) =>
    `project "${owner}" has one of its badge keys, so the badges of both would have the same URL`,
  key: (taken, owner) => `its key "${taken}…" is a key of project "${owner}": revoke it there, or in the source`,
  check: (_, owner) => `one of its checks has the UUID of a check of project "${owner}": delete it there`,
  channel: (_, owner) => `one of its integrations has the id of one of project "${owner}": delete it there`,
  silence: (_, owner) => `one of its silences has the id of one of project "${owner}"`,
  'status-page': (taken, owner) =>
    `its status page has the same address as the status page of project "${owner}", "${taken}": change one of them`,
}
