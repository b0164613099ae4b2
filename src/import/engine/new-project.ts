/**
 * Creates a project that does not exist on this server. The project and its checks are staged first, and then one short transaction makes
 * all of them visible.
 */
import type { Account } from '../../domain/account/account.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import { makePublicId } from '../../domain/check/public-id.ts'
import type { NewProjectPlan } from '../../domain/import/import-plan.ts'
import type { ImportedChannel } from '../../domain/import/import-source.ts'
import { madeCheck } from '../../domain/import/imported-check.ts'
import { mailChannelOf, wantedMailings } from '../../domain/mail/mailing.ts'
import type { Project } from '../../domain/project.ts'
import { projectSlug } from '../../domain/project-slug.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { EventLoopBudget } from '../../lib/work/event-loop-budget.ts'
import { hostOfChannel } from '../../services/channels/channel-validity.ts'
import type { ProjectImport } from '../../store/store.ts'
import type { ImportDeps, Importing } from './importing.ts'

/** Number of checks per transaction. A transaction takes about five milliseconds on SQLite. */
export const CHECKS_AT_ONCE = 100

/**
 * @param accounts accounts that do not exist yet
 * @throws Refusal `import-stopped` if the signal is aborted, and errors from the store methods `beginProject`, `stageChecks` and
 * `importProject`
 */
export async function makeProject(
  importing: Importing,
  planned: NewProjectPlan,
  accounts: readonly Account[],
  logs: ProjectImport['logs'],
): Promise<void> {
  const { deps, rules } = importing
  const { store, now, random } = deps
  const order = await projectImport(importing, planned, accounts, logs)
  const staged = { projectId: order.project.id, importId: random.uuid() }
  await importing.write(() => store.imports.beginProject(order, staged.importId, now()))
  for (const checks of inBatches(order.checks, CHECKS_AT_ONCE)) {
    importing.requireGoing()
    await importing.write(() => store.imports.stageChecks(staged, { checks, logs }, rules, now()))
  }
  importing.requireGoing()
  await importing.changes.imports.importProject(order, staged.importId)
}

/** Builds the project to pass to the store. */
async function projectImport(
  { deps, source: { kind } }: Importing,
  { source, project, keys }: NewProjectPlan,
  accounts: readonly Account[],
  logs: ProjectImport['logs'],
): Promise<ProjectImport> {
  const { now, random, site, budget } = deps
  const members = new Set(source.members.map(({ email }) => email))
  const at = now()
  const channels = await mapInTurns(budget, source.channels, (imported) => {
    const channel = channelOf(deps, project, imported)
    return { channel, mailings: wantedMailings(null, mailChannelOf(channel), at, random.fraction()) }
  })
  return {
    kind,
    project,
    drawnSlug: projectSlug(project.name, random.bytes),
    accounts: accounts.filter(({ email }) => members.has(email)),
    members: source.members,
    keys,
    // The old server's secret is needed only if keys and badges were created with a secret other than this server's.
    secret: source.secret === site.secret ? null : source.secret,
    badges: source.badges,
    channels: channels.map(({ channel }) => channel),
    mailings: new Map(channels.map(({ channel, mailings }) => [channel.id, mailings])),
    checks: await mapInTurns(budget, source.checks, (check) =>
      madeCheck(check, project.id, makePublicId(random.bytes), at),
    ),
    logs,
    silences: source.silences,
    statusPage: source.statusPage && { ...source.statusPage, projectId: project.id },
  }
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

/** Maps a long list in steps, so that it does not block the event loop. */
async function mapInTurns<Item, Result>(
  budget: EventLoopBudget,
  items: readonly Item[],
  of: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    await budget.available()
    results.push(of(item))
  }
  return results
}
