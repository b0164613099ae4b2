/** Creates, mails, revokes and accepts invitations to a project. */

import type { Account } from '../../domain/account/account.ts'
import { INVITATION_SECONDS, type Invitation, requireRoom } from '../../domain/account/invitation.ts'
import { type Role, rightToGive } from '../../domain/account/role.ts'
import { isToken, makeToken, tokenLookup } from '../../domain/account/session.ts'
import { linkEnded } from '../../domain/account/token.ts'
import { type Actor, type Person, requireRight } from '../../domain/actor.ts'
import { keptError } from '../../domain/alert/delivery.ts'
import { Refusal } from '../../domain/errors.ts'
import { invitationMail } from '../../domain/mail/account-mails.ts'
import { requireTimeZone } from '../../domain/schedule/typed/required-schedule.ts'
import { addSeconds, type Instant } from '../../lib/time.ts'
import type { InvitationToProject, Joined } from '../../store/store.ts'
import { addressed, askerOf, countMail } from '../common/asked-mail.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { newAccount, readEmail } from './accounts.ts'
import { requireMail } from './mailed-links.ts'
import { visitorTurn } from './sign-in/hash-turns.ts'
import { requirePassword } from './sign-in/passwords.ts'
import { type Browser, type FreshSession, personOf, startSession } from './sign-in/sessions.ts'
import { orCountAgainst } from './sign-in/sign-up.ts'

export type { InvitationToProject, Joined } from '../../store/store.ts'

interface FreshInvitation {
  /** null if the link was mailed, because then only the recipient may know the link */
  readonly url: string | null
  readonly expiresAt: Instant
}

type InviteDeps = Pick<
  Deps,
  'store' | 'now' | 'random' | 'site' | 'carriers' | 'operator' | 'mailboxLimits' | 'remoteUserHeader'
>

/**
 * Creates a link that lets a person join the project. If an address is given, the link is mailed to it and not shown to anyone, so using it
 * proves that the recipient owns the address. Without an address, the person who created the link has to pass it on.
 * @throws Refusal `email-invalid`, `invitations-full`, `forbidden`; `mail-off` if an address is given but email is not set up; `over-limit`
 * after too many emails; `request-failed` if the mail server rejected the email, in which case no invitation is created
 */
export async function invite(
  deps: InviteDeps,
  actor: Actor,
  role: Role,
  address: string | null,
): Promise<FreshInvitation> {
  requireRight(actor, rightToGive(role))
  const { store, now, random, site } = deps
  const { by, project } = actor
  const email = address === null ? null : readEmail(address)
  const token = makeToken(random.bytes)
  const invitation: Invitation = {
    lookup: tokenLookup(token),
    projectId: project.id,
    email,
    role,
    invitedBy: by.kind === 'person' ? { id: by.accountId, email: by.email } : null,
    createdAt: now(),
    expiresAt: addSeconds(now(), INVITATION_SECONDS),
  }
  const url = `${site.links.siteRoot}/invitation/${token}`
  if (email !== null) {
    requireRoom((await store.invitations.list(project.id, now())).length)
    await mailInvitation(deps, actor, invitation, email, url)
  }
  await store.by(authorOf(deps, by)).invitations.create(invitation)
  return { url: email === null ? url : null, expiresAt: invitation.expiresAt }
}

/** Mails the invitation, and then stores it. An invitation that could not be mailed is therefore never listed. */
async function mailInvitation(
  deps: InviteDeps,
  { by, project }: Actor,
  { invitedBy }: Invitation,
  address: string,
  url: string,
): Promise<void> {
  requireMail(deps)
  countMail(deps, address, askerOf(by), 'too many links were mailed')
  const mail = invitationMail(addressed(deps, address), project.name, invitedBy?.email ?? null, url)
  const answer = await deps.carriers.mail(mail)
  if (answer.kind === 'accepted') return
  const reason = keptError(answer.kind === 'refused' ? answer.response : answer.error)
  const hint = 'leave the address empty to get a link that you can pass on'
  throw new Refusal('request-failed', `the email was not sent (${reason}); ${hint}`, { hint })
}

/** Lists valid invitations, newest first. */
export async function listInvitations(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  actor: Actor,
): Promise<Invitation[]> {
  requireRight(actor, 'manage')
  return store.invitations.list(actor.project.id, now())
}

/**
 * @param lookup token hash of one of the project's invitations; invitations to other projects are not revoked
 * @returns false if there is no such invitation
 */
export async function revokeInvitation(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  actor: Actor,
  lookup: string,
): Promise<boolean> {
  requireRight(actor, 'manage')
  return deps.store.by(authorOf(deps, actor.by)).invitations.delete(actor.project.id, lookup)
}

/** Reads an invitation without changing anything, because email scanners also follow links. @throws Refusal `link-ended` */
export async function getInvitation(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  token: string,
): Promise<InvitationToProject> {
  const found = isToken(token) ? await store.invitations.find(tokenLookup(token), now()) : null
  if (!found) throw linkEnded('it was revoked')
  return found
}

/** @throws Refusal `link-ended` */
export async function acceptInvitation(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  token: string,
  person: Person,
): Promise<Joined> {
  const { accountId } = person
  const { invitation } = await getInvitation(deps, token)
  return deps.store.by(authorOf(deps, person)).invitations.join(invitation.lookup, { accountId }, deps.now())
}

interface NewAccountForm {
  readonly email: string
  readonly password: string
  /** IANA name of a time zone */
  readonly tz: string
}

interface JoinedWithAccount extends Joined {
  readonly session: FreshSession
}

/**
 * Creates an account with the role from the invitation, and signs it in. If this throws, nothing has changed.
 * @throws Refusal `link-ended`, `email-invalid`, `password-invalid`, `tz-invalid`, `account-exists`, `over-limit`, `busy`
 */
export async function joinWithNewAccount(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'passwords' | 'signInLimits'>,
  token: string,
  form: NewAccountForm,
  browser: Browser,
): Promise<JoinedWithAccount> {
  const { invitation } = await getInvitation(deps, token)
  const email = readEmail(form.email)
  requirePassword(form.password, email)
  const tz = requireTimeZone(form.tz)
  return orCountAgainst(deps, email, browser, async () => {
    const passwordHash = await deps.passwords.hash(form.password, visitorTurn(browser.address))
    const isEmailConfirmed = invitation.email === email
    const account: Account = newAccount(deps, email, { passwordHash, tz, isEmailConfirmed })
    const by = deps.store.by(authorOf(deps, personOf(account, browser.address)))
    const joined = await by.invitations.join(invitation.lookup, { newAccount: account }, deps.now())
    const session = await startSession(deps, account, browser, { method: 'password', passwordHash })
    return { ...joined, session }
  })
}
