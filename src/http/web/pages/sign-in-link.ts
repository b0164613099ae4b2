/** `/sign-in/link`: signs in by a link in an email. The link's page asks first, since programs that scan emails open links. */
import { getLinkedAccount } from '../../../services/accounts/one-time-links.ts'
import { canMailLinks, requestSignInLink, signInByLink } from '../../../services/accounts/sign-in.ts'
import type { Deps } from '../../../services/deps.ts'
import { enter } from '../enter.ts'
import { START } from '../href.ts'
import { html } from '../html.ts'
import { linkButton, submit } from '../parts/buttons.ts'
import { textField } from '../parts/fields.ts'
import { alertNote } from '../parts/notes.ts'
import { signInWords } from '../parts/sign-in-words.ts'
import { bdi } from '../parts/text.ts'
import type { GateContent, PageSite, Route } from '../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from './forms.ts'
import type { SignInDeps } from './sign-in.ts'

export type SignInLinkDeps = SignInDeps & Pick<Deps, 'carriers' | 'log' | 'background'>

const PATH = '/sign-in/link'

/** None where no email is set up, or a proxy signs people in. */
export function signInLinkRoutes(deps: SignInLinkDeps): readonly Route[] {
  if (!canMailLinks(deps) || deps.remoteUserHeader !== null) return []
  return [
    {
      method: 'GET',
      path: PATH,
      access: 'visitor',
      cache: 'no-store',
      answer: ({ site }) => ({ kind: 'page', page: askPage(site, '', NO_PROBLEMS) }),
    },
    {
      method: 'POST',
      path: PATH,
      access: 'visitor',
      cache: 'no-store',
      answer({ form, site, client }) {
        const email = form.text('email')
        const page = (problems: FormProblems) => askPage(site, email, problems)
        return orFormAgain({ refused: { 'over-limit': WHOLE }, page, words: signInWords }, async () => {
          requestSignInLink(deps, email, client)
          return { kind: 'page', page: sentPage(email) }
        })
      },
    },
    {
      method: 'GET',
      path: `${PATH}/:token`,
      access: 'visitor',
      cache: 'no-store',
      async answer({ params, site }) {
        const { email } = await getLinkedAccount(deps, 'sign-in', params.token ?? '')
        return { kind: 'page', page: confirmPage(site, email) }
      },
    },
    {
      method: 'POST',
      path: `${PATH}/:token`,
      access: 'visitor',
      cache: 'no-store',
      async answer(visit) {
        const { token } = await signInByLink(deps, visit.params.token ?? '', visit.client)
        return enter(deps, visit, token, { to: START })
      },
    },
  ]
}

export function askPage({ href }: PageSite, email: string, problems: FormProblems): GateContent {
  return {
    layout: 'gate',
    title: 'Sign in by email',
    intro: 'You get a link that signs you in once, within an hour.',
    body: html`<form class="form" method="post" action="${href(PATH)}">
${problems.whole !== null && alertNote(problems.whole)}
${textField({ name: 'email', label: 'Email', type: 'email', value: email, autocomplete: 'username', isRequired: true, hasFocus: true })}
${submit({ text: 'Mail me a link', look: 'primary', isWide: true })}
</form>
<p class="center"><a href="${href('/sign-in')}">Use a password instead</a></p>`,
  }
}

export function sentPage(email: string): GateContent {
  return {
    layout: 'gate',
    title: 'Look into your mailbox',
    body: html`<p>If there is an account of ${bdi(email)}, a link is on its way. It works once, within an hour.</p>`,
  }
}

export function confirmPage({ href }: PageSite, email: string): GateContent {
  return {
    layout: 'gate',
    title: 'Sign in',
    body: html`<p>Sign in as <b>${bdi(email)}</b>?</p>
<form class="form" method="post">${submit({ text: 'Sign in', look: 'primary', isWide: true })}</form>
<p class="center">${linkButton({ text: 'Not now', look: 'quiet', href: href('/sign-in') })}</p>`,
  }
}
