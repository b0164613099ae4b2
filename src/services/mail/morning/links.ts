/** The links in a morning mail. With them the owner of its address ends the mail, or gets it less often, without signing in. */
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
  /** address of the client; null if unknown */
  readonly address: string | null
}

/**
 * Reads a link. It changes nothing, since programs that scan emails follow links too.
 * @returns the address
 * @throws Refusal `not-found` for an unknown link, and for one that no longer changes a mail
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
 * Runs the action of the link. A mail that was ended is not resumed.
 * @returns the account before the change
 * @throws Refusal `not-found` for an unknown link
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
