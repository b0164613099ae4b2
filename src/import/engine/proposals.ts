/** Creates checks for the jobs of another scheduler, and finds the checks that were already created. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import { selectChannels } from '../../domain/channel/channel.ts'
import type { Check, CheckSpec } from '../../domain/check/check.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { findChecks, listChecks, pauseCheck, upsertCheck } from '../../services/checks/checks.ts'
import type { Deps } from '../../services/common/deps.ts'
import { isSameTiming, type ProposedCheck, type ProposedTiming } from '../proposals/proposal.ts'

/**
 * The state of a proposed check. `new` means that it does not exist yet, `found` that it exists and stays unchanged, and `differs` that it
 * exists with another schedule.
 */
export type ProposalOutcome = 'new' | 'created' | 'found' | 'differs'

export interface PlacedProposal {
  readonly check: ProposedCheck
  readonly outcome: ProposalOutcome
  /** the existing check; null if it does not exist yet */
  readonly stored: Check | null
  /** ids of the channels that get the check's alerts, or will get them once the check exists */
  readonly channelIds: readonly string[]
}

/** Returns the slugs of the project's checks with these ids. */
export async function slugsOf(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  requireRight(actor, 'read')
  const slugs = new Set<string>()
  for await (const page of findChecks({ store }, actor, ids)) for (const { check } of page) slugs.add(check.slug)
  return slugs
}

/** Returns the timings of the project's checks by slug. If several checks have the same slug, the oldest check is used. */
export async function timingsBySlug(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
): Promise<ReadonlyMap<string, ProposedTiming>> {
  requireRight(actor, 'read')
  const timings = new Map<string, ProposedTiming>()
  for await (const page of listChecks({ store }, actor, {})) {
    for (const { check } of page) if (!timings.has(check.slug)) timings.set(check.slug, timingOf(check))
  }
  return timings
}

/**
 * Finds the checks that already exist, by slug. Creates no checks. @param channels channels that missing checks would get, as in a {@link
 * CheckSpec}
 * @throws Refusal `channel-list-invalid` if a channel does not belong to the project
 */
export async function findProposals(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  checks: readonly ProposedCheck[],
  channels: string,
): Promise<readonly PlacedProposal[]> {
  requireRight(actor, 'read')
  const chosen = selectChannels(channels, await store.channels.list(actor.project.id), actor.project.name)
  const placed: PlacedProposal[] = []
  for (const check of checks) {
    const existing = await bySlug({ store }, actor, check.slug)
    if (existing === null) placed.push({ check, outcome: 'new', stored: null, channelIds: chosen })
    else {
      const outcome = isAsProposed(existing.check, check) ? 'found' : 'differs'
      placed.push({ check, outcome, stored: existing.check, channelIds: existing.channelIds })
    }
  }
  return placed
}

/**
 * Creates the checks that the project lacks. Existing checks stay unchanged.
 * @param channels as in a {@link CheckSpec}
 * @throws Refusal `read-only`; `channel-list-invalid` if a channel does not belong to the project
 */
export async function createProposals(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'log'>,
  actor: Actor,
  checks: readonly ProposedCheck[],
  channels: string,
): Promise<readonly PlacedProposal[]> {
  requireRight(actor, 'write')
  const placed: PlacedProposal[] = []
  for (const found of await findProposals(deps, actor, checks, channels)) {
    placed.push(found.stored === null ? await create(deps, actor, found.check, channels) : found)
  }
  return placed
}

async function create(
  deps: Parameters<typeof createProposals>[0],
  actor: Actor,
  check: ProposedCheck,
  channels: string,
): Promise<PlacedProposal> {
  const { name, slug, tags, timing, graceSeconds: grace, isPaused } = check
  const spec: CheckSpec = { name, slug, tags, ...timing, grace, channels, unique: ['slug'] }
  const { check: created, channelIds } = await upsertCheck(deps, actor, spec, false)
  if (isPaused) await pauseCheck(deps, actor, created)
  return { check, outcome: 'created', stored: created, channelIds }
}

/** Returns the oldest check with the slug. Pings by slug work only if no other check has the same slug. */
async function bySlug(deps: Pick<Deps, 'store'>, actor: Actor, slug: string): Promise<CheckWithChannels | null> {
  for await (const page of listChecks(deps, actor, { slug })) {
    const [first] = page
    if (first !== undefined) return first
  }
  return null
}

function isAsProposed(check: Check, { timing }: ProposedCheck): boolean {
  return isSameTiming(timingOf(check), timing)
}

function timingOf({ kind, timeoutSeconds, schedule, tz }: Check): ProposedTiming {
  return kind === 'simple' ? { timeout: timeoutSeconds } : { schedule, tz }
}
