/**
 * `/invitation/<token>`: lets the invited user join a project. Signed-in users click a button to join. Other users sign in or create an
 * account on this page, even if registration is closed.
 */

import { Refusal } from '../../../domain/errors.ts'
import {
  acceptInvitation,
  getInvitation,
  type InvitationToProject,
  joinWithNewAccount,
} from '../../../services/accounts/invitations.ts'
import { afterSignIn } from '../after-sign-in.ts'
import { projectPath } from '../href.ts'
import { type Html, html } from '../html.ts'
import type { Page, PageDeps } from '../page.ts'
import { formButton, linkButton, submit } from '../parts/forms/buttons.ts'
import {
  type NewAccountValues,
  newAccountFields,
  newAccountWords,
  REFUSED_ACCOUNT,
  typedAccount,
  zoneOf,
} from '../parts/forms/new-account.ts'
import { AS_ROLE } from '../parts/forms/roles.ts'
import { alertNote } from '../parts/notes.ts'
import { bdi } from '../parts/words/text.ts'
import type { GateContent, Identity, PageAnswer, PageSite, Route, VisitorVisit } from '../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain } from './forms.ts'
import { accountRoute, visitorRoute } from './new-route.ts'

const PATH = '/invitation/:token'

export const page: Page = {
  routes: invitationRoutes,
  fixtures: {
    'GET /invitation/:token': { for: 'everybody', at: '{invitation}' },
    'POST /invitation/:token': { for: 'people', at: '{invitation}', isOnce: true },
    'POST /invitation/:token/account': {
      for: 'everybody',
      at: '{invitation}/account',
      form: { email: '{n}@example.org', password: '{password}' },
      isOnce: true,
    },
  },
}

function invitationRoutes(deps: PageDeps): readonly Route[] {
  const routes: readonly Route[] = [
    visitorRoute('GET', PATH, async (visit) => {
      const found = await getInvitation(deps, visit.params.token ?? '')
      const values = { email: found.invitation.email ?? '', tz: '' }
      return openPage(deps, visit, found, values, NO_PROBLEMS)
    }),
    accountRoute('POST', PATH, async ({ params, person }) => {
      const { project, isUnchanged } = await acceptInvitation(deps, params.token ?? '', person)
      const to = projectPath(project.slug, 'checks')
      return { kind: 'redirect', to, done: isUnchanged ? 'project-known' : 'project-joined' }
    }),
  ]
  if (!hasPasswords(deps)) return routes
  return [...routes, visitorRoute('POST', `${PATH}/account`, (visit) => makeAccount(deps, visit))]
}

function hasPasswords({ signInRules, remoteUserHeader }: PageDeps): boolean {
  return signInRules.hasLocalSignIn && remoteUserHeader === null
}

async function makeAccount(deps: PageDeps, visit: VisitorVisit): Promise<PageAnswer> {
  const { params, form, client } = visit
  const token = params.token ?? ''
  const found = await getInvitation(deps, token)
  const values = typedAccount(form)
  const again = (problems: FormProblems) => openPage(deps, { ...visit, identity: null }, found, values, problems)
  return orFormAgain({ refused: REFUSED_ACCOUNT, page: again, words: newAccountWords }, async () => {
    const filled = { email: values.email, password: form.text('password'), tz: zoneOf(values) }
    const { project, session } = await joinWithNewAccount(deps, token, filled, client)
    return afterSignIn(deps, visit, session, { to: projectPath(project.slug, 'checks'), done: 'project-joined' })
  })
}

function openPage(
  deps: PageDeps,
  { identity, params, site }: VisitorVisit,
  found: InvitationToProject,
  values: NewAccountValues,
  problems: FormProblems,
): GateContent {
  const { invitation, project } = found
  const path = `/invitation/${params.token ?? ''}`
  const as = html` as ${AS_ROLE[invitation.role]}`
  const who = invitation.invitedBy === null ? 'You are invited' : html`${bdi(invitation.invitedBy.email)} invites you`
  return {
    layout: 'gate',
    title: 'Invitation',
    heading: html`Join ${bdi(project.name)}${as}?`,
    intro: html`${who} to this project.`,
    body: identity ? accept(site, path, identity) : enterFirst(deps, site, path, values, problems),
  }
}

function accept({ href }: PageSite, path: string, { account, session }: Identity): Html {
  return html`<form class="form" method="post" action="${href(path)}">
<p>You are signed in as <b>${bdi(account.email)}</b>.</p>
${submit({ text: 'Join project', look: 'primary', isWide: true })}
</form>
${session && html`<div class="center">${formButton({ text: 'Sign out to use another account', look: 'quiet', action: href('/sign-out') })}</div>`}
<p class="center">${linkButton({ text: 'Not now', look: 'quiet', href: href('/') })}</p>`
}

/** @throws Refusal `forbidden` if a proxy signs users in but did not identify a user */
function enterFirst(
  deps: PageDeps,
  { href }: PageSite,
  path: string,
  values: NewAccountValues,
  { fields, whole }: FormProblems,
): Html {
  const { remoteUserHeader } = deps
  if (remoteUserHeader !== null) {
    const message = `Overdue received no email address from its proxy in the header ${remoteUserHeader}. Sign in at the address of the proxy, and open this link there`
    throw new Refusal('forbidden', message)
  }
  const signIn = `${href('/sign-in')}?${new URLSearchParams({ next: path })}`
  if (!hasPasswords(deps)) return linkButton({ text: 'Sign in to join', look: 'primary', isWide: true, href: signIn })
  return html`<form class="form" method="post" action="${href(`${path}/account`)}">
${whole !== null && alertNote(whole)}
${newAccountFields(values, fields)}
${submit({ text: 'Create account and join', look: 'primary', isWide: true })}
</form>
<p class="center"><a href="${signIn}">I have an account: sign in</a></p>`
}
