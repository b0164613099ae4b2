/**
 * Plans what an import adds to an existing project: new checks, and newer pings and flips of existing checks. Checks that were changed on
 * this server since the last import are not extended.
 */
import { type CheckSettings, FIELD_NAMES } from '../../domain/check/fields.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { findSharedFlips, isSameEntry } from '../../domain/import/grown-check.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { GrowingProjectPlan, GrownCheck } from '../../domain/import/import-plan.ts'
import type { ImportedCheck, ImportedProject, ImportSource } from '../../domain/import/import-source.ts'
import type { Project } from '../../domain/project.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { flipsKeptSince } from '../../services/retention.ts'
import type { ImportDeps } from './importing.ts'

const CHECKS_AT_ONCE = 200
/** Number of flips to read per check. Between two imports, few flips occur without a ping. */
const FLIPS_READ = 1_000

type Note = (name: string, subject: string, reason: string, advice: string | null) => void

interface Growth {
  readonly plan: GrowingProjectPlan
  readonly notes: readonly ImportNote[]
}

export async function planGrowth(
  deps: ImportDeps,
  source: ImportSource,
  imported: ImportedProject,
  project: Project,
): Promise<Growth> {
  const notes: ImportNote[] = []
  const note: Note = (name, subject, reason, advice) =>
    notes.push({ kind: 'left-out', subject, name, project: project.name, reason, advice })
  const missing: ImportedCheck[] = []
  const grown: GrownCheck[] = []
  const followed = new Map<string, number>()
  for (const checks of inBatches(imported.checks, CHECKS_AT_ONCE)) {
    const here = new Map(
      (await deps.store.checks.findMany(checks.map(({ id }) => id))).map((each) => [each.check.id, each]),
    )
    for (const check of checks) {
      const known = here.get(check.id)
      if (!known) {
        missing.push(check)
        continue
      }
      const growth = await growthOf(deps, source, check, known, project, note)
      if (growth === null) continue
      followed.set(check.id, growth.flipShift)
      if (growth.isNewer) grown.push(growth.grown)
    }
  }
  const added = await newChecks(deps, missing, note)
  for (const { id } of added) followed.set(id, 0)
  await noteOthers(deps, imported, project, note)
  return { plan: { kind: 'here', source: imported, project, added, grown, followed }, notes }
}

interface CheckGrowth {
  /** false if the source has nothing new */
  readonly isNewer: boolean
  readonly grown: GrownCheck
  /** difference between a flip's number on this server and its number in the source; the source may have removed old flips */
  readonly flipShift: number
}

/** @returns null if the check stays unchanged */
async function growthOf(
  deps: ImportDeps,
  source: ImportSource,
  check: ImportedCheck,
  here: CheckWithChannels,
  project: Project,
  note: Note,
): Promise<CheckGrowth | null> {
  const leave = (reason: string) => {
    note(nameOf(check), 'check', reason, 'It is unchanged here.')
    return null
  }
  if (here.check.projectId !== project.id) return leave('It was moved to another project here.')
  if (FIELD_NAMES.some((name) => check[name] !== here.check[name])) {
    note(nameOf(check), 'check', 'Its settings here differ from the source.', 'They are unchanged here.')
  }
  const { nPings } = here.check
  if (nPings > check.nPings) return leave('It has received pings here since then.')
  if (here.check.lastPingAt === null && check.lastPingAt !== null && nPings > 0) {
    return leave('Its log was cleared here since then.')
  }
  if (nPings > 0 && !(await hasSameEntry(deps, source, check, nPings))) {
    return leave('Its log here differs from the source.')
  }
  const flips = await deps.store.flips.list(check.id, {}, null, FLIPS_READ)
  const there = (await Array.fromAsync(source.flips(check, 0))).flat()
  const keptSince = flipsKeptSince(deps.now())
  const shared = findSharedFlips({ here: flips.items, nEvents: here.check.nEvents, there, keptSince })
  if (shared === null) return leave('Its status was changed here since then.')
  const { keptEvents, flipShift } = shared
  if (keptEvents < here.check.nEvents && (await deps.store.incidents.hasNotes(check.id, keptEvents))) {
    return leave('Somebody is on its incident here, or has added a note.')
  }
  const newFlips = there.map((flip) => ({ ...flip, n: flip.n + flipShift })).filter(({ n }) => n > keptEvents)
  const isNewer = nPings < check.nPings || newFlips.length > 0
  return { isNewer, grown: { source: check, here, keptEvents, newFlips }, flipShift }
}

/** Returns true if the source also contains this server's newest log entry. */
async function hasSameEntry(
  { store }: ImportDeps,
  source: ImportSource,
  check: ImportedCheck,
  n: number,
): Promise<boolean> {
  const [ours] = await store.pings.list(check.id, 1)
  for await (const [theirs] of source.pings(check, n - 1)) {
    // Either log may have fewer entries than its numbers suggest.
    return ours === undefined || theirs === undefined || theirs.n > n || isSameEntry(ours, theirs)
  }
  return true
}

/** Returns the checks that are missing on this server, except checks that were deleted on this server. */
async function newChecks(
  { store }: ImportDeps,
  missing: readonly ImportedCheck[],
  note: Note,
): Promise<readonly ImportedCheck[]> {
  if (missing.length === 0) return []
  const deleted = await store.audit.findDeletedChecks(missing.map(({ id }) => id))
  for (const check of missing.filter(({ id }) => deleted.has(id))) {
    note(nameOf(check), 'check', 'It was deleted here.', 'Create it again if you need it.')
  }
  return missing.filter(({ id }) => !deleted.has(id))
}

/** Adds notes about integrations, silences and members that the source has and the existing project lacks. */
async function noteOthers(
  { store, now }: ImportDeps,
  imported: ImportedProject,
  project: Project,
  note: Note,
): Promise<void> {
  const channels = new Set((await store.channels.list(project.id)).map(({ id }) => id))
  for (const { id, name, kind } of imported.channels) {
    if (channels.has(id)) continue
    note(
      name || kind,
      'integration',
      'The project exists here already, without this integration.',
      'Add it if you need it.',
    )
  }
  const silences = new Set((await store.silences.list(project.id, now())).map(({ id }) => id))
  for (const { id, reason } of imported.silences) {
    if (silences.has(id)) continue
    note(
      reason || 'without a reason',
      'planned maintenance',
      'The project exists here already, without this planned maintenance.',
      'Plan it if you need it.',
    )
  }
  const members = new Set((await store.team.listMembers(project.id)).map(({ email }) => email))
  for (const { email, role } of imported.members) {
    if (members.has(email)) continue
    note(email, 'member', `The project exists here already, without this member (${role}).`, 'Invite them if needed.')
  }
}

/** Returns the check's name for messages. The id is not shown, because it is a secret. */
export function nameOf({ name, slug }: Pick<CheckSettings, 'name' | 'slug'>): string {
  return name || slug || 'unnamed'
}
