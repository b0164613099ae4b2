/** Creates, edits, lists and finds projects. */

import type { Member } from '../../domain/account/account.ts'
import { type Actor, OPERATOR, type Operator, type Person, requireRight } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import type { KeyKind } from '../../domain/key-kind.ts'
import { makeKey, PING_LOG_LIMIT_MAX, type Project, storedKey } from '../../domain/project.ts'
import { projectSlug } from '../../domain/project-slug.ts'
import { requireTimeZone } from '../../domain/schedule/typed/required-schedule.ts'
import { suggest } from '../../lib/text/suggest.ts'
import type { ProjectContents, ProjectEdit } from '../../store/store.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { PROJECT_NAMES, requireName } from './names.ts'

/** A new project's keys in plain text, which are shown only once. */
export interface FreshKeys {
  readonly apiKey: string
  readonly apiKeyReadonly: string
  readonly pingKey: string
}

type CreateDeps = Pick<Deps, 'store' | 'now' | 'random' | 'site' | 'pingLogLimit'>

/**
 * Creates a project without an owner.
 * @throws Refusal `name-invalid` if the name is empty or too long, or cannot be stored; `project-name-taken`
 */
export async function createProject(deps: CreateDeps, name: string): Promise<{ project: Project; keys: FreshKeys }> {
  const keys: FreshKeys = {
    apiKey: makeKey('read-write', deps.random.bytes),
    apiKeyReadonly: makeKey('read-only', deps.random.bytes),
    pingKey: makeKey('ping', deps.random.bytes),
  }
  const project = await storeProject(deps, OPERATOR, name, [
    ['read-write', keys.apiKey],
    ['read-only', keys.apiKeyReadonly],
    ['ping', keys.pingKey],
  ])
  return { project, keys }
}

/**
 * Creates a project that the person owns. The project has a ping key, which pages show, but no API keys yet.
 * @throws Refusal `name-invalid`; `project-name-taken` if the person is a member of a project with that name
 */
export function createOwnProject(deps: CreateDeps, person: Person, name: string): Promise<Project> {
  return storeProject(deps, person, name, [['ping', makeKey('ping', deps.random.bytes)]])
}

async function storeProject(
  deps: CreateDeps,
  by: Person | Operator,
  name: string,
  keys: readonly (readonly [kind: KeyKind, key: string])[],
): Promise<Project> {
  requireName(PROJECT_NAMES, name)
  const { now, random, site, pingLogLimit } = deps
  const fresh = {
    id: random.uuid(),
    name,
    badgeKey: random.uuid(),
    pingLogLimit,
    createdAt: now(),
    slug: projectSlug(name, random.bytes),
  }
  const stored = keys.map(([kind, key]) => storedKey(fresh, kind, key, site.secret, fresh.createdAt))
  const owner: Member | undefined =
    by.kind === 'person'
      ? { accountId: by.accountId, projectId: fresh.id, role: 'owner', createdAt: fresh.createdAt }
      : undefined
  return deps.store.by(authorOf(deps, by)).projects.create(fresh, stored, owner)
}

export const FIRST_PROJECT = 'Default'

/** Creates the first project in an empty database. @returns null if there already is a project */
export async function createFirstProject(deps: CreateDeps): Promise<FreshKeys | null> {
  if ((await deps.store.projects.list()).length > 0) return null
  try {
    return (await createProject(deps, FIRST_PROJECT)).keys
  } catch (error) {
    // Another process, which started at the same moment, has created the project.
    if (error instanceof Refusal && error.code === 'project-name-taken') return null
    throw error
  }
}

export function listProjects({ store }: Pick<Deps, 'store'>): Promise<Project[]> {
  return store.projects.list()
}

/** @throws Refusal `project-not-found`; `project-ambiguous` if several projects have the name */
export async function getProject({ store }: Pick<Deps, 'store'>, idOrName: string): Promise<Project> {
  const [project, ...others] = await store.projects.findByIdOrName(idOrName)
  if (project && others.length === 0) return project
  if (project) {
    const problems = [project, ...others].map(({ id, slug }) => `${id}  /p/${slug}`)
    throw new Refusal('project-ambiguous', `several projects are named "${idOrName}"`, { name: idOrName, problems })
  }
  const names = (await store.projects.list()).map(({ name }) => name)
  const meant = suggest(idOrName, names) ?? undefined
  throw new Refusal('project-not-found', `there is no project "${idOrName}"`, { name: idOrName, meant })
}

export type { ProjectContents } from '../../store/store.ts'

/** Counts what would be lost if the project were deleted or its ping key were replaced. */
export async function countContents({ store }: Pick<Deps, 'store'>, actor: Actor): Promise<ProjectContents> {
  requireRight(actor, 'read')
  return store.projects.countContents(actor.project.id)
}

type EditDeps = Pick<Deps, 'store' | 'now' | 'random'>

/** @param limit number of pings to store per check, from 1 to 1000 */
export async function setPingLogLimit(deps: EditDeps, actor: Actor, limit: number): Promise<Project> {
  requireRight(actor, 'write')
  requirePingLogLimit(limit)
  return edit(deps, actor, { pingLogLimit: limit })
}

function requirePingLogLimit(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= PING_LOG_LIMIT_MAX) return
  const range = { minimum: 1, maximum: PING_LOG_LIMIT_MAX }
  throw new Refusal('out-of-range', 'the ping log limit is out of range', range)
}

export type ProjectSettings = Pick<Project, 'name' | 'pingLogLimit' | 'isSearched' | 'tz'>

/**
 * Changes a project's settings. The slug stays the same.
 * @throws Refusal `name-invalid`, `project-name-taken`, `tz-invalid`, `out-of-range` for the log limit
 */
export async function setProjectSettings(deps: EditDeps, actor: Actor, settings: ProjectSettings): Promise<Project> {
  requireRight(actor, 'own')
  requireName(PROJECT_NAMES, settings.name)
  requirePingLogLimit(settings.pingLogLimit)
  return edit(deps, actor, settings.tz ? { ...settings, tz: requireTimeZone(settings.tz) } : settings)
}

/** @param isSearched false to stop searching the bodies of pings, which also removes their words from the index */
export async function setSearch(deps: EditDeps, actor: Actor, isSearched: boolean): Promise<Project> {
  requireRight(actor, 'manage')
  return edit(deps, actor, { isSearched })
}

/**
 * @param tz time zone for alerts other than emails; null to use each check's time zone
 * @throws Refusal `tz-invalid`
 */
export async function setTimeZone(deps: EditDeps, actor: Actor, tz: string | null): Promise<Project> {
  requireRight(actor, 'manage')
  return edit(deps, actor, { tz: tz === null ? null : requireTimeZone(tz) })
}

async function edit(deps: EditDeps, { by, project }: Actor, change: ProjectEdit): Promise<Project> {
  return (await deps.store.by(authorOf(deps, by)).projects.edit(project.id, change)) ?? { ...project, ...change }
}
