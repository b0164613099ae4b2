/** `/sign-in/code`: the second factor for a sign-in. */

import { withNext } from '../../../../domain/account/next.ts'
import type { PasskeyRules } from '../../../../domain/account/sign-in-rules.ts'
import { verifyPasskeyFactor } from '../../../../services/accounts/sign-in/passkey-proof.ts'
import { findAwaited, finishSignIn, verifySecondFactor } from '../../../../services/accounts/sign-in/second-factor.ts'
import { afterSignIn, CODE_PATH, readAwaited } from '../../after-sign-in.ts'
import { localPath, START } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { textField } from '../../parts/forms/fields.ts'
import { PASSKEY_FIELD, passkeyForm } from '../../parts/forms/passkey-form.ts'
import { alertNote } from '../../parts/notes.ts'
import { signInWords } from '../../parts/words/sign-in-words.ts'
import { readPasskeyAnswer } from '../../passkey-request.ts'
import type { GateContent, PageAnswer, PageSite, Route, VisitorVisit } from '../../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from '../forms.ts'
import { visitorRoute } from '../new-route.ts'
import { codeOptionsRoutes, findFactorRules } from './code-passkey.ts'

/** Returns no routes if a proxy signs users in. */
export function signInCodeRoutes(deps: PageDeps): readonly Route[] {
  if (deps.remoteUserHeader !== null) return []
  return [
    visitorRoute('GET', CODE_PATH, async ({ request, url, site }) => {
      const next = localPath(url.searchParams.get('next'))
      const awaited = await findAwaited(deps, readAwaited(request))
      if (awaited === null) return againPage(next)
      const passkeys = await findFactorRules(deps, awaited)
      return codePage(site, next, passkeys, NO_PROBLEMS)
    }),
    visitorRoute('POST', CODE_PATH, (visit) => post(deps, visit)),
    ...codeOptionsRoutes(deps),
  ]
}

async function post(deps: PageDeps, visit: VisitorVisit): Promise<PageAnswer> {
  const { form, site, client, request } = visit
  const next = localPath(form.text('next'))
  const passkeys = await findFactorRules(deps, await findAwaited(deps, readAwaited(request)))
  const page = (problems: FormProblems) => codePage(site, next, passkeys, problems)
  const refused = { 'sign-in-failed': 'code', 'passkey-refused': PASSKEY_FIELD, 'over-limit': WHOLE }
  return orFormAgain({ refused, page, words: (refusal) => signInWords(refusal, WRONG_CODE) }, async () => {
    const entered = await finishSignIn(deps, readAwaited(request), client, (awaited) =>
      passkeys !== null && form.has(PASSKEY_FIELD)
        ? verifyPasskeyFactor(deps, passkeys, awaited, readPasskeyAnswer(visit))
        : verifySecondFactor(deps, awaited, form.text('code'), client.address),
    )
    return entered === null ? againPage(next) : afterSignIn(deps, visit, entered, { to: next ?? START })
  })
}

/** Redirects to the sign-in page if no sign-in is waiting for a second factor, or if the user took too long. */
function againPage(next: string | null): PageAnswer {
  return { kind: 'redirect', to: withNext('/sign-in', next), done: 'sign-in-ended' }
}

export const WRONG_CODE = 'The code is wrong, has been used already, or has expired.'

/** @param passkeys passkey rules; null if no passkey can be used as the second factor */
function codePage(
  { href }: PageSite,
  next: string | null,
  passkeys: PasskeyRules | null,
  { fields, whole }: FormProblems,
): GateContent {
  const nextField = next !== null && html`<input type="hidden" name="next" value="${next}">`
  return {
    layout: 'gate',
    title: 'Second step',
    intro: 'Your account requires a second step.',
    body: html`<form class="form" method="post" action="${href(CODE_PATH)}">
${whole !== null && alertNote(whole)}
${nextField}
${textField({ name: 'code', label: 'Code', autocomplete: 'one-time-code', isRequired: true, isCode: true, maxLength: 40, help: 'Six digits from your authenticator app, or one of your recovery codes.', error: fields.code, hasFocus: true })}
${submit({ text: 'Sign in', look: 'primary', isWide: true })}
</form>
${passkeys && html`<p class="or">or</p>${passkeyForm({ href, path: CODE_PATH, rules: passkeys, fields: nextField, button: 'Use a passkey', problem: fields[PASSKEY_FIELD] })}`}
<p class="center muted">Lost ${passkeys ? 'all of these' : 'both'}? The administrator of this server can remove the second step.</p>`,
  }
}
