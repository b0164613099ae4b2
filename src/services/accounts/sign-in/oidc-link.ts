/**
 * Links an identity at the OpenID provider to an account. The provider's response is stored as a challenge until the account's owner
 * confirms the link. Confirmation is required because the browser may be signed in at the provider as someone else.
 */
import type { Account } from '../../../domain/account/account.ts'
import type { ProvenPerson } from '../../../domain/account/openid.ts'
import type { Session } from '../../../domain/account/session.ts'
import { Refusal } from '../../../domain/errors.ts'
import { authorOf } from '../../common/author.ts'
import type { Deps } from '../../common/deps.ts'
import { findToken, issueToken, takeToken } from '../tokens.ts'
import { refused } from './oidc-account.ts'
import { type Browser, personOf } from './sessions.ts'

/** The person who is signed in to Overdue when the browser comes back from the provider. */
export interface SignedInHere {
  readonly account: Account
  readonly session: Session
}

/** The person whom the provider identified. */
export type NamedPerson = Pick<ProvenPerson, 'issuer' | 'subject' | 'name' | 'email'>

/** Stores the identity until the account's owner confirms the link. @returns a token for a cookie, which is valid for a few minutes */
export function awaitLink(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  { issuer, subject, name, email }: NamedPerson,
  account: Account,
): Promise<string> {
  const named: NamedPerson = { issuer, subject, name, email }
  return issueToken(deps, { purpose: 'link', accountId: account.id, data: JSON.stringify(named) })
}

/** Returns the identity that would be linked to the account. Returns null if no identity is pending, or if it has expired. */
export async function findAwaitedLink(
  deps: Pick<Deps, 'store' | 'now'>,
  token: string | null,
  account: Account,
): Promise<NamedPerson | null> {
  const waiting = await findToken(deps, 'link', token)
  return waiting?.accountId === account.id ? (JSON.parse(waiting.data) as NamedPerson) : null
}

/** Links the pending identity, and ends the other sessions. @throws Refusal `oidc-refused` with a message for the person */
export async function confirmLink(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'signInRules'>,
  token: string | null,
  { account, session }: SignedInHere,
  browser: Browser,
): Promise<void> {
  const named = await dropLink(deps, token, account)
  if (named === null) throw refused('linking has ended already, or took longer than five minutes; begin again')
  const at = deps.now()
  const author = authorOf(deps, personOf(account, browser.address))
  const identity = {
    issuer: named.issuer,
    subject: named.subject,
    accountId: account.id,
    createdAt: at,
    lastUsedAt: at,
  }
  try {
    await deps.store.by(author).identities.link(identity, session.lookup)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'identity-taken') throw error
    const provider = deps.signInRules.oidc?.name ?? ''
    throw refused(`you are linked to another account here; sign out at ${provider} to choose the account to link`)
  }
}

/** Drops the pending identity without linking it. @returns the dropped identity; null if no identity was pending, or if it has expired */
export async function dropLink(
  deps: Pick<Deps, 'store' | 'now'>,
  token: string | null,
  account: Account,
): Promise<NamedPerson | null> {
  const named = await findAwaitedLink(deps, token, account)
  return named !== null && (await takeToken(deps, 'link', token)) !== null ? named : null
}
