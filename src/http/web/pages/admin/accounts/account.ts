/** An account's page for administrators: its details, and the actions that an administrator can take. */
import type { Account } from '../../../../../domain/account/account.ts'
import type { ProjectSummary } from '../../../../../services/projects/members.ts'
import type { PageContext } from '../../../context.ts'
import { projectPath } from '../../../href.ts'
import { type Html, type HtmlValue, html } from '../../../html.ts'
import { type ButtonLook, linkButton, submit } from '../../../parts/forms/buttons.ts'
import { card, keyValues } from '../../../parts/lists.ts'
import { alertNote, note } from '../../../parts/notes.ts'
import { bdi } from '../../../parts/words/text.ts'
import { relativeTime, zoneLine } from '../../../parts/words/times.ts'
import type { FrameContent } from '../../../route.ts'
import { ADMIN_TABS } from '../tabs.ts'
import { accountPath } from './paths.ts'

interface AccountData extends PageContext {
  readonly account: Account
  /** projects in which the account has a role */
  readonly places: readonly ProjectSummary[]
  /** number of the account's passkeys */
  readonly passkeys: number
  /** number of browsers that are signed in to the account */
  readonly sessions: number
  /** true if this is the administrator's own account */
  readonly isOwn: boolean
  /** false if users of this server sign in without passwords */
  readonly hasPasswords: boolean
  /** reason why the last action was rejected; null if it was not rejected */
  readonly problem: string | null
}

export type AccountAction =
  | 'reset'
  | 'remove-second-factor'
  | 'sign-out'
  | 'suspend'
  | 'unsuspend'
  | 'make-administrator'
  | 'unmake-administrator'

export function adminAccountPage(data: AccountData): FrameContent {
  const { account, problem, isOwn, tz } = data
  return {
    layout: 'frame',
    title: 'Account',
    heading: bdi(account.email),
    crumbs: [{ path: ADMIN_TABS.accounts.path, text: 'Accounts' }],
    isNarrow: true,
    body: html`<div class="stack">${problem !== null && alertNote(problem)}${isOwn && note('plain', 'This is your own account.')}${facts(data)}${projects(data)}${actions(data)}${zoneLine(tz)}</div>`,
  }
}

const CONFIRMED = 'confirmed'
const NOT_CONFIRMED =
  'not confirmed: the owner has not opened a mailed link, and no provider or administrator has confirmed it'

function facts({ account, passkeys, sessions, now, tz }: AccountData): Html {
  const { isAdministrator, isSuspended, isEmailConfirmed, passwordHash, totp, lastSeenAt, createdAt } = account
  const body = keyValues([
    ['State', isSuspended ? 'suspended: it cannot sign in' : 'active'],
    ['Administrator', isAdministrator ? 'yes' : 'no'],
    ['Email', isEmailConfirmed ? CONFIRMED : NOT_CONFIRMED],
    ['Password', passwordHash === null ? 'none' : 'set'],
    ['Authenticator app', totp === null ? 'none' : 'set up'],
    ['Passkeys', passkeys],
    ['Sessions', sessions],
    ['Last seen', lastSeenAt === null ? 'never' : relativeTime(lastSeenAt, now, tz)],
    ['Created', relativeTime(createdAt, now, tz)],
    ['Id', html`<code>${account.id}</code>`],
  ])
  return card({ title: 'Account', body })
}

function projects({ href, places }: AccountData): Html {
  const rows = places.map(
    ({ project, role }) =>
      html`<li><a href="${href(projectPath(project.slug, 'checks'))}"><span><b>${bdi(project.name)}</b><small>${role}</small></span></a></li>`,
  )
  if (rows.length === 0) {
    return card({
      title: 'Projects',
      body: html`<p>Not in a project yet. Owners and managers can invite this person.</p>`,
    })
  }
  return html`<section class="card"><header><h2>Projects</h2></header><ul class="plist">${rows}</ul></section>`
}

/** A button and its description. */
interface Act {
  readonly action: AccountAction
  readonly text: string
  readonly does: string
  readonly look?: ButtonLook
}

function actions(data: AccountData): Html {
  const { href, account, isOwn } = data
  const path = href(accountPath(account.id))
  const forms = acts(data).map(
    ({ action, text, does, look = 'plain' }) =>
      html`<form class="form" method="post" action="${path}"><p>${does}</p>${submit({ text, look, field: { name: 'action', value: action } })}</form>`,
  )
  const remove = html`<div class="form"><p>${deletionWords}</p>${linkButton({ text: 'Delete account…', href: href(accountPath(account.id, 'delete')) })}</div>`
  return html`${forms.map((body) => html`<section class="card"><div class="body">${body}</div></section>`)}${!isOwn && html`<section class="card"><div class="body">${remove}</div></section>`}`
}

const deletionWords: HtmlValue = 'Deleting the account removes its roles in projects. The projects stay.'

function acts({ account, passkeys, sessions, isOwn, hasPasswords }: AccountData): readonly Act[] {
  const { isSuspended, isAdministrator, totp } = account
  const when = (is: boolean, act: Act): readonly Act[] => (is ? [act] : [])
  return [
    ...when(hasPasswords && !isSuspended, {
      action: 'reset',
      text: 'Create a password link',
      does: 'The owner chooses a new password with a link that can be used once and expires after a day. The old password stays valid until then.',
    }),
    ...when(totp !== null || passkeys > 0, {
      action: 'remove-second-factor',
      text: 'Remove second factor',
      does: 'For someone who has lost the authenticator app and recovery codes, or a passkey. Removes all of them and ends all sessions.',
    }),
    ...when(sessions > 0, {
      action: 'sign-out',
      text: 'Sign out everywhere',
      does: 'Ends all sessions. The person can sign in again.',
    }),
    ...when(!isAdministrator, {
      action: 'make-administrator',
      text: 'Make admin',
      does: 'Admins have owner access to every project, and see these pages.',
    }),
    ...when(isAdministrator, {
      action: 'unmake-administrator',
      text: 'Remove admin rights',
      does: 'The account keeps its project roles.',
    }),
    ...when(isSuspended, {
      action: 'unsuspend',
      text: 'Unsuspend',
      does: 'The account is suspended. It can sign in again afterwards.',
    }),
    ...when(!isSuspended && !isOwn, {
      action: 'suspend',
      text: 'Suspend',
      does: 'It can no longer sign in, and its sessions and links end at once. Its checks keep running.',
    }),
  ]
}
