/**
 * `/sign-up`: creates an account if registration is open. If email is set up, users first have to prove their address by opening an emailed
 * link.
 */
import { withNext } from '../../../domain/account/next.ts'
import { canMailLinks } from '../../../services/accounts/mailed-links.ts'
import { needsFirstAccount } from '../../../services/accounts/sign-in/first-account.ts'
import {
  canSignUp,
  getSignUp,
  requestSignUp,
  signUp,
  signUpByLink,
} from '../../../services/accounts/sign-in/sign-up.ts'
import { afterSignIn } from '../after-sign-in.ts'
import { nextOf } from '../href.ts'
import { html } from '../html.ts'
import type { Page, PageDeps } from '../page.ts'
import { submit } from '../parts/forms/buttons.ts'
import { textField } from '../parts/forms/fields.ts'
import {
  type NewAccountValues,
  newAccountFields,
  newAccountWords,
  REFUSED_ACCOUNT,
  typedAccount,
  zoneOf,
} from '../parts/forms/new-account.ts'
import { alertNote } from '../parts/notes.ts'
import { signInWords } from '../parts/words/sign-in-words.ts'
import { bdi } from '../parts/words/text.ts'
import type { GateContent, PageAnswer, PageSite, Route, VisitorVisit } from '../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from './forms.ts'
import { visitorRoute } from './new-route.ts'

const SIGN_UP = '/sign-up'
const LINK = `${SIGN_UP}/:token`
/** Returns the page to open after a sign-up; by default, the form for a new project. */
function leadOn({ url }: VisitorVisit) {
  return { to: nextOf(url) ?? '/projects/new', done: 'account-made' } as const
}

export const page: Page = {
  routes: signUpRoutes,
  fixtures: {
    'GET /sign-up': { for: 'everybody' },
    'POST /sign-up': { for: 'everybody', status: 200, form: { email: '{n}@example.org' }, isOnce: true },
    'GET /sign-up/:token': { for: 'everybody', at: '{link:sign-up}' },
    'POST /sign-up/:token': { for: 'everybody', at: '{link:sign-up}', form: { password: '{password}' }, isOnce: true },
  },
}

/** Returns no routes if registration is closed, or if users sign in elsewhere. */
function signUpRoutes(deps: PageDeps): readonly Route[] {
  if (!canSignUp(deps)) return []
  return [
    visitorRoute('GET', SIGN_UP, async ({ site, url }) => {
      // If there are no accounts yet, redirect to the start page. It explains how to create the first account, which becomes an
      // administrator.
      if (await needsFirstAccount(deps)) return { kind: 'redirect', to: '/' }
      const next = nextOf(url)
      return canMailLinks(deps) ? askPage(site, '', next, NO_PROBLEMS) : signUpPage(site, NOTHING, next, NO_PROBLEMS)
    }),
    visitorRoute('POST', SIGN_UP, (visit) => (canMailLinks(deps) ? mailLink(deps, visit) : makeAtOnce(deps, visit))),
    visitorRoute('GET', LINK, async ({ params, site, url }) => {
      const { email } = await getSignUp(deps, params.token ?? '')
      return signUpPage(site, { email, tz: '' }, nextOf(url), NO_PROBLEMS, true)
    }),
    visitorRoute('POST', LINK, (visit) => makeByLink(deps, visit)),
  ]
}

const NOTHING: NewAccountValues = { email: '', tz: '' }

async function makeAtOnce(deps: PageDeps, visit: VisitorVisit): Promise<PageAnswer> {
  const { form, site, client } = visit
  const values = typedAccount(form)
  const again = (problems: FormProblems) => signUpPage(site, values, nextOf(visit.url), problems)
  return orFormAgain({ refused: REFUSED_ACCOUNT, page: again, words: newAccountWords }, async () => {
    const filled = { password: form.text('password'), tz: zoneOf(values) }
    const session = await signUp(deps, values.email, filled, client)
    return afterSignIn(deps, visit, session, leadOn(visit))
  })
}

function mailLink(deps: PageDeps, { form, site, url, client }: VisitorVisit): Promise<PageAnswer> {
  const email = form.text('email').trim()
  const next = nextOf(url)
  const again = (problems: FormProblems) => askPage(site, email, next, problems)
  return orFormAgain(
    { refused: { 'over-limit': WHOLE, 'email-invalid': 'email' }, page: again, words: signInWords },
    async () => {
      requestSignUp(deps, email, next, client)
      return sentPage(email)
    },
  )
}

async function makeByLink(deps: PageDeps, visit: VisitorVisit): Promise<PageAnswer> {
  const { params, form, site, client } = visit
  const link = await getSignUp(deps, params.token ?? '')
  const values = { ...typedAccount(form), email: link.email }
  const again = (problems: FormProblems) => signUpPage(site, values, nextOf(visit.url), problems, true)
  return orFormAgain(
    { refused: { ...REFUSED_ACCOUNT, 'account-exists': WHOLE }, page: again, words: newAccountWords },
    async () => {
      const filled = { password: form.text('password'), tz: zoneOf(values) }
      const session = await signUpByLink(deps, link, filled, client)
      return afterSignIn(deps, visit, session, leadOn(visit))
    },
  )
}

function askPage({ href }: PageSite, email: string, next: string | null, { fields, whole }: FormProblems): GateContent {
  return {
    layout: 'gate',
    title: 'Create an account',
    intro: 'We email you a link. It can be used once and expires after a day.',
    body: html`<form class="form" method="post" action="${href(withNext(SIGN_UP, next))}">
${whole !== null && alertNote(whole)}
${textField({ name: 'email', label: 'Email', type: 'email', value: email, autocomplete: 'username', isRequired: true, maxLength: 254, error: fields.email, hasFocus: true })}
${submit({ text: 'Mail me a link', look: 'primary', isWide: true })}
</form>
<p class="center"><a href="${href(withNext('/sign-in', next))}">I have an account: sign in</a></p>`,
  }
}

function sentPage(email: string): GateContent {
  return {
    layout: 'gate',
    title: 'Check your email',
    body: html`<p>An email to ${bdi(email)} is on its way. The link in it can be used once and expires after a day.</p>`,
  }
}

/** @param isProven true if the user has proved the address by opening an emailed link */
function signUpPage(
  { href }: PageSite,
  values: NewAccountValues,
  next: string | null,
  { fields, whole }: FormProblems,
  isProven = false,
): GateContent {
  return {
    layout: 'gate',
    title: 'Create an account',
    ...(isProven ? { intro: html`For <b>${bdi(values.email)}</b>.` } : {}),
    body: html`<form class="form" method="post">
${whole !== null && alertNote(whole)}
${newAccountFields(values, fields, isProven)}
${submit({ text: 'Create account', look: 'primary', isWide: true })}
</form>
<p class="center"><a href="${href(withNext('/sign-in', next))}">I have an account: sign in</a></p>`,
  }
}
