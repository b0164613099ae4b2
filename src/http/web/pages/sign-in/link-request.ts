/** The forms for requesting an email with a link, either for signing in or for choosing a new password. */

import { withNext } from '../../../../domain/account/next.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { canMailLinks } from '../../../../services/accounts/mailed-links.ts'
import { type MailedPurpose, requestLink } from '../../../../services/accounts/sign-in/sign-in.ts'
import { nextOf } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { textField } from '../../parts/forms/fields.ts'
import { alertNote } from '../../parts/notes.ts'
import { signInWords } from '../../parts/words/sign-in-words.ts'
import { bdi } from '../../parts/words/text.ts'
import type { GateContent, PageSite, Route } from '../../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from '../forms.ts'
import { visitorRoute } from '../new-route.ts'

export interface AskedLink {
  readonly purpose: MailedPurpose
  /** the form's path */
  readonly path: string
  readonly title: string
  readonly intro: string
  /** text of the link back to the sign-in page */
  readonly back: string
}

/** Returns the routes. They return 404 if email is not set up. */
export function linkRequestRoutes(deps: PageDeps, asked: AskedLink): readonly Route[] {
  const { path, purpose } = asked
  const requireMail = () => {
    if (!canMailLinks(deps)) throw new Refusal('not-found', 'not found')
  }
  return [
    visitorRoute('GET', path, ({ site, url }) => {
      requireMail()
      return askPage(site, asked, '', nextOf(url), NO_PROBLEMS)
    }),
    visitorRoute('POST', path, ({ form, site, url, client }) => {
      requireMail()
      const email = form.text('email')
      const next = nextOf(url)
      const page = (problems: FormProblems) => askPage(site, asked, email, next, problems)
      return orFormAgain({ refused: { 'over-limit': WHOLE }, page, words: signInWords }, async () => {
        requestLink(deps, purpose, email, next, client)
        return sentPage(email)
      })
    }),
  ]
}

function askPage(
  { href }: PageSite,
  { path, title, intro, back }: AskedLink,
  email: string,
  next: string | null,
  problems: FormProblems,
): GateContent {
  return {
    layout: 'gate',
    title,
    intro,
    body: html`<form class="form" method="post" action="${href(withNext(path, next))}">
${problems.whole !== null && alertNote(problems.whole)}
${textField({ name: 'email', label: 'Email', type: 'email', value: email, autocomplete: 'username', isRequired: true, hasFocus: true })}
${submit({ text: 'Mail me a link', look: 'primary', isWide: true })}
</form>
<p class="center"><a href="${href(withNext('/sign-in', next))}">${back}</a></p>`,
  }
}

function sentPage(email: string): GateContent {
  return {
    layout: 'gate',
    title: 'Check your email',
    body: html`<p>If there is an account for ${bdi(email)}, a link is on its way. The link can be used once and expires after an hour.</p>`,
  }
}
