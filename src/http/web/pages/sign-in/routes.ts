/**
 * `/sign-in`: lets users sign in with a password, a passkey, or the OpenID provider. If a proxy signs users in, the page only explains
 * that.
 */

import { withNext } from '../../../../domain/account/next.ts'
import type { OidcProvider, PasskeyRules } from '../../../../domain/account/sign-in-rules.ts'
import { canMailLinks } from '../../../../services/accounts/mailed-links.ts'
import { needsFirstAccount } from '../../../../services/accounts/sign-in/first-account.ts'
import { passkeyRules } from '../../../../services/accounts/sign-in/passkeys.ts'
import { endSession } from '../../../../services/accounts/sign-in/sessions.ts'
import { signIn } from '../../../../services/accounts/sign-in/sign-in.ts'
import { canSignUp } from '../../../../services/accounts/sign-in/sign-up.ts'
import { afterSignIn } from '../../after-sign-in.ts'
import { cookiePlace, endedSessionCookie } from '../../cookie.ts'
import { localPath, nextOf, START } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { textField } from '../../parts/forms/fields.ts'
import { oidcButton } from '../../parts/forms/oidc-button.ts'
import { PASSKEY_FIELD } from '../../parts/forms/passkey-form.ts'
import { alertNote } from '../../parts/notes.ts'
import { signInWords } from '../../parts/words/sign-in-words.ts'
import type { GateContent, PageAnswer, PageSite, Route, VisitorVisit } from '../../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from '../forms.ts'
import { visitorRoute } from '../new-route.ts'
import { passkeySignIn, postPasskey, signInOptionsRoutes } from './passkey.ts'

const PATH = '/sign-in'

/** Returns the routes. If a proxy signs users in, the sign-in page is the only route. */
export function signInRoutes(deps: PageDeps): readonly Route[] {
  const { remoteUserHeader } = deps
  const { oidc, hasLocalSignIn } = deps.signInRules
  const offers = { canSignUp: canSignUp(deps), passkeys: passkeyRules(deps), oidc }
  const page: Route = visitorRoute('GET', PATH, async ({ identity, remoteUser, url, site }) => {
    const next = nextOf(url)
    if (identity) return { kind: 'redirect', to: next ?? START }
    // The start page explains how to create the first account.
    if (await needsFirstAccount(deps)) return { kind: 'redirect', to: '/' }
    if (remoteUser !== null) return suspendedPage()
    if (remoteUserHeader !== null) return proxyPage(remoteUserHeader)
    if (oidc !== null && !hasLocalSignIn) return elsewherePage(site, oidc, next)
    return signInPage({ site, offers, canMail: canMailLinks(deps), email: '', next, problems: NO_PROBLEMS })
  })
  if (remoteUserHeader !== null) return [page]
  return [
    page,
    ...(hasLocalSignIn ? [...signInOptionsRoutes(deps), postRoute(deps, offers)] : []),
    // Allow this even if the user is no longer signed in, because the cookie still has to be removed.
    visitorRoute('POST', '/sign-out', (visit) => signOut(deps, visit)),
  ]
}

function postRoute(deps: PageDeps, offers: Offers): Route {
  return visitorRoute('POST', PATH, (visit) => post(deps, offers, visit))
}

async function post(deps: PageDeps, offers: Offers, visit: VisitorVisit): Promise<PageAnswer> {
  const { form, site, client } = visit
  const email = form.text('email')
  const next = localPath(form.text('next'))
  const page = (problems: FormProblems) =>
    signInPage({ site, offers, canMail: canMailLinks(deps), email, next, problems })
  if (offers.passkeys !== null && form.has(PASSKEY_FIELD)) return postPasskey(deps, offers.passkeys, visit, page)
  const refused = { 'sign-in-failed': WHOLE, 'over-limit': WHOLE, busy: WHOLE }
  return orFormAgain({ refused, page, words: signInWords }, async () => {
    const entrance = await signIn(deps, email, form.text('password'), client)
    return afterSignIn(deps, visit, entrance, { to: next ?? START })
  })
}

async function signOut(deps: PageDeps, visit: VisitorVisit): Promise<PageAnswer> {
  const { identity } = visit
  if (identity?.session) await endSession(deps, identity.person, identity.session.lookup)
  const cookie = endedSessionCookie(cookiePlace(deps, visit))
  return { kind: 'redirect', to: PATH, done: 'signed-out', cookie }
}

/** Ways to sign in without a password that the page offers. */
interface Offers {
  readonly canSignUp: boolean
  /** null if this server does not support passkeys */
  readonly passkeys: PasskeyRules | null
  /** null if no OpenID provider is set up */
  readonly oidc: OidcProvider | null
}

interface SignInData {
  readonly site: PageSite
  readonly offers: Offers
  readonly canMail: boolean
  readonly email: string
  readonly next: string | null
  readonly problems: FormProblems
}

function signInPage({ site: { href }, offers, canMail, email, next, problems }: SignInData): GateContent {
  const { canSignUp: isOpen, passkeys, oidc } = offers
  const isAgain = problems.whole !== null
  return {
    layout: 'gate',
    title: 'Sign in',
    body: html`${oidc && html`${oidcButton(href, oidc, next)}<p class="or">or</p>`}<form class="form" method="post" action="${href(PATH)}">
${isAgain && alertNote(problems.whole)}
${next !== null && html`<input type="hidden" name="next" value="${next}">`}
${textField({ name: 'email', label: 'Email', type: 'email', value: email, autocomplete: 'username', isRequired: true, hasFocus: !isAgain })}
${textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', isRequired: true, hasFocus: isAgain })}
${submit({ text: 'Sign in', look: 'primary', isWide: true })}
</form>
${passkeys && passkeySignIn(href, passkeys, next, problems)}
${
  canMail
    ? html`<p class="center"><a href="${href(withNext('/sign-in/link', next))}">Mail me a link instead</a></p>
<p class="center"><a href="${href(withNext('/password', next))}">Forgot your password?</a></p>`
    : html`<p class="center muted">Forgot your password? Ask an administrator of this server for a link.</p>`
}${isOpen && html`<p class="center"><a href="${href(withNext('/sign-up', next))}">Create an account</a></p>`}`,
  }
}

/** Returns the page for a server where users can only sign in through the OpenID provider. */
function elsewherePage({ href }: PageSite, oidc: OidcProvider, next: string | null): GateContent {
  return {
    layout: 'gate',
    title: 'Sign in',
    body: html`${oidcButton(href, oidc, next, 'primary')}
<p class="center muted">Cannot sign in? The administrator of this server can give you a link that signs you in.</p>`,
  }
}

/**
 * Returns the page for a suspended account. Only suspended users see it, because any other user that the proxy signs in gets an account.
 * The proxy has proved the user's identity, so the page can say that access is denied.
 */
function suspendedPage(): GateContent {
  return {
    layout: 'gate',
    title: 'Sign in',
    body: html`<p>You cannot sign in here. Ask an administrator of this server.</p>`,
  }
}

function proxyPage(header: string): GateContent {
  return {
    layout: 'gate',
    title: 'Sign in',
    body: html`<p>The proxy in front of this server signs users in. Overdue did not receive an email address from it in the header <code>${header}</code>.</p>
<p>Open the address of the proxy. If you already did, ask an administrator of this server. Either the proxy does not send the header, or its address is missing in <code>TRUSTED_PROXIES=10.0.0.5</code>.</p>`,
  }
}
