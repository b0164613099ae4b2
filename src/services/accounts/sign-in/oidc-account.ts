/** Finds the account for a person who signed in through the OpenID provider. */
import type { Account } from '../../../domain/account/account.ts'
import type { Identity } from '../../../domain/account/identity.ts'
import type { ProvenPerson } from '../../../domain/account/openid.ts'
import type { OidcProvider } from '../../../domain/account/sign-in-rules.ts'
import { Refusal } from '../../../domain/errors.ts'
import { authorOf } from '../../common/author.ts'
import type { Deps } from '../../common/deps.ts'
import { newAccount } from '../accounts.ts'
import { type Browser, personOf } from './sessions.ts'

type AccountDeps = Pick<Deps, 'store' | 'now' | 'random' | 'signInRules'>

/** @param message a sentence for the person, without an initial capital or a trailing period */
export function refused(message: string): Refusal {
  return new Refusal('oidc-refused', message)
}

/**
 * Finds the linked account. If there is none, links the account that has the person's email address, or creates an account. If an
 * administrator group is configured, each sign-in updates whether the person is an administrator.
 * @throws Refusal `oidc-refused`
 */
export async function accountOf(deps: AccountDeps, person: ProvenPerson, browser: Browser): Promise<Account> {
  const { oidc } = deps.signInRules
  if (oidc === null) throw new Error('there is no OpenID provider')
  const linked = await deps.store.identities.findAccount(person)
  const account = linked ?? (await welcome(deps, oidc, person, browser))
  if (account.isSuspended) throw suspended()
  const isAdministrator = administers(oidc, person)
  if (isAdministrator === null || isAdministrator === account.isAdministrator) return account
  const author = authorOf(deps, personOf(account, browser.address))
  return (await deps.store.by(author).accounts.setAdministrator(account.id, isAdministrator)) ?? account
}

/** Returns whether the person is in the administrator group, or null if no group is configured. */
function administers({ adminGroup }: OidcProvider, { groups }: ProvenPerson): boolean | null {
  return adminGroup === null ? null : groups.includes(adminGroup)
}

/**
 * Links or creates an account for a person who signs in for the first time. Their email is used only if the provider has verified it.
 * Otherwise anyone could take over an account.
 */
async function welcome(
  deps: AccountDeps,
  provider: OidcProvider,
  person: ProvenPerson,
  browser: Browser,
): Promise<Account> {
  const { email, isEmailVerified } = person
  const { name } = provider
  if (email === null) {
    throw refused(
      `${name} sent no usable email. It must be one address without spaces, and without capitals other than A to Z; ask the administrator of ${name}`,
    )
  }
  if (!isEmailVerified) {
    throw refused(`${name} does not report ${email} as verified; verify it there, or ask the administrator of ${name}`)
  }
  const known = await deps.store.accounts.find(email)
  if (known) {
    if (known.isSuspended) throw suspended()
    await linkByEmail(deps, person, known, browser)
    return known
  }
  return create(deps, provider, { ...person, email }, browser)
}

/**
 * Links the person to the account with their email address, but only if the account's owner has confirmed the address. Otherwise a stranger
 * could have created the account with that address.
 */
async function linkByEmail(deps: AccountDeps, person: ProvenPerson, account: Account, browser: Browser): Promise<void> {
  if (!account.isEmailConfirmed) {
    const way = deps.signInRules.hasLocalSignIn
      ? 'sign in to it, then link it under Account, Security'
      : 'ask an administrator of this server for a link to sign in, then link it under Account, Security'
    throw refused(
      `an account of ${account.email} exists already, but its owner has not confirmed the address yet; ${way}`,
    )
  }
  const author = authorOf(deps, personOf(account, browser.address))
  await deps.store.by(author).identities.link(identityOf(deps, person, account), null)
}

async function create(
  deps: AccountDeps,
  provider: OidcProvider,
  person: ProvenPerson & { readonly email: string },
  browser: Browser,
): Promise<Account> {
  const { store } = deps
  const isAdministrator = administers(provider, person) === true
  const account = newAccount(deps, person.email, { isAdministrator, isEmailConfirmed: true })
  const identity = identityOf(deps, person, account)
  const writes = () => store.by(authorOf(deps, personOf(account, browser.address)))
  if (!(await store.accounts.exist())) {
    // The first account is an administrator, so only a user in the administrator group may create it here.
    if (!isAdministrator) throw refused('this server has no account yet; ask its administrator to create the first one')
    if (await writes().accounts.createFirst({ account, rename: null })) {
      await writes().identities.link(identity, null)
      return account
    }
  }
  // The invitation was mailed to this address, and the provider has verified it.
  if (!provider.createsAccounts && !(await store.invitations.isInvited(person.email, deps.now()))) {
    throw refused(`there is no account of ${person.email}; ask an administrator of this server to create it`)
  }
  try {
    await writes().identities.createAccount(identity, account)
    return account
  } catch (error) {
    const isRace = error instanceof Refusal && (error.code === 'account-exists' || error.code === 'identity-taken')
    if (!isRace) throw error
    // Another window of the same browser has already created or linked the account.
    const other = await store.identities.findAccount(person)
    if (other) return other
    throw refused('the account was created meanwhile; begin again')
  }
}

function identityOf(
  { now }: Pick<Deps, 'now'>,
  { issuer, subject }: ProvenPerson,
  { id: accountId }: Pick<Account, 'id'>,
): Identity {
  return { issuer, subject, accountId, createdAt: now(), lastUsedAt: null }
}

function suspended(): Refusal {
  return refused('you cannot sign in here; ask an administrator of this server')
}
