/** Creates, lists, replaces and revokes keys, and finds the actor that an API key identifies. */
import { type Actor, type KeyActor, requireRight } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { KEY_HINT_LENGTH, KEY_KINDS, type KeyKind } from '../../domain/key-kind.ts'
import {
  API_KEY_LENGTH,
  isUseStale,
  type ListedKey,
  makeKey,
  type Project,
  storedKey,
  USED_DAYS,
} from '../../domain/project.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { type FoundKey, findApiKey, possibleLookups } from '../common/imported-secrets.ts'
import { KEY_NAMES, requireName } from './names.ts'

type KeyDeps = Pick<Deps, 'store' | 'now' | 'random' | 'site'>

/**
 * Creates a key.
 * @param name a description of the key's purpose; may be empty
 * @returns the key in plain text, which cannot be shown later
 * @throws Refusal `name-invalid`
 */
export async function createKey(
  deps: KeyDeps,
  actor: Actor,
  kind: string,
  name = '',
): Promise<{ kind: KeyKind; key: string }> {
  requireRight(actor, 'write')
  requireName(KEY_NAMES, name)
  const known = KEY_KINDS.find((candidate) => candidate === kind)
  if (!known) throw new Refusal('unknown-choice', `unknown kind of key "${kind}"`, { choices: KEY_KINDS })
  const key = makeKey(known, deps.random.bytes)
  const author = authorOf(deps, actor.by)
  await deps.store.by(author).keys.create(storedKey(actor.project, known, key, deps.site.secret, author.at, name))
  return { kind: known, key }
}

/** Replaces all of the project's ping keys. Ping URLs with the old keys stop working. @returns the new key */
export async function replacePingKey(deps: KeyDeps, actor: Actor): Promise<string> {
  requireRight(actor, 'write')
  const key = makeKey('ping', deps.random.bytes)
  const author = authorOf(deps, actor.by)
  await deps.store.by(author).keys.replacePing(storedKey(actor.project, 'ping', key, deps.site.secret, author.at))
  return key
}

export async function listKeys(deps: Pick<Deps, 'store' | 'now'>, actor: Actor): Promise<ListedKey[]> {
  requireRight(actor, 'write')
  return keysInUse(deps, actor.project)
}

async function keysInUse({ store, now }: Pick<Deps, 'store' | 'now'>, { id }: Project): Promise<ListedKey[]> {
  const since = now().subtract({ hours: USED_DAYS * 24 })
  const [keys, uses, { slugs }] = await Promise.all([
    store.keys.list(id),
    store.keys.listPingUses(id, since),
    store.projects.countContents(id),
  ])
  return keys.map((key) => {
    if (key.kind !== 'ping') return { ...key, usedBy: null }
    const { lastAt = null, checks = 0 } = uses.get(key.lookup) ?? {}
    return { ...key, lastUsedAt: lastAt, usedBy: { checks, of: slugs } }
  })
}

/**
 * Revokes a key.
 * @param keyOrHint the complete key, or exactly the characters that lists show; fewer characters could identify the wrong key
 * @throws Refusal `key-not-found`, also if too few characters were given; `key-ambiguous` if several of the project's keys start with
 * these characters
 */
export async function revokeKey(deps: KeyDeps, actor: Actor, keyOrHint: string): Promise<ListedKey> {
  const { store } = deps
  const { project } = actor
  requireRight(actor, 'write')
  const keys = await keysInUse(deps, project)
  const lookups = new Set([keyOrHint, ...(await Array.fromAsync(possibleLookups(deps, keyOrHint)))])
  const whole = keys.find((key) => lookups.has(key.lookup))
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
  await store.by(authorOf(deps, actor.by)).keys.delete(project.id, match.lookup)
  return match
}

/**
 * Returns the actor that an API key identifies.
 * @param address the client's address; null if unknown
 * @throws Refusal `unauthorized` with Healthchecks' error message
 */
export async function getKeyActor(
  deps: UseDeps & Pick<Deps, 'site'>,
  key: string | null,
  address: string | null,
): Promise<KeyActor> {
  if (key === null || key.length !== API_KEY_LENGTH) throw missingKey()
  const found = await findApiKey(deps, key)
  if (!found) throw new Refusal('unauthorized', 'wrong api key')
  noteUse(deps, found)
  return keyActor(found, key, address)
}

export type UseDeps = Pick<Deps, 'store' | 'now' | 'background'>

/**
 * Records a use of the key, at most once every five minutes. A key that was stored under an imported hash is then stored under a hash
 * created with this server's secret. Requests don't wait for these writes, so they are answered even while the database cannot be written
 * to.
 */
export function noteUse({ store, now, background }: UseDeps, key: FoundKey): void {
  const at = now()
  const { lookup, storedAs } = key
  const note = async () => {
    if (storedAs !== lookup) await store.keys.rehash(storedAs, lookup)
    if (isUseStale(key, at)) await store.keys.touch(lookup, at)
  }
  if (storedAs !== lookup || isUseStale(key, at)) background.run(() => note().catch(() => {}))
}

export function keyActor({ project, kind, lookup }: FoundKey, key: string, address: string | null): KeyActor {
  return { project, by: { kind: 'key', keyKind: kind, lookup, hint: key.slice(0, KEY_HINT_LENGTH), address } }
}

export function missingKey(): Refusal {
  return new Refusal('unauthorized', 'missing api key')
}
