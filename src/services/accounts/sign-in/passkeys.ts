/** Adds, renames and removes an account's passkeys. */
import { isPasskeyId, PASSKEY_NAME_LIMIT, type Passkey, PasskeyName } from '../../../domain/account/passkey.ts'
import type { PasskeyRules } from '../../../domain/account/sign-in-rules.ts'
import type { Person } from '../../../domain/actor.ts'
import { Refusal } from '../../../domain/errors.ts'
import { fits } from '../../../domain/schema.ts'
import { authorOf } from '../../common/author.ts'
import type { Deps } from '../../common/deps.ts'
import { takeRequest } from './passkey-requests.ts'
import { verifyNewPasskey } from './passkey-verification.ts'

type PasskeyDeps = Pick<Deps, 'store' | 'now'>

/**
 * Returns the origin and the relying party id that passkeys are bound to. Returns null if users sign in only through the provider, or
 * if browsers don't allow passkeys at this address.
 */
export function passkeyRules({ signInRules }: Pick<Deps, 'signInRules'>): PasskeyRules | null {
  return signInRules.hasLocalSignIn ? signInRules.passkeys : null
}

/** Lists passkeys, oldest first. */
export function listPasskeys({ store }: Pick<Deps, 'store'>, person: Person): Promise<Passkey[]> {
  return store.passkeys.list(person.accountId)
}

/** @throws Refusal `passkey-not-found`, also if the passkey belongs to another account */
export async function getPasskey({ store }: Pick<Deps, 'store'>, person: Person, id: string): Promise<Passkey> {
  const passkey = isPasskeyId(id) ? await store.passkeys.find(id) : null
  if (passkey?.accountId !== person.accountId) throw notFound()
  return passkey
}

/** A browser's response to a passkey request. */
export interface PasskeyAnswer {
  /** token from the cookie; null if the browser sent none */
  readonly token: string | null
  /** result of `PublicKeyCredential.toJSON`, as JSON text */
  readonly response: string
}

/**
 * Adds a passkey, and ends the other sessions.
 * @param session token hash of the session that requested the passkey, which is kept; null if there is none
 * @throws Refusal `name-invalid`, in which case the request stays open; `passkey-refused`, `passkey-exists`, `passkey-limit`
 */
export async function addPasskey(
  deps: PasskeyDeps & Pick<Deps, 'random'>,
  rules: PasskeyRules,
  person: Person,
  session: string | null,
  { token, response }: PasskeyAnswer,
  name: string,
): Promise<Passkey> {
  const named = requireName(name)
  const { accountId } = person
  const challenge = await takeRequest(deps, { kind: 'new-passkey', accountId, within: session }, token)
  const verified = await verifyNewPasskey(rules, challenge, response)
  const passkey = { ...verified, accountId, name: named, createdAt: deps.now(), lastUsedAt: null }
  await deps.store.by(authorOf(deps, person)).passkeys.add(passkey, session)
  return passkey
}

/** @throws Refusal `name-invalid`, `passkey-not-found` */
export async function renamePasskey(
  deps: PasskeyDeps & Pick<Deps, 'random'>,
  person: Person,
  id: string,
  name: string,
): Promise<void> {
  const renamed = await deps.store.by(authorOf(deps, person)).passkeys.rename(person.accountId, id, requireName(name))
  if (!renamed) throw notFound()
}

/**
 * Removes a passkey, and ends the other sessions.
 * @param session token hash of the session to keep
 * @throws Refusal `passkey-not-found`
 */
export async function removePasskey(
  deps: PasskeyDeps & Pick<Deps, 'random'>,
  person: Person,
  id: string,
  session: string | null,
): Promise<void> {
  const removed = await deps.store.by(authorOf(deps, person)).passkeys.remove(person.accountId, id, session)
  if (!removed) throw notFound()
}

/** @throws Refusal `name-invalid` */
function requireName(text: string): string {
  const name = text.trim()
  if (fits(PasskeyName, name)) return name
  const message = `a passkey needs a name of at most ${PASSKEY_NAME_LIMIT} characters`
  throw new Refusal('name-invalid', message, { limit: PASSKEY_NAME_LIMIT })
}

function notFound(): Refusal {
  return new Refusal('passkey-not-found', 'there is no such passkey')
}
