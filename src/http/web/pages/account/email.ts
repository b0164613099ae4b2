/**
 * `/account/email`: changes the account's email address. If this server can send email, the user has to open a confirmation link sent to
 * the new address.
 */

import { confirmEmail, getNewEmail, requestEmail } from '../../../../services/accounts/email-change.ts'
import { canMailLinks } from '../../../../services/accounts/mailed-links.ts'
import type { Href } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { linkButton, submit } from '../../parts/forms/buttons.ts'
import { textField } from '../../parts/forms/fields.ts'
import { alertNote } from '../../parts/notes.ts'
import { signInWords } from '../../parts/words/sign-in-words.ts'
import { bdi } from '../../parts/words/text.ts'
import type { AccountVisit, FrameContent, GateContent, PageAnswer, Route } from '../../route.ts'
import { formPage } from '../form-page.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from '../forms.ts'
import { accountRoute, sensitiveRoute } from '../new-route.ts'
import { ACCOUNT_PATHS } from './tabs.ts'

const PATH = ACCOUNT_PATHS.email
const LINK = `${PATH}/:token`

export function emailRoutes(deps: PageDeps): readonly Route[] {
  return [
    sensitiveRoute('GET', PATH, (visit) => emailPage(visit, canMailLinks(deps), '', NO_PROBLEMS)),
    sensitiveRoute('POST', PATH, (visit) => ask(deps, visit)),
    accountRoute('GET', LINK, async ({ params, person, account, site: { href } }) => {
      const { email } = await getNewEmail(deps, person, params.token ?? '')
      return confirmEmailPage(href, account.email, email)
    }),
    accountRoute('POST', LINK, async ({ params, person, session }) => {
      await confirmEmail(deps, person, session?.lookup ?? null, params.token ?? '')
      return { kind: 'redirect', to: ACCOUNT_PATHS.account, done: 'email-changed' }
    }),
  ]
}

async function ask(deps: PageDeps, visit: AccountVisit): Promise<PageAnswer> {
  const { form, person, session, site } = visit
  const typed = form.text('email').trim()
  const page = (problems: FormProblems) => emailPage(visit, canMailLinks(deps), typed, problems)
  const refused = { 'email-invalid': 'email', 'account-exists': 'email', 'over-limit': WHOLE }
  return orFormAgain({ refused, page, words: signInWords }, async () => {
    const asked = await requestEmail(deps, person, session?.lookup ?? null, typed)
    if (asked === 'mailed') return mailedPage(site.href, typed)
    return {
      kind: 'redirect',
      to: ACCOUNT_PATHS.account,
      done: asked === 'same' ? 'email-same' : 'email-changed',
    }
  })
}

const CRUMBS = [{ path: ACCOUNT_PATHS.account, text: 'Account' }] as const

function emailPage(
  { account, site: { href } }: AccountVisit,
  canMail: boolean,
  typed: string,
  { fields, whole }: FormProblems,
): FrameContent {
  const help = canMail
    ? 'We send a link to this address. When you open it, your email changes and your other sessions end.'
    : 'Your email changes at once, because this server cannot send email to check it. Your other sessions end.'
  return formPage({
    href,
    title: 'Change email',
    crumbs: CRUMBS,
    intro: html`Your email is ${bdi(account.email)}.`,
    action: PATH,
    fields: html`${whole !== null && alertNote(whole)}
${textField({ name: 'email', label: 'New email', type: 'email', value: typed, autocomplete: 'email', isRequired: true, help, error: fields.email, hasFocus: true })}`,
    button: { text: canMail ? 'Mail me a link' : 'Save email', look: 'primary' },
  })
}

function mailedPage(href: Href, email: string): FrameContent {
  return {
    layout: 'frame',
    title: 'Check your email',
    crumbs: CRUMBS,
    isNarrow: true,
    body: html`<div class="stack"><p>An email to ${bdi(email)} is on its way. Open its link within an hour, in a browser where you are signed in. The link can be used once.</p>
<div class="acts">${linkButton({ text: 'Go back to the account', href: href(ACCOUNT_PATHS.account) })}</div></div>`,
  }
}

function confirmEmailPage(href: Href, from: string, to: string): GateContent {
  return {
    layout: 'gate',
    title: 'Change email',
    body: html`<p>Change the email of your account from ${bdi(from)} to <b>${bdi(to)}</b>? Your other sessions end.</p>
<form class="form" method="post">${submit({ text: 'Change email', look: 'primary', isWide: true })}</form>
<p class="center">${linkButton({ text: 'Not now', look: 'quiet', href: href(ACCOUNT_PATHS.account) })}</p>`,
  }
}
