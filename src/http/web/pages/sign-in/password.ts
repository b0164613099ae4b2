/**
 * `/password` emails a link for choosing a new password. `/password/<token>` is the page that such a link opens. The server's operator can
 * also create a link.
 */

import type { Account } from '../../../../domain/account/account.ts'
import { getAccountLink } from '../../../../services/accounts/one-time-links.ts'
import { choosePassword } from '../../../../services/accounts/sign-in/passwords.ts'
import { afterSignIn } from '../../after-sign-in.ts'
import { nextOf, START } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { PASSWORD_HELP } from '../../parts/forms/account-fields.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { textField } from '../../parts/forms/fields.ts'
import { alertNote } from '../../parts/notes.ts'
import { bdi } from '../../parts/words/text.ts'
import type { GateContent, Route } from '../../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from '../forms.ts'
import { visitorRoute } from '../new-route.ts'
import { type AskedLink, linkRequestRoutes } from './link-request.ts'
import { provenWords } from './proven-words.ts'

const PATH = '/password'

const ASKED: AskedLink = {
  purpose: 'password',
  path: PATH,
  title: 'Forgot your password?',
  intro: 'We email you a link to choose a new password. The link can be used once and expires after an hour.',
  back: 'Back to sign in',
}

/** Returns no routes if users can only sign in through a proxy or the OpenID provider. Users can request a link if email is set up. */
export function passwordRoutes(deps: PageDeps): readonly Route[] {
  if (deps.remoteUserHeader !== null || !deps.signInRules.hasLocalSignIn) return []
  const path = `${PATH}/:token`
  return [
    ...linkRequestRoutes(deps, ASKED),
    visitorRoute('GET', path, async ({ params }) => {
      const linked = await readLinked(deps, params.token ?? '')
      return passwordPage(linked, NO_PROBLEMS)
    }),
    visitorRoute('POST', path, async (visit) => {
      const { params, form, client } = visit
      const linked = await readLinked(deps, params.token ?? '')
      const page = (problems: FormProblems) => passwordPage(linked, problems)
      return orFormAgain({ refused: { 'password-invalid': 'password', busy: WHOLE }, page }, async () => {
        const entrance = await choosePassword(deps, params.token ?? '', form.text('password'), client)
        return afterSignIn(deps, visit, entrance, {
          to: nextOf(visit.url) ?? START,
          done: linked.account.passwordHash === null ? 'password-set' : 'password-changed',
        })
      })
    }),
  ]
}

interface Linked {
  readonly account: Pick<Account, 'email' | 'passwordHash' | 'isEmailConfirmed'>
  /** true if the link was sent by email, which proves that the user owns the address */
  readonly isMailed: boolean
}

async function readLinked(deps: PageDeps, token: string): Promise<Linked> {
  const { link, account } = await getAccountLink(deps, 'password', token)
  return { account, isMailed: link.email !== null }
}

function passwordPage({ account, isMailed }: Linked, { fields, whole }: FormProblems): GateContent {
  const { email, passwordHash } = account
  return {
    layout: 'gate',
    title: 'Choose a password',
    intro: html`For the account of <b>${bdi(email)}</b>.${passwordHash !== null && ' Its other sessions end.'}`,
    body: html`${isMailed && provenWords(account)}<form class="form" method="post">
${whole !== null && alertNote(whole)}
<input type="hidden" name="email" value="${email}" autocomplete="username">
${textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', isRequired: true, help: PASSWORD_HELP, error: fields.password, hasFocus: true })}
${submit({ text: 'Save password', look: 'primary', isWide: true })}
</form>`,
  }
}
