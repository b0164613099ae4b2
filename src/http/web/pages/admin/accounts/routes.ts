/** `/admin/accounts`: all accounts, for administrators. Routes that change an account require a recent proof of identity. */

import { type Account, EMAIL_LIMIT } from '../../../../../domain/account/account.ts'
import { Refusal } from '../../../../../domain/errors.ts'
import { requireTimeZone } from '../../../../../domain/schedule/typed/required-schedule.ts'
import { isUuid } from '../../../../../lib/secrets/uuid.ts'
import { createAccount, deleteAccount, getAccount } from '../../../../../services/accounts/accounts.ts'
import {
  readAccountPage,
  setAdministrator,
  signOutEverywhere,
  suspendAccount,
  unsuspendAccount,
} from '../../../../../services/accounts/administration.ts'
import { removeSecondFactor } from '../../../../../services/accounts/sign-in/authenticator.ts'
import { listPasskeys } from '../../../../../services/accounts/sign-in/passkeys.ts'
import { resetPassword } from '../../../../../services/accounts/sign-in/passwords.ts'
import { listSessions, personOf } from '../../../../../services/accounts/sign-in/sessions.ts'
import { listOwnedAlone, listPlaces } from '../../../../../services/projects/members.ts'
import { contextOf } from '../../../context.ts'
import type { Form } from '../../../form.ts'
import { START } from '../../../href.ts'
import type { PageDeps } from '../../../page.ts'
import { isNameTyped } from '../../../parts/forms/confirm-name.ts'
import { typedAccount, zoneOf } from '../../../parts/forms/new-account.ts'
import type { ToastCode } from '../../../parts/toast.ts'
import type { AccountVisit, FrameContent, PageAnswer, Route } from '../../../route.ts'
import { again, type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from '../../forms.ts'
import { adminRoute, sensitiveAdminRoute } from '../../new-route.ts'
import { ADMIN_TABS } from '../tabs.ts'
import { type AccountAction, adminAccountPage } from './account.ts'
import { deleteAccountPage } from './delete.ts'
import { freshLinkAnswer, toFreshLink } from './fresh-link.ts'
import { accountsPage, TEXT_LIMIT } from './list.ts'
import { type NewAccount, newAccountPage } from './new.ts'
import { ACCOUNT, accountPath, NEW_ACCOUNT } from './paths.ts'

export function accountsRoutes(deps: PageDeps): readonly Route[] {
  return [
    adminRoute('GET', ADMIN_TABS.accounts.path, (visit) => list(deps, visit)),
    sensitiveAdminRoute('GET', NEW_ACCOUNT, (visit) =>
      newPage(deps, visit, { email: '', isAdministrator: false, tz: visit.account.tz }, NO_PROBLEMS),
    ),
    sensitiveAdminRoute('POST', NEW_ACCOUNT, (visit) => create(deps, visit)),
    sensitiveAdminRoute('GET', ACCOUNT, (visit) => page(deps, visit, NO_PROBLEMS)),
    sensitiveAdminRoute('POST', ACCOUNT, (visit) => {
      const again = (problems: FormProblems) => page(deps, visit, problems)
      return orFormAgain({ refused: { 'account-needed': WHOLE }, page: again }, () => act(deps, visit))
    }),
    adminRoute('GET', `${ACCOUNT}/link`, async (visit) => freshLinkAnswer(deps, visit, await accountOf(deps, visit))),
    sensitiveAdminRoute('GET', `${ACCOUNT}/delete`, (visit) => deletion(deps, visit, null, NO_PROBLEMS)),
    sensitiveAdminRoute('POST', `${ACCOUNT}/delete`, (visit) => {
      const again = (problems: FormProblems) => deletion(deps, visit, null, problems)
      return orFormAgain({ refused: { 'account-needed': WHOLE }, page: again }, () => remove(deps, visit))
    }),
  ]
}

async function list(deps: PageDeps, visit: AccountVisit): Promise<PageAnswer> {
  const { person, url } = visit
  const text = (url.searchParams.get('q') ?? '').trim().slice(0, TEXT_LIMIT)
  const after = url.searchParams.get('after')?.slice(0, EMAIL_LIMIT) ?? null
  const page = await readAccountPage(deps, person, text, after)
  return accountsPage({ ...contextOf(deps, visit), text, page })
}

/** @throws Refusal `account-not-found` */
function accountOf(deps: PageDeps, { person, params }: AccountVisit): Promise<Account> {
  const { account: id = '' } = params
  if (!isUuid(id)) throw new Refusal('not-found', 'not found')
  return getAccount(deps, person, id)
}

function hasPasswords({ remoteUserHeader, signInRules }: PageDeps): boolean {
  return remoteUserHeader === null && signInRules.hasLocalSignIn
}

function newPage(deps: PageDeps, visit: AccountVisit, typed: NewAccount, problems: FormProblems): FrameContent {
  return newAccountPage(visit.site.href, typed, hasPasswords(deps), problems)
}

function create(deps: PageDeps, visit: AccountVisit): Promise<PageAnswer> {
  const { form, person } = visit
  const typed = { ...typedAccount(form), isAdministrator: form.has('administrator') }
  const page = (problems: FormProblems) => newPage(deps, visit, typed, problems)
  const refused = { 'email-invalid': 'email', 'account-exists': 'email', 'tz-invalid': 'tz' }
  return orFormAgain({ refused, page }, async () => {
    const tz = requireTimeZone(zoneOf(typed))
    const { account, link } = await createAccount(deps, person, typed.email, typed.isAdministrator, tz)
    if (link !== null && hasPasswords(deps)) return toFreshLink(deps, visit, account, link)
    return { kind: 'redirect', to: accountPath(account.id), done: 'account-added' }
  })
}

async function page(deps: PageDeps, visit: AccountVisit, { whole }: FormProblems): Promise<FrameContent> {
  const account = await accountOf(deps, visit)
  const person = personOf(account, null)
  const [places, sessions] = [await listPlaces(deps, account), await listSessions(deps, person)]
  return adminAccountPage({
    ...contextOf(deps, visit),
    account,
    places,
    passkeys: (await listPasskeys(deps, person)).length,
    sessions: sessions.length,
    isOwn: account.id === visit.person.accountId,
    hasPasswords: hasPasswords(deps),
    problem: whole,
  })
}

const DONE: Readonly<Record<Exclude<AccountAction, 'reset'>, ToastCode>> = {
  'sign-out': 'account-signed-out',
  suspend: 'account-suspended',
  unsuspend: 'account-unsuspended',
  'make-administrator': 'administrator-made',
  'unmake-administrator': 'administrator-unmade',
  'remove-second-factor': 'second-factor-removed',
}

async function act(deps: PageDeps, visit: AccountVisit): Promise<PageAnswer> {
  const { form, person } = visit
  const account = await accountOf(deps, visit)
  const { id } = account
  const action = form.text('action')
  const done = async (what: keyof typeof DONE, work: Promise<unknown>): Promise<PageAnswer> => {
    await work
    const to = id === person.accountId ? placeAfterOwn(deps, what) : accountPath(id)
    return { kind: 'redirect', to, done: DONE[what] }
  }
  switch (action) {
    case 'reset':
      return toFreshLink(deps, visit, account, await resetPassword(deps, person, id))
    case 'sign-out':
      return done(action, signOutEverywhere(deps, person, id))
    case 'remove-second-factor':
      return done(action, removeSecondFactor(deps, person, id))
    case 'suspend':
      return done(action, suspendAccount(deps, person, id))
    case 'unsuspend':
      return done(action, unsuspendAccount(deps, person, id))
    case 'make-administrator':
      return done(action, setAdministrator(deps, person, id, true))
    case 'unmake-administrator':
      return done(action, setAdministrator(deps, person, id, false))
    default:
      throw new Refusal('invalid', 'this form has no such action')
  }
}

/**
 * Returns the page to open after administrators act on their own account. Actions that end the session lead to the sign-in page, unless a
 * proxy signs users in.
 */
function placeAfterOwn({ remoteUserHeader }: PageDeps, what: keyof typeof DONE): string {
  const hasEnded = what === 'sign-out' || what === 'remove-second-factor' || what === 'suspend'
  return hasEnded && remoteUserHeader === null ? '/sign-in' : START
}

async function deletion(
  deps: PageDeps,
  visit: AccountVisit,
  refused: Form | null,
  { whole }: FormProblems,
): Promise<FrameContent> {
  const account = await accountOf(deps, visit)
  const alone = await listOwnedAlone(deps, account)
  return deleteAccountPage(visit.site.href, account, alone, refused, whole)
}

async function remove(deps: PageDeps, visit: AccountVisit): Promise<PageAnswer> {
  const { form, person } = visit
  const { id, email } = await accountOf(deps, visit)
  if (!isNameTyped({ name: email, id }, form)) return again(await deletion(deps, visit, form, NO_PROBLEMS))
  await deleteAccount(deps, person, id)
  return { kind: 'redirect', to: ADMIN_TABS.accounts.path, done: 'account-deleted' }
}
