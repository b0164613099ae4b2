/** `/sign-in`: by password. Behind a proxy that signs people in, it says so. */
import { needsFirstAccount } from '../../../services/accounts/first-account.ts'
import { endSession } from '../../../services/accounts/sessions.ts'
import { canMailLinks, signIn } from '../../../services/accounts/sign-in.ts'
import type { Deps } from '../../../services/deps.ts'
import { cookiePlace, endedSessionCookie } from '../cookie.ts'
import { enter } from '../enter.ts'
import { localPath, START } from '../href.ts'
import { html } from '../html.ts'
import { submit } from '../parts/buttons.ts'
import { textField } from '../parts/fields.ts'
import { alertNote } from '../parts/notes.ts'
import { signInWords } from '../parts/sign-in-words.ts'
import type { GateContent, PageAnswer, PageSite, Route, VisitorVisit } from '../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from './forms.ts'

export type SignInDeps = Pick<Deps, 'store' | 'now' | 'random' | 'passwords' | 'signInLimits' | 'operator' | 'site'> & {
  readonly remoteUserHeader: string | null
}

const PATH = '/sign-in'

/** Only the page where a proxy signs people in. */
export function signInRoutes(deps: SignInDeps): readonly Route[] {
  const { remoteUserHeader } = deps
  const canMail = canMailLinks(deps)
  const page: Route = {
    method: 'GET',
    path: PATH,
    access: 'visitor',
    cache: 'no-store',
    async answer({ identity, url, site }) {
      const next = localPath(url.searchParams.get('next'))
      if (identity) return { kind: 'redirect', to: next ?? START }
      // The start says how to get the first account.
      if (await needsFirstAccount(deps)) return { kind: 'redirect', to: '/' }
      if (remoteUserHeader !== null) return { kind: 'page', page: proxyPage(remoteUserHeader) }
      return { kind: 'page', page: signInPage({ site, canMail, email: '', next, problems: NO_PROBLEMS }) }
    },
  }
  if (remoteUserHeader !== null) return [page]
  return [
    page,
    { method: 'POST', path: PATH, access: 'visitor', cache: 'no-store', answer: (visit) => post(deps, canMail, visit) },
    {
      method: 'POST',
      path: '/sign-out',
      // Also for who is signed in no more: the cookie must go.
      access: 'visitor',
      cache: 'no-store',
      answer: (visit) => signOut(deps, visit),
    },
  ]
}

async function post(deps: SignInDeps, canMail: boolean, visit: VisitorVisit): Promise<PageAnswer> {
  const { form, site, client } = visit
  const email = form.text('email')
  const next = localPath(form.text('next'))
  const page = (problems: FormProblems) => signInPage({ site, canMail, email, next, problems })
  const refused = { 'sign-in-failed': WHOLE, 'over-limit': WHOLE, busy: WHOLE }
  return orFormAgain({ refused, page, words: signInWords }, async () => {
    const { token } = await signIn(deps, email, form.text('password'), client)
    return enter(deps, visit, token, { to: next ?? START })
  })
}

async function signOut(deps: SignInDeps, { identity, request, client }: VisitorVisit): Promise<PageAnswer> {
  if (identity?.session) await endSession(deps, identity.person, identity.session.lookup)
  const cookie = endedSessionCookie(cookiePlace(request, deps.site.links.siteRoot, client.scheme))
  return { kind: 'redirect', to: PATH, done: 'signed-out', cookie }
}

interface SignInData {
  readonly site: PageSite
  readonly canMail: boolean
  readonly email: string
  readonly next: string | null
  readonly problems: FormProblems
}

export function signInPage({ site: { href }, canMail, email, next, problems }: SignInData): GateContent {
  const isAgain = problems.whole !== null
  return {
    layout: 'gate',
    title: 'Sign in',
    body: html`<form class="form" method="post" action="${href(PATH)}">
${isAgain && alertNote(problems.whole)}
${next !== null && html`<input type="hidden" name="next" value="${next}">`}
${textField({ name: 'email', label: 'Email', type: 'email', value: email, autocomplete: 'username', isRequired: true, hasFocus: !isAgain })}
${textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', isRequired: true, hasFocus: isAgain })}
${submit({ text: 'Sign in', look: 'primary', isWide: true })}
</form>
${
  canMail
    ? html`<p class="center"><a href="${href('/sign-in/link')}">Mail me a link instead</a></p>`
    : html`<p class="center muted">Forgot the password? Ask whoever runs this server for a link to choose another.</p>`
}`,
  }
}

function proxyPage(header: string): GateContent {
  return {
    layout: 'gate',
    title: 'Sign in',
    body: html`<p>The proxy in front of this server signs people in. It has named nobody in the header <code>${header}</code>.</p>
<p>Open the address of the proxy. If you did, ask whoever runs the server: either the proxy does not send the header, or it is not in TRUSTED_PROXIES.</p>`,
  }
}
