/** `/account/sessions`: lists the browsers that are signed in to an account. */

import type { Session } from '../../../../domain/account/session.ts'
import { endOtherSessions, endSession, listSessions } from '../../../../services/accounts/sign-in/sessions.ts'
import { contextOf, type PageContext } from '../../context.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { shown } from '../../parts/words/text.ts'
import { relativeTime } from '../../parts/words/times.ts'
import type { AccountVisit, FrameContent, PageAnswer, Route } from '../../route.ts'
import { accountRoute } from '../new-route.ts'
import { browserWords } from './browser-words.ts'
import { ACCOUNT_PATHS, accountTabs } from './tabs.ts'

const PATH = ACCOUNT_PATHS.sessions

export function sessionsRoutes(deps: PageDeps): readonly Route[] {
  return [
    accountRoute('GET', PATH, async (visit) => {
      const { person, session } = visit
      const sessions = await listSessions(deps, person)
      return sessionsPage({ ...contextOf(deps, visit), sessions, own: session?.lookup ?? null })
    }),
    accountRoute('POST', PATH, (visit) => endSome(deps, visit)),
  ]
}

/**
 * Ends sessions. The button in a row submits that row's session. The button above the list submits no session, which ends all sessions
 * except the current one.
 */
async function endSome(deps: PageDeps, { form, person, session }: AccountVisit): Promise<PageAnswer> {
  const lookup = form.text('session')
  if (lookup === '') await endOtherSessions(deps, person, session?.lookup ?? null)
  else await endSession(deps, person, lookup)
  return { kind: 'redirect', to: PATH, done: lookup === '' ? 'sessions-ended' : 'session-ended' }
}

interface SessionsData extends PageContext {
  readonly sessions: readonly Session[]
  /** lookup key of this browser's session; null if there is none */
  readonly own: string | null
}

function sessionsPage(data: SessionsData): FrameContent {
  const { href, sessions, own } = data
  const others = sessions.filter(({ lookup }) => lookup !== own)
  const endOthers = html`<form method="post" action="${href(PATH)}">${submit({ text: 'End all other sessions' })}</form>`
  return {
    layout: 'frame',
    title: 'Sessions',
    crumbs: [{ path: ACCOUNT_PATHS.account, text: 'Account' }],
    isNarrow: true,
    intro: 'A session ends after 14 days without use, and after 90 days at most.',
    ...(others.length > 0 ? { actions: endOthers } : {}),
    body: html`<div class="stack">${accountTabs(href, PATH)}<div class="card scroll" tabindex="0" role="group" aria-label="Sessions"><table class="table"><thead><tr><th scope="col">Browser</th><th scope="col" class="desk">Address</th><th scope="col">Last seen</th><th scope="col" class="desk">Signed in</th><th scope="col"><span class="sr">Action</span></th></tr></thead><tbody>
${sessions.map((session) => sessionRow(data, session))}</tbody></table></div></div>`,
  }
}

function sessionRow({ href, own, now, tz }: SessionsData, session: Session): Html {
  const { userAgent } = session
  const isOwn = session.lookup === own
  const action = isOwn
    ? html`<span class="muted">this browser</span>`
    : html`<form method="post" action="${href(PATH)}">${submit({ text: 'End', field: { name: 'session', value: session.lookup } })}</form>`
  return html`<tr><th scope="row"${userAgent !== '' && html` title="${shown(userAgent)}"`}><bdi>${browserWords(userAgent)}</bdi></th><td class="desk">${session.address ?? 'unknown'}</td><td>${relativeTime(session.lastSeenAt, now, tz)}</td><td class="desk">${relativeTime(session.createdAt, now, tz)}</td><td>${action}</td></tr>
`
}
