/** Creates, changes, pauses, resumes, deletes and finds checks. */

import { type Actor, requireRight } from '../../domain/actor.ts'
import { selectChannels } from '../../domain/channel/channel.ts'
import { applySpec, type Check, type CheckSpec, newCheck, uniqueCriteria } from '../../domain/check/check.ts'
import { copyOf } from '../../domain/check/copy.ts'
import { pause, resume } from '../../domain/check/pause.ts'
import { isPublicId } from '../../domain/check/public-id.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { Refusal } from '../../domain/errors.ts'
import { isStorable } from '../../lib/text/text.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { AuthoredWrites, CheckFilter, DecideChange } from '../../store/store.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { newIdentity } from '../common/identity.ts'
import { readPages } from '../common/pages.ts'
import { rules } from '../common/rules.ts'

export type { CheckFilter, Revision as ChecksRevision } from '../../store/store.ts'

type ReadDeps = Pick<Deps, 'store'>
type WriteDeps = Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'log'>
type RemovalDeps = Pick<Deps, 'store' | 'now' | 'random' | 'onPrunable'>

/** Yields checks in pages, oldest first. A check that exists from the start to the end of the listing is listed exactly once. */
export function listChecks(
  { store }: ReadDeps,
  { project }: Actor,
  filter: CheckFilter,
): AsyncGenerator<readonly CheckWithChannels[]> {
  // Some characters cannot be stored, so no stored value contains them. Some databases raise an error if a query compares values with them.
  if (![filter.slug ?? '', ...(filter.tags ?? [])].every(isStorable))
    return readPages(async () => ({ items: [], next: null }))
  return readPages((after) => store.checks.list(project.id, filter, after))
}

/** Counts the project's checks. */
export function countChecks({ store }: ReadDeps, { project }: Actor): Promise<number> {
  return store.channels.countChecks(project.id)
}

export const FOUND_AT_ONCE = 50

/** Yields the project's checks with these ids in pages, in the order of the ids. */
export async function* findChecks(
  { store }: ReadDeps,
  { project }: Actor,
  ids: readonly string[],
): AsyncGenerator<readonly CheckWithChannels[]> {
  for (const some of inBatches(ids, FOUND_AT_ONCE)) {
    const page = await store.checks.findMany(some)
    yield page.filter(({ check }) => check.projectId === project.id)
  }
}

/** @throws Refusal `not-found`; `forbidden` if the check belongs to another project */
export async function getCheck({ store }: ReadDeps, actor: Actor, id: string): Promise<CheckWithChannels> {
  const found = existing(await store.checks.find(id))
  requireRight(actor, 'read', found.check)
  return found
}

/** @throws Refusal `not-found`, also if the check belongs to another project */
export async function getCheckByUniqueKey({ store }: ReadDeps, actor: Actor, key: string): Promise<CheckWithChannels> {
  return existing(await store.checks.findByUniqueKey(actor.project.id, key))
}

/** @throws Refusal `not-found`, also if the check belongs to another project, or the text is not a public id */
export async function getCheckByPublicId(
  { store }: ReadDeps,
  actor: Actor,
  publicId: string,
): Promise<CheckWithChannels> {
  return existing(isPublicId(publicId) ? await store.checks.findByPublicId(actor.project.id, publicId) : null)
}

function existing<Found>(found: Found | null): Found {
  if (found === null) throw new Refusal('not-found', 'not found')
  return found
}

/** Returns the function that applies the spec to a check. */
export function decideBy({ project }: Actor, spec: CheckSpec, deriveSlug: boolean): DecideChange {
  return (check, channels) => ({
    check: applySpec(check, spec, deriveSlug),
    ...(spec.channels === undefined ? {} : { channelIds: selectChannels(spec.channels, channels, project.name) }),
  })
}

/**
 * Creates a check, or changes the existing check that `unique` finds.
 * @param deriveSlug true to derive the slug from the name, as in API v1 and v2
 * @throws Refusal `channel-list-invalid` if a channel belongs to another project, in which case nothing is written
 */
