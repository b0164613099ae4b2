/** Starts, finds and ends sessions. A session's token is in a cookie. */
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

/** The browser that sent a request. */
export interface Browser {
  /** null if unknown */
  readonly address: string | null
  readonly userAgent: string
}

export interface FreshSession extends SignedIn {
  /** value of the cookie; only its hash is stored */
  readonly token: string
}

/**
 * How a person signed in. For a sign-in by password, this includes the verified password hash. The session starts only if the account
 * still has that hash.
 */
export type SignedInBy = { readonly secondFactor?: SecondFactor } & (
  | { readonly method: 'password'; readonly passwordHash: string }
  | { readonly method: Exclude<SignInMethod, 'password'> }
)

/**
 * @throws Refusal `unauthorized` if the account was deleted or suspended in the meantime, if its password was changed, or if a second
 * factor was set up
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
 * Returns true if the sign-in proves the person's identity. A mailed link only proves access to a mailbox, and a provider may have
 * signed the person in without asking for a password.
 */
function provesPerson({ method, secondFactor }: SignedInBy): boolean {
  return method === 'password' || method === 'passkey' || secondFactor !== undefined
}

type ReadDeps = Pick<Deps, 'store' | 'now' | 'signInRules'>

/**
 * Returns the session that the cookie's token belongs to, and its account. Returns null if the session has ended or expired, or if
 * the operator no longer allows the sign-in method that was used. Does not extend the session.
 */
export async function findSignedIn(deps: ReadDeps, token: string): Promise<SignedIn | null> {
  const found = isToken(token) ? await deps.store.sessions.find(tokenLookup(token)) : null
  return found && isValid(deps, found.session) ? found : null
}

function isValid({ now, signInRules }: ReadDeps, session: Session): boolean {
  return !isExpired(session, now()) && isStillAllowed(session, signInRules)
}

/** Like {@link findSignedIn}, but also extends the session. */
export async function useSession(deps: ReadDeps, token: string, address: string | null): Promise<SignedIn | null> {
  const found = await findSignedIn(deps, token)
  const at = deps.now()
  if (found && isStale(found.session, at)) await deps.store.sessions.touch(found.session.lookup, at, address)
  return found
}

export function personOf({ id, email, isAdministrator }: Account, address: string | null): Person {
  return { kind: 'person', accountId: id, email, isAdministrator, address }
}

/** Lists valid sessions, most recently used first. */
export async function listSessions(deps: ReadDeps, person: Person): Promise<readonly Session[]> {
  return (await deps.store.sessions.list(person.accountId)).filter((session) => isValid(deps, session))
}

/** @param lookup token hash of one of the person's own sessions; other people's sessions are not ended */
export function endSession(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  person: Person,
  lookup: string,
): Promise<boolean> {
  return deps.store.by(authorOf(deps, person)).sessions.end(person.accountId, lookup)
}

/** @param kept token hash of the session to keep; null to end all sessions @returns the number of ended sessions */
export function endOtherSessions(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  person: Person,
  kept: string | null,
): Promise<number> {
  return deps.store.by(authorOf(deps, person)).sessions.endAll(person.accountId, kept)
}
