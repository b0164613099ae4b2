/** One-time links, which expire after an hour or a day. */
import type { Account } from '../../domain/account/account.ts'
import type { LinkPurpose, OneTimeLink } from '../../domain/account/one-time-link.ts'
import { linkEnded } from '../../domain/account/token.ts'
import type { Author } from '../../domain/author.ts'
import type { Instant } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'
import { findToken, freshToken } from './tokens.ts'

export interface FreshLink {
  readonly url: string
  readonly expiresAt: Instant
}

/** Paths of the pages that the links open, relative to SITE_ROOT. */
const PATHS: Readonly<Record<LinkPurpose, string>> = {
  'first-account': '/setup/',
  password: '/password/',
  'sign-in': '/sign-in/link/',
  email: '/account/email/',
  'sign-up': '/sign-up/',
}

/**
 * Issues a link. If a link for choosing a password is not mailed, issuing it invalidates the account's earlier links of this kind.
 * @param accountId null for a link that creates the first account or signs up
 * @param email the email address that the link proves; null if it proves none
 * @param by for the audit log, the person who issues the link for another person; null if the account's owner requested it, or no person
 * did
 */
export async function issueLink(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'site'>,
  purpose: LinkPurpose,
  accountId: string | null,
  email: string | null = null,
  by: Author | null = null,
): Promise<FreshLink> {
  const { store, site } = deps
  const { token, stored: link } = freshToken(deps, { purpose, accountId, email })
  await (by === null ? store.tokens.create(link) : store.by(by).tokens.issueLink(link))
  return { url: `${site.links.siteRoot}${PATHS[purpose]}${token}`, expiresAt: link.expiresAt }
}

/** Reads a link without changing anything, because email scanners also follow links. @throws Refusal `link-ended` */
export async function getLink(
  deps: Pick<Deps, 'store' | 'now'>,
  purpose: LinkPurpose,
  token: string,
): Promise<OneTimeLink> {
  const link = await findToken(deps, purpose, token)
  if (!link) throw linkEnded()
  return link
}

/** A one-time link, and the account that it belongs to. */
export interface AccountLink {
  readonly link: OneTimeLink
  readonly account: Account
}

/** Like {@link getLink}, but also reads the account. @throws Refusal `link-ended`, also if the account is suspended */
export async function getAccountLink(
  deps: Pick<Deps, 'store' | 'now'>,
  purpose: 'password' | 'sign-in',
  token: string,
): Promise<AccountLink> {
  const link = await getLink(deps, purpose, token)
  const account = link.accountId === null ? null : await deps.store.accounts.find(link.accountId)
  if (!account || account.isSuspended) throw linkEnded()
  return { link, account }
}

/** A one-time link that proves an email address. */
export interface EmailLink extends OneTimeLink {
  readonly email: string
}

/** Like {@link getLink}, for links that prove an email address. @throws Refusal `link-ended` */
export async function getEmailLink(
  deps: Pick<Deps, 'store' | 'now'>,
  purpose: 'email' | 'sign-up',
  token: string,
): Promise<EmailLink> {
  const link = await getLink(deps, purpose, token)
  const { email } = link
  if (email === null) throw linkEnded()
  return { ...link, email }
}

/** Uses up a link, along with the account's other links for the same purpose. @throws Refusal `link-ended` */
export async function useLink(
  deps: Pick<Deps, 'store' | 'now'>,
  purpose: LinkPurpose,
  token: string,
): Promise<OneTimeLink> {
  const link = await getLink(deps, purpose, token)
  if (!(await deps.store.tokens.take(link.lookup, purpose))) throw linkEnded()
  return link
}

/**
 * Checks that the link was sent to the account's current email address, because the address may have changed since then.
 * @throws Refusal `link-ended`
 */
export function requireSameEmail(account: Account, { email }: Pick<OneTimeLink, 'email'>): Account {
  if (account.email !== email) throw linkEnded()
  return account
}