export async function upsertCheck(
  deps: WriteDeps,
  actor: Actor,
  spec: CheckSpec,
  deriveSlug: boolean,
): Promise<CheckWithChannels & { readonly created: boolean }> {
  requireRight(actor, 'write')
  const { now, random } = deps
  const projectId = actor.project.id
  const fresh = newCheck({ ...newIdentity(random), projectId, createdAt: now() })
  const writes = deps.store.by(authorOf(deps, actor.by))
  return writes.checks.upsert(fresh, uniqueCriteria(spec), decideBy(actor, spec, deriveSlug), rules(deps))
}

export function updateCheck(
  deps: WriteDeps,
  actor: Actor,
  check: Check,
  spec: CheckSpec,
  deriveSlug: boolean,
): Promise<CheckWithChannels> {
  return change(deps, actor, check, decideBy(actor, spec, deriveSlug))
}

/** Pauses a check. If the check is already paused, nothing changes and no flip is created. */
export function pauseCheck(deps: WriteDeps, actor: Actor, check: Check): Promise<CheckWithChannels> {
  return change(deps, actor, check, (stored) => pause(stored, deps.now()) ?? { check: stored })
}

/**
 * Resets the check's state to `new`, as it was before the first ping. The check's counters do not change.
 * @throws Refusal `check-not-paused`
 */
export function resumeCheck(deps: WriteDeps, actor: Actor, check: Check): Promise<CheckWithChannels> {
  return change(deps, actor, check, (stored) => {
    const resumed = resume(stored, deps.now())
    if (resumed === null) throw new Refusal('check-not-paused', 'check is not paused')
    return resumed
  })
}

/**
 * Creates a check with the same settings and channels. Adds "(copy)" to its name.
 * @throws Refusal `not-found` if the check was deleted in the meantime
 */
export async function copyCheck(deps: WriteDeps, actor: Actor, check: Check): Promise<CheckWithChannels> {
  requireRight(actor, 'write', check)
  const original = existing(await deps.store.checks.find(check.id))
  requireRight(actor, 'write', original.check)
  const identity = { ...newIdentity(deps.random), projectId: actor.project.id, createdAt: deps.now() }
  const copy = copyOf(original.check, identity)
  const writes = deps.store.by(authorOf(deps, actor.by))
  return writes.checks.upsert(
    copy,
    null,
    (fresh, channels) => {
      const assigned = new Set(original.channelIds)
      return { check: fresh, channelIds: channels.map(({ id }) => id).filter((id) => assigned.has(id)) }
    },
    rules(deps),
  )
}

/**
 * Moves the check to another project, with its UUID, log and flips. The check gets all of that project's channels in place of its own, and
 * pending alerts to the old channels are not sent.
 * @param to the same person, as an actor in the other project
 * @throws Refusal `not-found` if the check, or that project, was deleted in the meantime
 */
export async function transferCheck(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  actor: Actor,
  check: Check,
  to: Actor,
): Promise<CheckWithChannels> {
  requireRight(actor, 'write', check)
  requireRight(to, 'write')
  const projects = { from: actor.project.id, to: to.project.id }
  return existing(await deps.store.by(authorOf(deps, actor.by)).checks.transfer(check.id, projects, deps.now()))
}

/** @throws Refusal `not-found` if the check was deleted in the meantime */
async function change(deps: WriteDeps, actor: Actor, check: Check, decide: DecideChange): Promise<CheckWithChannels> {
  requireRight(actor, 'write', check)
  return existing(await deps.store.by(authorOf(deps, actor.by)).checks.change(check.id, decide, rules(deps)))
}

/**
 * Resets the check's state to `new`, and removes its log, flips and deliveries. The check keeps its settings, and the numbering of its
 * pings continues.
 */
export function clearCheck(deps: RemovalDeps, actor: Actor, check: Check): Promise<CheckWithChannels> {
  return remove(deps, actor, check, (store) => store.checks.clear(check.id))
}

/** @returns the check as it was before the deletion */
export function deleteCheck(deps: RemovalDeps, actor: Actor, check: Check): Promise<CheckWithChannels> {
  return remove(deps, actor, check, (store) => store.checks.delete(check.id))
}

/** Removes a check's data. The retention loop removes the rest of the log. */
async function remove(
  deps: RemovalDeps,
  actor: Actor,
  check: Check,
  work: (store: AuthoredWrites) => Promise<CheckWithChannels | null>,
): Promise<CheckWithChannels> {
  requireRight(actor, 'write', check)
  const result = existing(await work(deps.store.by(authorOf(deps, actor.by))))
  deps.onPrunable()
  return result
}
