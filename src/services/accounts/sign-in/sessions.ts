/** Sessions: they begin with a sign-in, and are found by the token in a cookie. */
import type { Account } from '../../../domain/account/account.ts'
import {
  isExpired,
  isStale,
  isStillAllowed,
  isToken,
  makeToken,
  type SecondFactor,
  type Session,
  type SignInMethod,
  tokenLookup,
} from '../../../domain/account/session.ts'
import type { Person } from '../../../domain/actor.ts'
import { Refusal } from '../../../domain/errors.ts'
import { userAgent } from '../../../domain/ping/signal.ts'
import type { SignedIn } from '../../../store/store.ts'
import { authorOf } from '../../common/author.ts'
import type { Deps } from '../../common/deps.ts'

export type { SecondFactor } from '../../../domain/account/session.ts'
export type { SignedIn } from '../../../store/store.ts'

/** The browser that sends a request. */
export interface Browser {
  /** null if unknown */
  readonly address: string | null
  readonly userAgent: string
}

export interface FreshSession extends SignedIn {
  /** the value for the cookie; only its hash is stored */
  readonly token: string
}

/** The method of a sign-in. A password has the hash that was verified: the session starts only if that hash is still current. */
export type SignedInBy = { readonly secondFactor?: SecondFactor } & (
  | { readonly method: 'password'; readonly passwordHash: string }
  | { readonly method: Exclude<SignInMethod, 'password'> }
)

/**
 * @throws Refusal `unauthorized` if the account was deleted or suspended in the meantime, its password was changed, or a second factor was
 * set up
 */
export async function startSession(
  { store, now, random }: Pick<Deps, 'store' | 'now' | 'random'>,
  account: Account,
  browser: Browser,
  by: SignedInBy,
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
    method: by.method,
    confirmedAt: provesPerson(by) ? at : null,
  }
  const author = authorOf({ now, random }, personOf(account, browser.address))
  const passwordHash = by.method === 'password' ? by.passwordHash : null
  if (!(await store.by(author).sessions.create(session, passwordHash, by.secondFactor))) {
    throw new Refusal(
      'unauthorized',
      'the account was deleted, suspended, or got another password or a second factor while you signed in',
    )
  }
  return { token, session, account }
}

/**
 * Whether a sign-in proves the person's identity. A mailed link proves only access to the mailbox, and a provider may have asked for no
 * proof.
 */
function provesPerson({ method, secondFactor }: SignedInBy): boolean {
  return method === 'password' || method === 'passkey' || secondFactor !== undefined
}

type ReadDeps = Pick<Deps, 'store' | 'now' | 'signInRules'>

/**
 * Returns the session of a cookie and its account, in their current state; null if it has ended or expired, or the operator no longer
 * allows the way in which it began. This does not count as a use of it.
 */
export async function findSignedIn(deps: ReadDeps, token: string): Promise<SignedIn | null> {
  const found = isToken(token) ? await deps.store.sessions.find(tokenLookup(token)) : null
  return found && isValid(deps, found.session) ? found : null
}

function isValid({ now, signInRules }: ReadDeps, session: Session): boolean {
  return !isExpired(session, now()) && isStillAllowed(session, signInRules)
}

/** Does the same as {@link findSignedIn}, for a request of the person, which extends the session. */
export async function useSession(deps: ReadDeps, token: string, address: string | null): Promise<SignedIn | null> {
  const found = await findSignedIn(deps, token)
  const at = deps.now()
  if (found && isStale(found.session, at)) await deps.store.sessions.touch(found.session.lookup, at, address)
  return found
}

export function personOf({ id, email, isAdministrator }: Account, address: string | null): Person {
  return { kind: 'person', accountId: id, email, isAdministrator, address }
}

/** Lists valid sessions, last seen first. */
export async function listSessions(deps: ReadDeps, person: Person): Promise<readonly Session[]> {
  return (await deps.store.sessions.list(person.accountId)).filter((session) => isValid(deps, session))
}

/** @param lookup the lookup of a session of the person; those of other people are not ended */
export function endSession(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  person: Person,
  lookup: string,
): Promise<boolean> {
  return deps.store.by(authorOf(deps, person)).sessions.end(person.accountId, lookup)
}

/** @param kept the lookup of the session that is kept; null ends all @returns number of sessions that ended */
export function endOtherSessions(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  person: Person,
  kept: string | null,
): Promise<number> {
  return deps.store.by(authorOf(deps, person)).sessions.endAll(person.accountId, kept)
}
