/** Sessions: they begin with a sign-in, and are found by the token in a cookie. */
import type { Account } from '../../domain/account/account.ts'
import { isExpired, isStale, isToken, makeToken, type Session, tokenLookup } from '../../domain/account/session.ts'
import type { Person } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { userAgent } from '../../domain/ping/signal.ts'
import type { SignedIn } from '../../store/store.ts'
import type { Deps } from '../deps.ts'

export type { SignedIn } from '../../store/store.ts'

/** The browser at the other end. */
export interface Browser {
  /** null when it is unknown */
  readonly address: string | null
  readonly userAgent: string
}

export interface FreshSession extends SignedIn {
  /** for the cookie; only its hash is stored */
  readonly token: string
}

/**
 * @param passwordHash of the password that was verified: the session begins only while it is still the account's. null: the
 * person did not use a password
 * @throws Refusal `unauthorized` when the account was deleted meanwhile, or its password was changed
 */
export async function startSession(
  { store, now, random }: Pick<Deps, 'store' | 'now' | 'random'>,
  account: Account,
  browser: Browser,
  passwordHash: string | null,
): Promise<FreshSession> {
  const token = makeToken(random.bytes)
  const at = now()
  const session: Session = {
    lookup: tokenLookup(token),
    accountId: account.id,
    createdAt: at,
    lastSeenAt: at,
    address: browser.address,
    userAgent: userAgent(browser.userAgent),
  }
  if (!(await store.createSession(session, passwordHash))) {
    throw new Refusal('unauthorized', 'the account was deleted or got another password while you signed in')
  }
  return { token, session, account }
}

/** The session of a cookie and its account, as they are now; null when it has ended or expired. Counts as no use of it. */
export async function findSignedIn(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  token: string,
): Promise<SignedIn | null> {
  const found = isToken(token) ? await store.findSession(tokenLookup(token)) : null
  return found && !isExpired(found.session, now()) ? found : null
}

/** As {@link findSignedIn}, for a request of the person: the session lasts longer by it. */
export async function useSession(
  deps: Pick<Deps, 'store' | 'now'>,
  token: string,
  address: string | null,
): Promise<SignedIn | null> {
  const found = await findSignedIn(deps, token)
  const at = deps.now()
  if (found && isStale(found.session, at)) await deps.store.touchSession(found.session.lookup, at, address)
  return found
}

export function personOf({ id, email, isAdministrator }: Account, address: string | null): Person {
  return { kind: 'person', accountId: id, email, isAdministrator, address }
}

/** Last seen first. */
export async function listSessions(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  person: Person,
): Promise<readonly Session[]> {
  const at = now()
  return (await store.listSessions(person.accountId)).filter((session) => !isExpired(session, at))
}

/** @param lookup of a session of the person; another one's is left alone */
export function endSession({ store }: Pick<Deps, 'store'>, person: Person, lookup: string): Promise<boolean> {
  return store.endSession(person.accountId, lookup)
}

/** @param kept the lookup of the session that stays; null ends all @returns how many ended */
export function endOtherSessions({ store }: Pick<Deps, 'store'>, person: Person, kept: string | null): Promise<number> {
  return store.endSessions(person.accountId, kept)
}
