/** Reports what an import would do, or what it has done. */
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportPlan, PlannedProject } from '../../domain/import/import-plan.ts'
import type { ImportSource } from '../../domain/import/import-source.ts'
import type { Applied } from './apply.ts'
import { untoldChecks } from './untold-checks.ts'

export interface ImportReport {
  /** name of the source, without a password */
  readonly from: string
  /** false if nothing was written */
  readonly isApplied: boolean
  readonly projects: readonly ReportedProject[]
  readonly accounts: ReportedAccounts
  /** approximate number of pings in the source, including pings that were imported before */
  readonly pings: number
  readonly notes: readonly ImportNote[]
}

export interface ReportedProject {
  readonly id: string
  readonly name: string
  /** false if the project already exists on this server, and gets new data */
  readonly isNew: boolean
  /** number of checks that are added */
  readonly checks: number
  /** number of existing checks for which the source has new data */
  readonly grownChecks: number
  readonly channels: number
  readonly silences: number
  readonly keys: number
  readonly members: number
  /** number of rows written to the history; null if the plan was not applied */
  readonly history: { readonly pings: number; readonly flips: number; readonly alerts: number } | null
}

/** Email addresses of accounts, in alphabetical order. */
interface ReportedAccounts {
  /** accounts that the import creates */
  readonly new: readonly string[]
  /** accounts that already exist and stay unchanged */
  readonly here: readonly string[]
  /** new accounts that become administrators */
  readonly administrators: readonly string[]
  /** new accounts whose old password this server cannot verify, so that they need another way to sign in */
  readonly withoutPassword: readonly string[]
}

/** @param applied null if the plan was not applied */
export async function reportImport(
  source: ImportSource,
  plan: ImportPlan,
  applied: Applied | null,
): Promise<ImportReport> {
  return {
    from: source.name,
    isApplied: applied !== null,
    projects: plan.projects.map((project) => reportProject(project, applied)),
    accounts: reportAccounts(source, plan),
    pings: await source.countPings(),
    notes: [
      ...plan.notes,
      ...plan.projects.flatMap(({ source, added }) => untoldChecks(source, added)),
      ...(applied?.notes ?? []),
    ],
  }
}

function reportProject(planned: PlannedProject, applied: Applied | null): ReportedProject {
  const { source, project } = planned
  const isNew = planned.kind === 'new'
  return {
    id: project.id,
    name: project.name,
    isNew,
    checks: planned.added.length,
    grownChecks: isNew ? 0 : planned.grown.length,
    channels: isNew ? source.channels.length : 0,
    silences: isNew ? source.silences.length : 0,
    keys: isNew ? source.keys.length : 0,
    members: isNew ? source.members.length : 0,
    history: applied?.counts.get(source.id) ?? null,
  }
}

function reportAccounts({ accounts }: ImportSource, plan: ImportPlan): ReportedAccounts {
  const fresh = new Set(plan.accounts.map(({ email }) => email))
  const emails = (chosen: readonly { readonly email: string }[]) => chosen.map(({ email }) => email).toSorted()
  return {
    new: emails(plan.accounts),
    here: emails(accounts.filter(({ email }) => !fresh.has(email))),
    administrators: emails(plan.accounts.filter(({ isAdministrator }) => isAdministrator)),
    withoutPassword: emails(plan.accounts.filter(({ passwordHash }) => passwordHash === null)),
  }
}
