/** Checks: created, changed, paused, resumed, deleted, found. */
import { selectChannels } from '../domain/channel.ts'
import { applySpec, type Check, type CheckSpec, newCheck, uniqueCriteria } from '../domain/check.ts'
import { Refusal } from '../domain/errors.ts'
import { flipTo } from '../domain/flip.ts'
import type { Project } from '../domain/project.ts'
import type { CheckWithChannels } from '../domain/representation.ts'
import type { CheckFilter, DecideChange } from '../store/store.ts'
import type { Deps } from './deps.ts'
import { readPages } from './pages.ts'
import { rules } from './rules.ts'

export type { CheckFilter, Revision as ChecksRevision } from '../store/store.ts'

type Reads = Pick<Deps, 'store'>
type Writes = Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'log'>

/** In order of creation, page by page: a check that is there all the time comes exactly once. */
export function listChecks(
  { store }: Reads,
  project: Project,
  filter: CheckFilter,
): AsyncGenerator<readonly CheckWithChannels[]> {
  return readPages((after) => store.listChecks(project.id, filter, after))
}

const FOUND_AT_ONCE = 50

/** Those of the ids that exist, in their order, page by page. */
export async function* findChecks(
  { store }: Reads,
  ids: readonly string[],
): AsyncGenerator<readonly CheckWithChannels[]> {
  for (let from = 0; from < ids.length; from += FOUND_AT_ONCE) {
    yield await store.findChecks(ids.slice(from, from + FOUND_AT_ONCE))
  }
}

/** @throws Refusal `not-found`; `forbidden` when the check is another project's */
export async function getCheck({ store }: Reads, project: Project, id: string): Promise<CheckWithChannels> {
  const found = await store.findCheck(id)
  if (!found) throw new Refusal('not-found', 'not found')
  if (found.check.projectId !== project.id) throw new Refusal('forbidden', 'forbidden')
  return found
}

/** @throws Refusal `not-found`, also for another project's key: that one does not exist here */
export async function getCheckByUniqueKey({ store }: Reads, project: Project, key: string): Promise<CheckWithChannels> {
  return existing(await store.findCheckByUniqueKey(project.id, key))
}

/** A check that was there a moment ago may be gone. */
function existing<Found>(found: Found | null): Found {
  if (found === null) throw new Refusal('not-found', 'not found')
  return found
}

function apply(spec: CheckSpec, deriveSlug: boolean): DecideChange {
  return (check, channels) => ({
    check: applySpec(check, spec, deriveSlug),
    ...(spec.channels === undefined ? {} : { channelIds: selectChannels(spec.channels, channels) }),
  })
}

/**
 * Creates a check, or changes the one that `unique` finds (spec 4.1).
 * @param deriveSlug API v1 and v2 make the slug from the name
 * @throws Refusal `invalid` for a channel that is not the project's; nothing is written then
 */
export function upsertCheck(
  deps: Writes,
  project: Project,
  spec: CheckSpec,
  deriveSlug: boolean,
): Promise<CheckWithChannels & { readonly created: boolean }> {
  const { store, now, random } = deps
  const fresh = newCheck({ id: random.uuid(), projectId: project.id, badgeKey: random.uuid(), createdAt: now() })
  return store.upsertCheck(fresh, uniqueCriteria(spec), apply(spec, deriveSlug), rules(deps))
}

export async function updateCheck(
  deps: Writes,
  id: string,
  spec: CheckSpec,
  deriveSlug: boolean,
): Promise<CheckWithChannels> {
  return existing(await deps.store.changeCheck(id, apply(spec, deriveSlug), rules(deps)))
}

/** Pausing a paused check changes nothing and makes no flip. */
export async function pauseCheck(deps: Writes, id: string): Promise<CheckWithChannels> {
  const pause: DecideChange = (check) => {
    if (check.status === 'paused') return { check }
    return flipTo(withoutRun(check), 'paused', '', deps.now())
  }
  return existing(await deps.store.changeCheck(id, pause, rules(deps)))
}

/** Back to `new`, as if it had never been pinged but for its counters. @throws Refusal `conflict` unless paused */
export async function resumeCheck(deps: Writes, id: string): Promise<CheckWithChannels> {
  const resume: DecideChange = (check) => {
    if (check.status !== 'paused') throw new Refusal('conflict', 'check is not paused')
    return flipTo({ ...withoutRun(check), lastPingAt: null }, 'new', '', deps.now())
  }
  return existing(await deps.store.changeCheck(id, resume, rules(deps)))
}

function withoutRun(check: Check): Check {
  return { ...check, lastStartAt: null, lastStartRid: null, sparedUntil: null }
}

/** @returns the check as it was just before (spec 4) */
export async function deleteCheck(
  { store, onPrunable }: Pick<Deps, 'store' | 'onPrunable'>,
  id: string,
): Promise<CheckWithChannels> {
  const deleted = existing(await store.deleteCheck(id))
  onPrunable()
  return deleted
}
