/** Handles the links in a morning mail that let the recipient stop the mail, or get it less often, without signing in. */
import type { Account } from '../../../domain/account/account.ts'
import type { Person } from '../../../domain/actor.ts'
import { Refusal } from '../../../domain/errors.ts'
import { type MorningLinkPurpose, morningToken } from '../../../domain/mail/links.ts'
import { isSameSecret } from '../../../lib/secrets/same-secret.ts'
import { isUuid } from '../../../lib/secrets/uuid.ts'
import type { Deps } from '../../common/deps.ts'
import { changeMorningMail } from './setting.ts'

export interface MorningLink {
  readonly purpose: MorningLinkPurpose
  readonly accountId: string
  readonly token: string
  /** the client's address; null if unknown */
  readonly address: string | null
}

/**
 * Reads a link without changing anything, because email scanners also follow links.
 * @returns the email address that gets the mail
 * @throws Refusal `not-found` if the link is unknown, or if it would no longer change the mail
 */
export async function getMorningLink(
  { store, site }: Pick<Deps, 'store' | 'site'>,
  link: MorningLink,
): Promise<Account> {
  const account = isUuid(link.accountId) ? await store.accounts.find(link.accountId) : null
  if (!account) throw notFound()
  const right = morningToken(account.id, account.email, link.purpose, site.secret)
  const isOver = link.purpose === 'trouble' && account.morningMail === null
  if (isOver || !isSameSecret(link.token, right)) throw notFound()
  return account
}

/**
 * Performs the link's action. A mail that was stopped is not restarted.
 * @returns the account before the change
 * @throws Refusal `not-found` if the link is unknown
 */
export async function followMorningLink(
  deps: Pick<Deps, 'store' | 'site' | 'now' | 'random'>,
  link: MorningLink,
): Promise<Account> {
  const account = await getMorningLink(deps, link)
  const { id, email, isAdministrator } = account
  const person: Person = { kind: 'person', accountId: id, email, isAdministrator, address: link.address }
  await changeMorningMail(deps, person, (stored) =>
    stored === null || link.purpose === 'off' ? null : { ...stored, wish: 'trouble' },
  )
  return account
}

function notFound(): Refusal {
  return new Refusal('not-found', 'not found')
}
