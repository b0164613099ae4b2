/** Creates, lists and finds projects and keys, and revokes keys. */

import type { Member } from '../domain/account/account.ts'
import { type Actor, type KeyActor, OPERATOR, type Operator, type Person, requireRight } from '../domain/actor.ts'
import { Refusal } from '../domain/errors.ts'
import {
  API_KEY_LENGTH,
  hashApiKey,
  KEY_HINT_LENGTH,
  KEY_KINDS,
  type KeyKind,
  makeKey,
  PING_LOG_LIMIT_MAX,
  PROJECT_NAME_LIMIT,
  type Project,
  ProjectName,
  type StoredKey,
  storedKey,
} from '../domain/project.ts'
import { firstProblem } from '../domain/schema.ts'
import { suggest } from '../lib/suggest.ts'
import type { KeyWithProject, ProjectEdit } from '../store/store.ts'
import { authorOf } from './author.ts'
import type { Deps } from './deps.ts'

/** The keys of a project in clear: shown once, at creation. */
export interface FreshKeys {
  readonly apiKey: string
  readonly apiKeyReadonly: string
  readonly pingKey: string
}

type CreateDeps = Pick<Deps, 'store' | 'now' | 'random' | 'site' | 'pingLogLimit'>

/**
 * Creates a project that belongs to no one.
 * @throws Refusal `name-invalid` for a name that is empty, too long or cannot be stored; `project-name-taken`
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
 * Creates a project that the person owns. It has a ping key, which its pages show, and no API keys yet.
 * @throws Refusal `name-invalid`; `project-name-taken` when the person has a place in a project of that name
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
  requireName(name)
  const { now, random, site, pingLogLimit } = deps
  const fresh = { id: random.uuid(), name, badgeKey: random.uuid(), pingLogLimit, createdAt: now() }
  const stored = keys.map(([kind, key]) => storedKey(fresh, kind, key, site.secret, fresh.createdAt))
  const owner: Member | undefined =
    by.kind === 'person'
      ? { accountId: by.accountId, projectId: fresh.id, role: 'owner', createdAt: fresh.createdAt }
      : undefined
  return deps.store.by(authorOf(deps, by)).createProject(fresh, stored, owner)
}

/** @throws Refusal `name-invalid` */
export function requireName(name: string): void {
  const problem = firstProblem(ProjectName, name)
  if (!problem) return
  const message =
    problem.violation === 'bad character'
      ? 'the name of the project contains a NUL character or half of a surrogate pair'
      : `a project needs a name of 1 to ${PROJECT_NAME_LIMIT} characters`
  throw new Refusal('name-invalid', message, { limit: PROJECT_NAME_LIMIT })
}

export const FIRST_PROJECT = 'Default'

/** Creates the first project of an empty database. @returns null when there is one already */
export async function createFirstProject(deps: CreateDeps): Promise<FreshKeys | null> {
  if ((await deps.store.listProjects()).length > 0) return null
  try {
    return (await createProject(deps, FIRST_PROJECT)).keys
  } catch (error) {
    // Another process, started at the same moment, has created it.
    if (error instanceof Refusal && error.code === 'project-name-taken') return null
    throw error
  }
}

export function listProjects({ store }: Pick<Deps, 'store'>): Promise<Project[]> {
  return store.listProjects()
}

/** @throws Refusal `project-not-found`; `project-ambiguous` when several have that name */
export async function getProject({ store }: Pick<Deps, 'store'>, idOrName: string): Promise<Project> {
  const [project, ...others] = await store.findProjects(idOrName)
  if (project && others.length === 0) return project
  if (project) {
    const problems = [project, ...others].map(({ id, slug }) => `${id}  /p/${slug}`)
    throw new Refusal('project-ambiguous', `several projects are named "${idOrName}"`, { name: idOrName, problems })
  }
  const names = (await store.listProjects()).map(({ name }) => name)
  const meant = suggest(idOrName, names) ?? undefined
  throw new Refusal('project-not-found', `there is no project "${idOrName}"`, { name: idOrName, meant })
}

type EditDeps = Pick<Deps, 'store' | 'now' | 'random'>

