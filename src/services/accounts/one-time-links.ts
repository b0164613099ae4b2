/** Links that work once, for an hour or a day. */
import type { Account } from '../../domain/account/account.ts'
import { LINK_SECONDS, type LinkPurpose, type OneTimeLink } from '../../domain/account/one-time-link.ts'
import { isToken, makeToken, tokenLookup } from '../../domain/account/session.ts'
import { Refusal } from '../../domain/errors.ts'
import { addSeconds, type Instant, isAtOrAfter } from '../../lib/time.ts'
import type { Deps } from '../deps.ts'

export interface FreshLink {
  readonly url: string
  readonly expiresAt: Instant
}

/** Where the page of each link is, below SITE_ROOT. */
const PATHS: Readonly<Record<LinkPurpose, string>> = {
  'first-account': '/setup/',
  password: '/password/',
  'sign-in': '/sign-in/link/',
}

/** A link to choose a password ends the earlier ones of the account. @param accountId null for the first account */
export async function issueLink(
  { store, now, random, site }: Pick<Deps, 'store' | 'now' | 'random' | 'site'>,
  purpose: LinkPurpose,
  accountId: string | null,
): Promise<FreshLink> {
  const token = makeToken(random.bytes)
  const expiresAt = addSeconds(now(), LINK_SECONDS[purpose])
  await store.createLink({ lookup: tokenLookup(token), purpose, accountId, expiresAt })
  return { url: `${site.links.siteRoot}${PATHS[purpose]}${token}`, expiresAt }
}

/** Changes nothing, since programs that scan emails follow links too. @throws Refusal `link-ended` */
export async function getLink(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  purpose: LinkPurpose,
  token: string,
): Promise<OneTimeLink> {
  const link = isToken(token) ? await store.findLink(tokenLookup(token)) : null
  if (link?.purpose !== purpose || isAtOrAfter(now(), link.expiresAt)) throw linkEnded()
  return link
}

/** The account that a link is for. @throws Refusal `link-ended` */
export async function getLinkedAccount(
  deps: Pick<Deps, 'store' | 'now'>,
  purpose: 'password' | 'sign-in',
  token: string,
): Promise<Account> {
  return linkedAccount(deps, (await getLink(deps, purpose, token)).accountId)
}

/** @throws Refusal `link-ended` */
export async function linkedAccount({ store }: Pick<Deps, 'store'>, id: string | null): Promise<Account> {
  const account = id === null ? null : await store.findAccount(id)
  if (!account) throw linkEnded()
  return account
}

/** Ends the link, and all of the same purpose and account. @throws Refusal `link-ended` */
export async function useLink(
  deps: Pick<Deps, 'store' | 'now'>,
  purpose: LinkPurpose,
  token: string,
): Promise<OneTimeLink> {
  const link = await getLink(deps, purpose, token)
  if (!(await deps.store.useLink(link.lookup))) throw linkEnded()
  return link
}

export function linkEnded(): Refusal {
  return new Refusal(
    'link-ended',
    'this link was used already, a newer one has replaced it, or it has expired; ask for a new one',
  )
}
