/** Implements the `overdue account` commands. */
import type { Account } from '../../domain/account/account.ts'
import { OPERATOR } from '../../domain/actor.ts'
import { count } from '../../domain/duration.ts'
import { oneLine } from '../../lib/text/text.ts'
import { isoSeconds } from '../../lib/time.ts'
import { createAccount, deleteAccount, getAccount, listAccounts } from '../../services/accounts/accounts.ts'
import { signOutEverywhere, suspendAccount, unsuspendAccount } from '../../services/accounts/administration.ts'
import type { FreshLink } from '../../services/accounts/one-time-links.ts'
import { removeSecondFactor } from '../../services/accounts/sign-in/authenticator.ts'
import { issueFirstAccountLink } from '../../services/accounts/sign-in/first-account.ts'
import { resetPassword } from '../../services/accounts/sign-in/passwords.ts'
import { printSignInLink } from '../../services/accounts/sign-in/sign-in.ts'
import type { Deps } from '../../services/common/deps.ts'
import { listOwnedAlone, listPlaces } from '../../services/projects/members.ts'
import type { Context, ExitStatus } from '../command.ts'

const represent = ({ id, email, isAdministrator, createdAt, passwordHash, totp, isSuspended }: Account) => ({
  id,
  email,
  administrator: isAdministrator,
  created: isoSeconds(createdAt),
  has_password: passwordHash !== null,
  second_factor: totp !== null,
  suspended: isSuspended,
})

export const representLink = ({ url, expiresAt }: FreshLink) => ({ url, expires_at: isoSeconds(expiresAt) })

/** Runs `overdue account link`. */
export async function link({ openDeps, positionals: [email], print }: Context): Promise<undefined> {
  const deps = await openDeps()
  if (email === undefined) {
    const link = await issueFirstAccountLink(deps)
    print(representLink(link), [link.url, `→ open it to create the first account; ${onceUntil(link)}`])
    return
  }
  const account = await getAccount(deps, OPERATOR, email)
  const link = await printSignInLink(deps, OPERATOR, account.id)
  const what = `→ anyone who opens it signs in as ${account.email}; ${onceUntil(link)}`
  print({ email: account.email, ...representLink(link) }, [link.url, what])
}

/** Runs `overdue account create`. */
export async function create({ openDeps, argument: email, values, print }: Context): Promise<undefined> {
  const deps = await openDeps()
  const { account, link } = await createAccount(deps, OPERATOR, email, values.administrator === true)
  const kind = account.isAdministrator ? 'an administrator' : 'no administrator'
  const created = `created the account of ${account.email}, ${kind}`
  const words =
    link === null
      ? [`${created}; ${elsewhereOf(deps)}`]
      : [link.url, `→ ${created}; send the link to its owner, who chooses the password`, `→ ${onceUntil(link)}`]
  print({ ...represent(account), link: link && representLink(link) }, [...words, ...(await notesOn(deps))])
}

/** Runs `overdue account list`. */
export async function list({ openDeps, print }: Context): Promise<undefined> {
  const deps = await openDeps()
  const accounts = await listAccounts(deps, OPERATOR)
  const places = await Promise.all(accounts.map((account) => listPlaces(deps, account)))
  const rows = accounts.map(({ email, isAdministrator, passwordHash, totp, isSuspended, createdAt }, index) => [
    { name: email },
    yesOrNo(isAdministrator),
    yesOrNo(passwordHash !== null),
    yesOrNo(totp !== null),
    yesOrNo(isSuspended),
    String(places[index]?.length ?? 0),
    createdAt,
  ])
  print(
    accounts.map((account, index) => ({
      ...represent(account),
      projects: places[index]?.map(({ project, role }) => ({ id: project.id, name: project.name, role })),
    })),
    [
      {
        rows: [['EMAIL', 'ADMINISTRATOR', 'PASSWORD', 'SECOND FACTOR', 'SUSPENDED', 'PROJECTS', 'CREATED'], ...rows],
      },
    ],
  )
}

/** Runs `overdue account reset`. */
export async function reset({ openDeps, argument: email, values, print }: Context): Promise<undefined> {
  const deps = await openDeps()
  if (values['second-factor'] === true) {
    const account = await removeSecondFactor(deps, OPERATOR, email)
    print(represent(account), [
      `removed the second factor and the passkeys of ${account.email}; all sessions of the account have ended`,
      '→ its password, or a mailed link, is enough to sign in now',
    ])
    return
  }
  const account = await getAccount(deps, OPERATOR, email)
  const link = await resetPassword(deps, OPERATOR, account.id)
  print({ email: account.email, ...representLink(link) }, [
    link.url,
    `→ send it to ${account.email}, who chooses another password; ${onceUntil(link)}`,
  ])
}

/** Runs `overdue account delete`. */
export async function remove({ openDeps, argument: email, print, confirm }: Context): Promise<ExitStatus> {
  const deps = await openDeps()
  const account = await getAccount(deps, OPERATOR, email)
  const places = await listPlaces(deps, account)
  const alone = await listOwnedAlone(deps, account)
  const lost = `its memberships in ${count(places.length, 'project')} and its sessions`
  const names = alone.map(({ name }) => `"${oneLine(name)}"`).join(', ')
  const ownerless = `nobody else owns ${names}`
  const question = `Delete the account of ${account.email}, ${lost}?${names ? ` The projects stay, but ${ownerless}.` : ''}`
  if (!confirm(question)) return 1
  const deleted = await deleteAccount(deps, OPERATOR, account.id)
  print({ ...represent(deleted), ownerless_projects: alone.map(({ id, name }) => ({ id, name })) }, [
    `deleted the account of ${deleted.email}, ${lost}`,
    ...(names ? [`→ ${ownerless}: use \`overdue project member add PROJECT EMAIL --role owner\``] : []),
    ...(await notesOn(deps)),
  ])
  return 0
}

/** Runs `overdue account suspend`. */
export async function suspend({ openDeps, argument: name, print }: Context): Promise<undefined> {
  const { email } = await suspendAccount(await openDeps(), OPERATOR, name)
  print({ email, suspended: true }, `${email} is suspended; its sessions and links have ended`)
}

/** Runs `overdue account unsuspend`. */
export async function unsuspend({ openDeps, argument: name, print }: Context): Promise<undefined> {
  const { email } = await unsuspendAccount(await openDeps(), OPERATOR, name)
  print({ email, suspended: false }, `${email} can sign in again`)
}

/** Runs `overdue account sign-out`. */
export async function signOut({ openDeps, argument: email, print }: Context): Promise<undefined> {
  const ended = await signOutEverywhere(await openDeps(), OPERATOR, email)
  print({ ended }, `ended ${count(ended, 'session')}`)
}

function elsewhereOf({ remoteUserHeader }: Deps): string {
  return remoteUserHeader === null
    ? 'its owner signs in at the OpenID provider (LOCAL_SIGN_IN)'
    : 'the proxy signs its owner in (REMOTE_USER_HEADER)'
}

async function notesOn(deps: Deps): Promise<string[]> {
  const accounts = await listAccounts(deps, OPERATOR)
  if (accounts.length === 0) return ['→ no account is left: use `overdue account link` to create one']
  if (accounts.some(({ isAdministrator }) => isAdministrator)) return []
  return ['→ this server has no administrator: use `overdue account create EMAIL --administrator`']
}

function onceUntil({ expiresAt }: FreshLink): string {
  return `the link can be used once, until ${isoSeconds(expiresAt)}`
}

function yesOrNo(is: boolean): string {
  return is ? 'yes' : 'no'
}