/** @param limit pings kept per check, 1…1000 */
export async function setPingLogLimit(deps: EditDeps, actor: Actor, limit: number): Promise<Project> {
  requireRight(actor, 'write')
  if (!Number.isInteger(limit) || limit < 1 || limit > PING_LOG_LIMIT_MAX) {
    const range = { minimum: 1, maximum: PING_LOG_LIMIT_MAX }
    throw new Refusal('out-of-range', 'the ping log limit is out of range', range)
  }
  return edit(deps, actor, { pingLogLimit: limit })
}

/** @param isSearched false: what pings bring is not searched, and the words that were read are removed */
export async function setSearch(deps: EditDeps, actor: Actor, isSearched: boolean): Promise<Project> {
  requireRight(actor, 'manage')
  return edit(deps, actor, { isSearched })
}

/** The slug stays. @throws Refusal `name-invalid`, `project-name-taken` */
export async function renameProject(deps: EditDeps, actor: Actor, name: string): Promise<Project> {
  requireRight(actor, 'own')
  requireName(name)
  return edit(deps, actor, { name })
}

async function edit(deps: EditDeps, { by, project }: Actor, change: ProjectEdit): Promise<Project> {
  return (await deps.store.by(authorOf(deps, by)).editProject(project.id, change)) ?? { ...project, ...change }
}

/** @returns the key in clear, shown only now */
export async function createKey(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'site'>,
  actor: Actor,
  kind: string,
): Promise<{ kind: KeyKind; key: string }> {
  requireRight(actor, 'write')
  const known = KEY_KINDS.find((candidate) => candidate === kind)
  if (!known) throw new Refusal('unknown-choice', `unknown kind of key "${kind}"`, { choices: KEY_KINDS })
  const key = makeKey(known, deps.random.bytes)
  const author = authorOf(deps, actor.by)
  await deps.store.by(author).createKey(storedKey(actor.project, known, key, deps.site.secret, author.at))
  return { kind: known, key }
}

export async function listKeys({ store }: Pick<Deps, 'store'>, actor: Actor): Promise<StoredKey[]> {
  requireRight(actor, 'write')
  return store.listKeys(actor.project.id)
}

/**
 * @param keyOrHint the whole key, or exactly the characters that lists show: fewer could revoke the wrong one
 * @throws Refusal `key-not-found`, also for fewer characters; `key-ambiguous` when several keys of the project start with that
 */
export async function revokeKey(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'site'>,
  actor: Actor,
  keyOrHint: string,
): Promise<StoredKey> {
  const { store, site } = deps
  const { project } = actor
  requireRight(actor, 'write')
  const keys = await store.listKeys(project.id)
  const hash = hashApiKey(keyOrHint, site.secret)
  const whole = keys.find((key) => key.lookup === hash || key.lookup === keyOrHint)
  const matches = whole ? [whole] : keys.filter((key) => keyOrHint !== '' && key.hint === keyOrHint)
  const [match, ...others] = matches
  if (!match) {
    const isShort = keyOrHint.length < KEY_HINT_LENGTH
    const message = isShort ? `"${keyOrHint}" is too short` : `project "${project.name}" has no such key`
    throw new Refusal('key-not-found', message, { project: project.name })
  }
  if (others.length > 0) {
    throw new Refusal('key-ambiguous', `several keys of project "${project.name}" start with that`)
  }
  await store.by(authorOf(deps, actor.by)).deleteKey(project.id, match.lookup)
  return match
}

/**
 * The actor that an API key stands for.
 * @param address of the client; null when it is unknown
 * @throws Refusal `unauthorized` in Healthchecks' words
 */
export async function getKeyActor(
  { store, site }: Pick<Deps, 'store' | 'site'>,
  key: string | null,
  address: string | null,
): Promise<KeyActor> {
  if (key === null || key.length !== API_KEY_LENGTH) throw missingKey()
  const lookup = hashApiKey(key, site.secret)
  const found = await store.findKey(lookup)
  if (!found) throw new Refusal('unauthorized', 'wrong api key')
  return keyActor(found, key, lookup, address)
}

export function keyActor(
  { project, kind }: KeyWithProject,
  key: string,
  lookup: string,
  address: string | null,
): KeyActor {
  return { project, by: { kind: 'key', keyKind: kind, lookup, hint: key.slice(0, KEY_HINT_LENGTH), address } }
}

export function missingKey(): Refusal {
  return new Refusal('unauthorized', 'missing api key')
}
