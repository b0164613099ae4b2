/** Compares what a source has with what is here, and writes nothing. */
import type { Account } from '../../domain/account/account.ts'
import { type Operator, type Person, requireAdministrator } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportPlan, NewProjectPlan, PlannedProject } from '../../domain/import/import-plan.ts'
import type { ImportedAccount, ImportedProject, ImportSource } from '../../domain/import/import-source.ts'
import type { Project } from '../../domain/project.ts'
import type { ImportClash, ProjectImport } from '../../store/store.ts'
import { type ClaimingProject, findTwins } from '../proposals/twins.ts'
import type { ImportDeps } from './deps.ts'
import { planGrowth } from './growth.ts'
import { projectImport } from './order.ts'

/**
 * @throws Refusal `forbidden` for a person who is no administrator; `import-clash` with a sentence for each thing that another project
 * here has already, or that the source has twice
 */
export async function planImport(deps: ImportDeps, by: Person | Operator, source: ImportSource): Promise<ImportPlan> {
  requireAdministrator(by)
  const accounts = await newAccounts(deps, source)
  const projects: PlannedProject[] = []
  const notes: ImportNote[] = [...source.notes]
  for (const imported of source.projects) {
    const here = await deps.store.findProject(imported.id)
    if (here === null) projects.push({ kind: 'new', source: imported, project: newProject(imported) })
    else {
      const growth = await planGrowth(deps, source, imported, here)
      projects.push(growth.plan)
      notes.push(...growth.notes)
    }
  }
  const plan = { accounts, projects, notes }
  await refuseClashes(deps, source, plan)
  return plan
}

function newProject(imported: ImportedProject): Project {
  const { id, name, badgeKey, pingLogLimit, createdAt, isSearched, tz, slug } = imported
  return { id, name, badgeKey, pingLogLimit, createdAt, isSearched, tz, slug: slug ?? '' }
}

/** Whoever has an account of that email here keeps it as it is. */
async function newAccounts({ store, random }: ImportDeps, { accounts }: ImportSource): Promise<Account[]> {
  const fresh: Account[] = []
  for (const account of accounts) {
    if ((await store.findAccount(account.email)) === null) fresh.push(accountOf(account, random.uuid()))
  }
  return fresh
}

function accountOf({ totpSecret, ...account }: ImportedAccount, id: string): Account {
  return {
    ...account,
    id,
    // The source has sent a link to the address before it let anybody in.
    isEmailConfirmed: true,
    hasShortcuts: true,
    totp: totpSecret === null ? null : { secret: totpSecret, usedStep: null },
  }
}

/** @throws Refusal `import-clash` */
async function refuseClashes(deps: ImportDeps, source: ImportSource, plan: ImportPlan): Promise<void> {
  const orders: { project: NewProjectPlan; order: ProjectImport }[] = []
  for (const project of plan.projects.filter((planned) => planned.kind === 'new')) {
    orders.push({ project, order: await projectImport(deps, source.kind, plan, project, new Map()) })
  }
  const made = orders.map(({ order }) => ({ ...order, checks: order.checks.map(({ check }) => check) }))
  const twins = findTwins([...made, ...plan.projects.filter(({ kind }) => kind === 'here').map(onlyChecks)])
  if (twins.length > 0) {
    throw new Refusal('import-clash', 'the source has things twice that can be here only once', { problems: twins })
  }
  const problems: string[] = []
  for (const { project, order } of orders) {
    for (const clash of await deps.store.findImportClashes(order)) {
      problems.push(await clashWords(deps, project, clash))
    }
  }
  if (problems.length === 0) return
  throw new Refusal('import-clash', 'what would be imported is here already, in other projects', { problems })
}

/** A project that is here gets nothing else from the source. */
function onlyChecks({ source, project }: PlannedProject): ClaimingProject {
  return { project, keys: [], checks: source.checks, channels: [], statusPage: null }
}

const CLASHES: Readonly<Record<ImportClash['kind'], (taken: string, owner: string) => string>> = {
  project: (_, owner) => `its id is that of project "${owner}"`,
  'project-name': (taken) => `another project here is named "${taken}": rename one of them`,
  'badge-key': (_, owner) =>
    `project "${owner}" has one of its badge keys, so the badges of both would have the same address`,
  key: (taken, owner) => `its key "${taken}…" is a key of project "${owner}": revoke it there, or in the source`,
  check: (_, owner) => `one of its checks has the UUID of a check of project "${owner}": delete it there`,
  channel: (_, owner) => `one of its integrations has the id of one of project "${owner}": delete it there`,
  'status-page': (taken, owner) =>
    `its status page has the address "${taken}" of that of project "${owner}": change one`,
}

async function clashWords({ store }: ImportDeps, { project }: NewProjectPlan, clash: ImportClash): Promise<string> {
  const owner = (await store.findProject(clash.projectId))?.name ?? 'a project that was deleted meanwhile'
  return `project "${project.name}": ${CLASHES[clash.kind](clash.taken, owner)}`
}
