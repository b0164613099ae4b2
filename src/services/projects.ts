/** Projects and keys: made, listed, revoked, and looked up for each request. */
import { Refusal, UserError } from '../domain/errors.ts'
import {
  type Access,
  API_KEY_LENGTH,
  hashApiKey,
  KEY_KINDS,
  type KeyKind,
  makeKey,
  PING_LOG_LIMIT_MAX,
  PROJECT_NAME_LIMIT,
  type Project,
  type Right,
  type StoredKey,
  storedKey,
} from '../domain/project.ts'
import { codePoints } from '../domain/schema.ts'
import type { Deps } from './deps.ts'

/** The keys of a project in clear: shown once, at creation. */
export interface FreshKeys {
  readonly apiKey: string
  readonly apiKeyReadonly: string
  readonly pingKey: string
}

type Makes = Pick<Deps, 'store' | 'now' | 'random' | 'site' | 'pingLogLimit'>

/** @throws UserError for a name that is empty or too long; Refusal `conflict` for one that is taken */
export async function createProject(deps: Makes, name: string): Promise<{ project: Project; keys: FreshKeys }> {
  const { store, now, random, site, pingLogLimit } = deps
  if (name.trim() === '' || codePoints(name) > PROJECT_NAME_LIMIT) {
    throw new UserError(`a project needs a name of 1 to ${PROJECT_NAME_LIMIT} characters`)
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

/** Makes the first project of an empty database. @returns null when there are projects already */
export async function createFirstProject(deps: Makes): Promise<FreshKeys | null> {
  if ((await deps.store.listProjects()).length > 0) return null
  try {
    return (await createProject(deps, FIRST_PROJECT)).keys
  } catch (error) {
    // Another process that started at the same moment has made it.
    if (error instanceof Refusal && error.code === 'conflict') return null
    throw error
  }
}

export function listProjects({ store }: Pick<Deps, 'store'>): Promise<Project[]> {
  return store.listProjects()
}

/** @throws UserError when there is none of that id or name */
export async function getProject({ store }: Pick<Deps, 'store'>, idOrName: string): Promise<Project> {
  const project = await store.findProject(idOrName)
  if (!project) throw new UserError(`there is no project "${idOrName}"`, 'see `overdue project list`')
  return project
}

/** @param limit pings kept per check, 1…1000 */
export async function setPingLogLimit(
  { store }: Pick<Deps, 'store'>,
  project: Project,
  limit: number,
): Promise<Project> {
  if (!Number.isInteger(limit) || limit < 1 || limit > PING_LOG_LIMIT_MAX) {
    throw new UserError('the ping log limit is not usable', `give a whole number from 1 to ${PING_LOG_LIMIT_MAX}`)
  }
  await store.setPingLogLimit(project.id, limit)
  return { ...project, pingLogLimit: limit }
}

/** @returns the key in clear, shown this once */
export async function createKey(
  { store, now, random, site }: Makes,
  project: Project,
  kind: string,
): Promise<{ kind: KeyKind; key: string }> {
  const known = KEY_KINDS.find((candidate) => candidate === kind)
  if (!known) throw new UserError(`unknown kind of key "${kind}"`, `use one of: ${KEY_KINDS.join(', ')}`)
  const key = makeKey(known, random.bytes)
  await store.createKey(storedKey(project, known, key, site.secret, now()))
  return { kind: known, key }
}

export function listKeys({ store }: Pick<Deps, 'store'>, project: Project): Promise<StoredKey[]> {
  return store.listKeys(project.id)
}

/**
 * @param keyOrHint the whole key, or exactly the characters that `key list` shows: fewer could end the wrong one
 * @throws UserError when no key or several keys of the project begin like that
 */
export async function revokeKey(
  { store, site }: Pick<Deps, 'store' | 'site'>,
  project: Project,
  keyOrHint: string,
): Promise<StoredKey> {
  const keys = await store.listKeys(project.id)
  const hash = hashApiKey(keyOrHint, site.secret)
  const whole = keys.find((key) => key.lookup === hash || key.lookup === keyOrHint)
  const matches = whole ? [whole] : keys.filter((key) => keyOrHint !== '' && key.hint === keyOrHint)
  const [match, ...others] = matches
  if (!match || others.length > 0) {
    const what = match ? 'several keys of' : 'no key of'
    const hint = match
      ? 'give the whole key'
      : 'give the whole key, or its first characters as `overdue key list` shows them'
    throw new UserError(`${what} project "${project.name}" ${match ? 'start' : 'starts'} with that`, hint)
  }
  await store.deleteKey(project.id, match.lookup)
  return match
}

/** What a key opens. @throws Refusal `unauthorized` in the peer's words */
export async function getAccess({ store, site }: Pick<Deps, 'store' | 'site'>, key: string | null): Promise<Access> {
  if (key === null || key.length !== API_KEY_LENGTH) throw missingKey()
  const access = await store.findAccess(hashApiKey(key, site.secret))
  if (!access) throw wrongKey()
  return access
}

/** @throws Refusal `unauthorized` for what a read-only key may not do */
export function requireRight(access: Access, right: Right): void {
  if (right === 'write' && access.kind === 'read-only') throw wrongKey()
}

export function missingKey(): Refusal {
  return new Refusal('unauthorized', 'missing api key')
}

function wrongKey(): Refusal {
  return new Refusal('unauthorized', 'wrong api key')
}
