/**
 * `/sign-in/link`: signs users in with a link from an email. The page asks for confirmation, because programs that scan emails also open
 * links.
 */

import type { Account } from '../../../../domain/account/account.ts'
import { withNext } from '../../../../domain/account/next.ts'
import { getSignInLink, signInByLink } from '../../../../services/accounts/sign-in/sign-in.ts'
import { afterSignIn } from '../../after-sign-in.ts'
import { nextOf, START } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { linkButton, submit } from '../../parts/forms/buttons.ts'
import { bdi } from '../../parts/words/text.ts'
import type { GateContent, PageSite, Route } from '../../route.ts'
import { visitorRoute } from '../new-route.ts'
import { type AskedLink, linkRequestRoutes } from './link-request.ts'
import { provenWords } from './proven-words.ts'

const PATH = '/sign-in/link'

const ASKED: AskedLink = {
  purpose: 'sign-in',
  path: PATH,
  title: 'Sign in by email',
  intro: 'We email you a link that signs you in. The link can be used once and expires after an hour.',
  back: 'Use a password instead',
}

/**
 * Returns no routes if a proxy signs users in. Users can request a link if email is set up. The server's operator can create a link at any
 * time.
 */
export function signInLinkRoutes(deps: PageDeps): readonly Route[] {
  if (deps.remoteUserHeader !== null) return []
  return [...(deps.signInRules.hasLocalSignIn ? linkRequestRoutes(deps, ASKED) : []), ...linkRoutes(deps)]
}

function linkRoutes(deps: PageDeps): readonly Route[] {
  return [
    visitorRoute('GET', `${PATH}/:token`, async ({ params, site, url }) => {
      const { link, account } = await getSignInLink(deps, params.token ?? '')
      return signInLinkPage(site, account, link.email !== null, nextOf(url))
    }),
    visitorRoute('POST', `${PATH}/:token`, async (visit) => {
      const entrance = await signInByLink(deps, visit.params.token ?? '', visit.client)
      return afterSignIn(deps, visit, entrance, { to: nextOf(visit.url) ?? START })
    }),
  ]
}

function signInLinkPage(
  { href }: PageSite,
  account: Pick<Account, 'email' | 'isEmailConfirmed'>,
  isMailed: boolean,
  next: string | null,
): GateContent {
  return {
    layout: 'gate',
    title: 'Sign in',
    body: html`<p>Sign in as <b>${bdi(account.email)}</b>?</p>
${isMailed && provenWords(account)}
<form class="form" method="post">${submit({ text: 'Sign in', look: 'primary', isWide: true })}</form>
<p class="center">${linkButton({ text: 'Not now', look: 'quiet', href: href(withNext('/sign-in', next)) })}</p>`,
  }
}
