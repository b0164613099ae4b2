/**
 * Creates the first account, with a one-time link or from the settings. The first account is an administrator, and becomes the owner of all
 * projects without an owner.
 */

import type { Account } from '../../../domain/account/account.ts'
import { linkEnded } from '../../../domain/account/token.ts'
import { OPERATOR } from '../../../domain/actor.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { Project } from '../../../domain/project.ts'
import { projectSlug } from '../../../domain/project-slug.ts'
import { requireTimeZone } from '../../../domain/schedule/typed/required-schedule.ts'
import { authorOf } from '../../common/author.ts'
import type { Deps } from '../../common/deps.ts'
import { PROJECT_NAMES, requireName } from '../../projects/names.ts'
import { FIRST_PROJECT } from '../../projects/projects.ts'
import { newAccount, readEmail } from '../accounts.ts'
import { type FreshLink, getLink, issueLink } from '../one-time-links.ts'
import { visitorTurn } from './hash-turns.ts'
import { requirePassword } from './passwords.ts'
import { type Browser, type FreshSession, personOf, startSession } from './sessions.ts'

export async function needsFirstAccount({ store }: Pick<Deps, 'store'>): Promise<boolean> {
  return !(await store.accounts.exist())
}

type LinkDeps = Pick<Deps, 'store' | 'now' | 'random' | 'site'>

/**
 * Issues a link that creates the first account. Earlier links stay valid until an account is created.
 * @returns null if an account already exists
 */
export async function offerFirstAccount(deps: LinkDeps): Promise<FreshLink | null> {
  return (await needsFirstAccount(deps)) ? issueLink(deps, 'first-account', null) : null
}

/** Like {@link offerFirstAccount}, but throws if an account already exists. @throws Refusal `first-account-exists` */
export async function issueFirstAccountLink(deps: LinkDeps): Promise<FreshLink> {
  const link = await offerFirstAccount(deps)
  if (link === null) throw new Refusal('first-account-exists', 'an account exists already')
  return link
}

/** The projects that the first account will own. */
export interface FirstSetUp {
  readonly projects: readonly Project[]
  /** true if one of the projects still has the name that the server chose, so that the user may rename it during set-up */
  readonly canRename: boolean
}

/** @throws Refusal `link-ended`, also if a command created an account in the meantime */
export async function getFirstSetUp(deps: Pick<Deps, 'store' | 'now'>, token: string): Promise<FirstSetUp> {
  await getLink(deps, 'first-account', token)
  if (!(await needsFirstAccount(deps))) throw linkEnded()
  const projects = await deps.store.projects.list()
  return { projects, canRename: projects.some(({ name }) => name === FIRST_PROJECT) }
}

interface FirstSignIn {
  readonly account: Account
  /** null if a proxy signs users in */
  readonly session: FreshSession | null
  /** the project for the first check; null if there is no project */
  readonly project: Project | null
}

export interface FirstAccountForm {
  readonly email: string
  /** null if only a proxy or the OpenID provider signs users in */
  readonly password: string | null
  /** new name of the first project; null to keep its name */
  readonly projectName: string | null
  /** IANA name of a time zone */
  readonly tz: string
}

/**
 * Creates the account and signs it in. If this throws a refusal, nothing has changed. The account is written before the session. If the
 * session cannot be written, the account is kept and its owner has to sign in.
 * @throws Refusal `link-ended`, `email-invalid`, `password-invalid`, `name-invalid`, `project-name-taken`, `tz-invalid`, `busy`
 */
export async function createFirstAccount(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'passwords' | 'remoteUserHeader'>,
  token: string,
  { email, password, projectName, tz: zone }: FirstAccountForm,
  browser: Browser,
): Promise<FirstSignIn> {
  const { projects, canRename } = await getFirstSetUp(deps, token)
  const address = readEmail(email)
  if (password !== null) requirePassword(password, address)
  if (projectName !== null) requireName(PROJECT_NAMES, projectName)
  const tz = requireTimeZone(zone)
  const passwordHash = password === null ? null : await deps.passwords.hash(password, visitorTurn(browser.address))
  const account = newAccount(deps, address, { isAdministrator: true, isEmailConfirmed: true, passwordHash, tz })
  const author = authorOf(deps, personOf(account, browser.address))
  const isNew = canRename && projectName !== null && projectName !== FIRST_PROJECT
  const slug = isNew ? projectSlug(projectName, deps.random.bytes) : ''
  const rename = isNew ? { from: FIRST_PROJECT, to: projectName, slug } : null
  if (!(await deps.store.by(author).accounts.createFirst({ account, rename }))) throw linkEnded()
  const by =
    passwordHash === null ? ({ method: 'printed-link' } as const) : ({ method: 'password', passwordHash } as const)
  const session = deps.remoteUserHeader === null ? await startSession(deps, account, browser, by) : null
  const project = await firstProject(deps, projects)
  return { account, session, project }
}

/** Returns the project that the server created, with its current name. If there is none, returns the oldest project. */
async function firstProject({ store }: Pick<Deps, 'store'>, before: readonly Project[]): Promise<Project | null> {
  const first = before.find(({ name }) => name === FIRST_PROJECT) ?? before[0]
  return first ? store.projects.find(first.id) : null
}

interface AdminSettings {
  readonly email: string
  /** null if the account signs in through the proxy */
  readonly password: string | null
}

/**
 * Creates the account that the settings specify.
 * @returns null if an account already exists
 */
export async function createAdmin(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'passwords'>,
  { email, password }: AdminSettings,
): Promise<Account | null> {
  if (!(await needsFirstAccount(deps))) return null
  const passwordHash = password === null ? null : await deps.passwords.hash(password, visitorTurn(null))
  const account = newAccount(deps, email, { isAdministrator: true, isEmailConfirmed: true, passwordHash })
  return deps.store.by(authorOf(deps, OPERATOR)).accounts.createFirst({ account, rename: null })
}
