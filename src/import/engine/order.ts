/** What the store is asked to make of a project. */
import type { Channel } from '../../domain/channel/channel.ts'
import type { Check } from '../../domain/check/check.ts'
import { makePublicId } from '../../domain/check/public-id.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import type { ImportPlan, NewProjectPlan } from '../../domain/import/import-plan.ts'
import type { ImportedChannel, ImportedCheck, ImportedKey, ImportKind } from '../../domain/import/import-source.ts'
import { asCheck, sparedCheck } from '../../domain/import/imported-check.ts'
import { mailChannelOf, wantedMailings } from '../../domain/mail/mailing.ts'
import { type Project, type StoredKey, storedKey } from '../../domain/project.ts'
import { projectSlug } from '../../domain/project-slug.ts'
import { mapInTurns } from '../../lib/work/in-turns.ts'
import { hostOfChannel } from '../../services/channels/channel-validity.ts'
import type { LogExtent, ProjectImport } from '../../store/store.ts'
import type { ImportDeps } from './deps.ts'

/** What was staged of a project's checks, by their ids. */
export interface StagedLogs {
  readonly logs: ReadonlyMap<string, LogExtent>
  readonly runs: ReadonlyMap<string, Uint8Array>
}

export async function projectImport(
  deps: ImportDeps,
  kind: ImportKind,
  plan: ImportPlan,
  { source, project }: NewProjectPlan,
  staged: StagedLogs,
): Promise<ProjectImport> {
  const { now, random, site, budget } = deps
  const members = new Set(source.members.map(({ email }) => email))
  const channels = await mapInTurns(budget, source.channels, (channel) => channelOf(deps, project, channel))
  const at = now()
  const mailings = await mapInTurns(
    budget,
    channels,
    (channel) => [channel.id, wantedMailings(null, mailChannelOf(channel), at, random.fraction())] as const,
  )
  return {
    kind,
    project,
    drawnSlug: projectSlug(project.name, random.bytes),
    accounts: plan.accounts.filter(({ email }) => members.has(email)),
    members: source.members,
    keys: source.keys.map((key) => keyOf(project, key, site.secret)),
    // Keys and badges made with our own secret need no other one.
    secret: source.secret === site.secret ? null : source.secret,
    badges: source.badges,
    channels,
    mailings: new Map(mailings),
    checks: await mapInTurns(budget, source.checks, (check) => checkOf(deps, project, check, staged.runs)),
    logs: staged.logs,
    statusPage: source.statusPage && { ...source.statusPage, projectId: project.id },
  }
}

export function checkOf(
  { now, random }: ImportDeps,
  project: Pick<Project, 'id'>,
  imported: ImportedCheck,
  runs: StagedLogs['runs'],
): CheckWithChannels {
  const known: Check = asCheck(imported, project.id)
  const publicId = imported.publicId ?? makePublicId(random.bytes)
  const check = { ...known, publicId, runs: runs.get(known.id) ?? known.runs }
  return { check: sparedCheck(check, now()), channelIds: imported.channelIds }
}

function channelOf(deps: ImportDeps, project: Project, imported: ImportedChannel): Channel {
  const channel: Channel = {
    ...imported,
    projectId: project.id,
    host: imported.kind,
    awaitsConfirmation: imported.awaitsConfirmation && deps.confirmAddresses,
  }
  return { ...channel, host: hostOfChannel(deps, project, channel) }
}

function keyOf(project: Project, key: ImportedKey, secret: string): StoredKey {
  const { kind, name, createdAt } = key
  if ('text' in key) return storedKey(project, kind, key.text, secret, createdAt, name)
  const { lookup, hint } = key
  return { lookup, projectId: project.id, kind, hint, createdAt, name, lastUsedAt: null }
}
