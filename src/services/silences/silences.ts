/** Makes, lists and ends silences. The one that a ping URL asks for comes with its ping (`services/pings/pings.ts`). */
import { type Actor, requireRight } from '../../domain/actor.ts'
import { byOf } from '../../domain/author.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Silence } from '../../domain/silence/silence.ts'
import type { WantedSilence } from '../../domain/silence/spec.ts'
import { findChecks } from '../checks/checks.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'

type ReadDeps = Pick<Deps, 'store' | 'now'>
type WriteDeps = Pick<Deps, 'store' | 'now' | 'random'>

/** Of a project: every flip of one of its checks asks each of them. */
export const SILENCES_LIMIT = 1_000

/** Newest first, page by page. @param hasEnded false: those that are active, or will be */
export function listSilences(
  { store, now }: ReadDeps,
  { project }: Actor,
  hasEnded: boolean,
): AsyncGenerator<readonly Silence[]> {
  const filter = { hasEnded, now: now() }
  return readPages((after) => store.silences.list(project.id, filter, after))
}

/** @throws Refusal `not-found`; `forbidden` when it belongs to another project */
export async function getSilence({ store }: Pick<Deps, 'store'>, actor: Actor, id: string): Promise<Silence> {
  const silence = existing(await store.silences.find(id))
  requireRight(actor, 'read', silence)
  return silence
}

/** Silences of the project by their ids; those that are gone are left out. */
export async function findSilences(
  { store }: Pick<Deps, 'store'>,
  { project }: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Silence>> {
  const found = await Promise.all([...new Set(ids)].map((id) => store.silences.find(id)))
  const own = found.filter((silence) => silence?.projectId === project.id).filter((silence) => silence !== null)
  return new Map(own.map((silence) => [silence.id, silence]))
}

/** @throws Refusal `invalid` for a check that the project does not have; `silences-full` */
export async function createSilence(deps: WriteDeps, actor: Actor, wanted: WantedSilence): Promise<Silence> {
  requireRight(actor, 'write')
  await requireChecks(deps, actor, wanted.match.checks)
  const author = authorOf(deps, actor.by)
  const made = { id: deps.random.uuid(), projectId: actor.project.id, createdAt: author.at, createdBy: byOf(author) }
  const silence: Silence = { ...wanted, ...made }
  const isCreated = await deps.store.by(author).silences.create(silence, SILENCES_LIMIT)
  if (!isCreated) {
    const message = `the project has ${SILENCES_LIMIT} silences that have not ended: end one of them first`
    throw new Refusal('silences-full', message, { limit: SILENCES_LIMIT })
  }
  return silence
}

async function requireChecks(deps: WriteDeps, actor: Actor, ids: readonly string[]): Promise<void> {
  const unknown = new Set(ids)
  for await (const page of findChecks(deps, actor, ids)) {
    for (const { check } of page) unknown.delete(check.id)
  }
  const [first] = unknown
  if (first !== undefined)
    throw new Refusal('invalid', `match names the check ${first}, which the project does not have`)
}

/**
 * Ends a silence now. What it has held is told within a second, if it is still true. One that has ended stays as it is.
 * @throws Refusal `not-found`; `forbidden` when it belongs to another project
 */
export async function endSilence(deps: WriteDeps, actor: Actor, id: string): Promise<Silence> {
  const { projectId } = await getSilence(deps, actor, id)
  requireRight(actor, 'write')
  const author = authorOf(deps, actor.by)
  return existing(await deps.store.by(author).silences.end(projectId, id, author.at))
}

function existing<Found>(found: Found | null): Found {
  if (found === null) throw new Refusal('not-found', 'not found')
  return found
}
