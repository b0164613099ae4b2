/** Creates, lists and finds projects and keys, and revokes keys. */
import { type Actor, type KeyActor, requireRight } from '../domain/actor.ts'
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
import type { Deps } from './deps.ts'

/** The keys of a project in clear: shown once, at creation. */
export interface FreshKeys {
  readonly apiKey: string
  readonly apiKeyReadonly: string
  readonly pingKey: string
}

type CreateDeps = Pick<Deps, 'store' | 'now' | 'random' | 'site' | 'pingLogLimit'>

/** @throws Refusal `name-invalid` for a name that is empty, too long or cannot be stored; `project-name-taken` */
export async function createProject(deps: CreateDeps, name: string): Promise<{ project: Project; keys: FreshKeys }> {
  const { store, now, random, site, pingLogLimit } = deps
  const problem = firstProblem(ProjectName, name)
  if (problem) {
    const message =
      problem.violation === 'bad character'
        ? 'the name of the project contains a NUL character or half of a surrogate pair'
        : `a project needs a name of 1 to ${PROJECT_NAME_LIMIT} characters`
    throw new Refusal('name-invalid', message, { limit: PROJECT_NAME_LIMIT })
  }
  const project: Project = { id: random.uuid(), name, badgeKey: random.uuid(), pingLogLimit, createdAt: now() }
  const keys: FreshKeys = {
    apiKey: makeKey('read-write', random.bytes),
    apiKeyReadonly: makeKey('read-only', random.bytes),
    pingKey: makeKey('ping', random.bytes),
  }
  await store.createProject(project, [
    storedKey(project, 'read-write', keys.apiKey, site.secret, project.createdAt),
    storedKey(project, 'read-only', keys.apiKeyReadonly, site.secret, project.createdAt),
    storedKey(project, 'ping', keys.pingKey, site.secret, project.createdAt),
  ])
  return { project, keys }
}

const FIRST_PROJECT = 'Default'

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

/** @throws Refusal `project-not-found` */
export async function getProject({ store }: Pick<Deps, 'store'>, idOrName: string): Promise<Project> {
  const project = await store.findProject(idOrName)
  if (project) return project
  const names = (await store.listProjects()).map(({ name }) => name)
  const meant = suggest(idOrName, names) ?? undefined
  throw new Refusal('project-not-found', `there is no project "${idOrName}"`, { name: idOrName, meant })
}

/** @param limit pings kept per check, 1…1000 */
export async function setPingLogLimit({ store }: Pick<Deps, 'store'>, actor: Actor, limit: number): Promise<Project> {
  const { project } = actor
  requireRight(actor, 'write')
  if (!Number.isInteger(limit) || limit < 1 || limit > PING_LOG_LIMIT_MAX) {
    const range = { minimum: 1, maximum: PING_LOG_LIMIT_MAX }
    throw new Refusal('out-of-range', 'the ping log limit is out of range', range)
  }
  await store.setPingLogLimit(project.id, limit)
  return { ...project, pingLogLimit: limit }
}

/** @returns the key in clear, shown only now */
export async function createKey(
  { store, now, random, site }: CreateDeps,
  actor: Actor,
  kind: string,
): Promise<{ kind: KeyKind; key: string }> {
  requireRight(actor, 'write')
  const known = KEY_KINDS.find((candidate) => candidate === kind)
  if (!known) throw new Refusal('unknown-choice', `unknown kind of key "${kind}"`, { choices: KEY_KINDS })
  const key = makeKey(known, random.bytes)
  await store.createKey(storedKey(actor.project, known, key, site.secret, now()))
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
  { store, site }: Pick<Deps, 'store' | 'site'>,
  actor: Actor,
  keyOrHint: string,
): Promise<StoredKey> {
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
  await store.deleteKey(project.id, match.lookup)
  return match
}

/** The actor that an API key stands for. @throws Refusal `unauthorized` in Healthchecks' words */
export async function getKeyActor(
  { store, site }: Pick<Deps, 'store' | 'site'>,
  key: string | null,
): Promise<KeyActor> {
  if (key === null || key.length !== API_KEY_LENGTH) throw missingKey()
  const actor = await store.findKeyActor(hashApiKey(key, site.secret))
  if (!actor) throw new Refusal('unauthorized', 'wrong api key')
  return actor
}

export function missingKey(): Refusal {
  return new Refusal('unauthorized', 'missing api key')
}
