/** Looks up projects and checks by the ids in links from elsewhere. Finds only projects and checks that the person is allowed to see. */
import type { Person, PersonActor } from '../../domain/actor.ts'
import { isPublicId } from '../../domain/check/public-id.ts'
import { isUuid } from '../../lib/secrets/uuid.ts'
import type { CheckPlace } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { enterProject } from '../projects/members.ts'

/** A check, and the person's rights in its project. */
export interface FoundCheck {
  readonly actor: PersonActor
  readonly publicId: string
}

/** @returns null if the project does not exist or the person is not allowed to see it */
export async function findProjectById(
  deps: Pick<Deps, 'store'>,
  person: Person,
  id: string,
): Promise<PersonActor | null> {
  const project = isUuid(id) ? await deps.store.projects.find(id) : null
  return project && enterProject(deps, person, project.slug)
}

/** @returns null if the check does not exist or the person is not allowed to see it */
export async function findCheckById(deps: Pick<Deps, 'store'>, person: Person, id: string): Promise<FoundCheck | null> {
  const found = isUuid(id) ? await deps.store.checks.find(id) : null
  return found && firstOf(deps, person, [found.check])
}

/** @param key see `uniqueKey` @returns null if the check does not exist or the person is not allowed to see it */
export async function findCheckByKey(
  deps: Pick<Deps, 'store'>,
  person: Person,
  key: string,
): Promise<FoundCheck | null> {
  return UNIQUE_KEY.test(key) ? firstOf(deps, person, await deps.store.checks.listPlaces(key)) : null
}

/** @returns null if the check does not exist or the person is not allowed to see it */
export async function findCheckByPublicIdAnywhere(
  deps: Pick<Deps, 'store'>,
  person: Person,
  publicId: string,
): Promise<FoundCheck | null> {
  const place = isPublicId(publicId) ? await deps.store.checks.findPlace(publicId) : null
  return place && firstOf(deps, person, [place])
}

const UNIQUE_KEY = /^[0-9a-f]{40}$/

async function firstOf(
  deps: Pick<Deps, 'store'>,
  person: Person,
  places: readonly CheckPlace[],
): Promise<FoundCheck | null> {
  for (const { projectId, publicId } of places) {
    const actor = await findProjectById(deps, person, projectId)
    if (actor) return { actor, publicId }
  }
  return null
}
