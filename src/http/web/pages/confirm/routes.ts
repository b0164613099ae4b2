/** `/confirm`: asks users to prove their identity again before a sensitive action, and then redirects them back. */

import { listMeans, needsConfirmation } from '../../../../services/accounts/sign-in/confirmation.ts'
import { type Href, localPath, nextOf, START } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { formButton } from '../../parts/forms/buttons.ts'
import type { AccountVisit, GateContent, PageAnswer, Route } from '../../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from '../forms.ts'
import { accountRoute } from '../new-route.ts'
import { codeProof } from './code.ts'
import { oidcProof } from './oidc.ts'
import { confirmOptionsRoutes, passkeyProof } from './passkey.ts'
import { passwordProof } from './password.ts'
import { CONFIRM, type ProofForm } from './proof.ts'

/** The proofs, in display order. */
const PROOFS: readonly ProofForm[] = [passkeyProof, passwordProof, codeProof, oidcProof]

/** Returns no routes if a proxy signs users in, because the server cannot request a proof from the proxy. */
export function confirmRoutes(deps: PageDeps): readonly Route[] {
  if (deps.remoteUserHeader !== null) return []
  return [
    accountRoute('GET', CONFIRM, async (visit) => {
      const next = nextOf(visit.url) ?? START
      if (!(await needsConfirmation(deps, visit.account, visit.session))) return { kind: 'redirect', to: next }
      return await confirmPage(deps, visit, next, null, NO_PROBLEMS)
    }),
    accountRoute('POST', CONFIRM, (visit) => post(deps, visit)),
    ...confirmOptionsRoutes(deps),
  ]
}

async function post(deps: PageDeps, visit: AccountVisit): Promise<PageAnswer> {
  const { account, session, form } = visit
  const next = localPath(form.text('next')) ?? START
  const means = await listMeans(deps, account)
  const proof = PROOFS.find((each) => each.means === form.text('means') && means.includes(each.means))
  const again = { kind: 'redirect', to: `${CONFIRM}?${new URLSearchParams({ next })}` } as const
  if (session === null || proof === undefined) return again
  const refused = { 'sign-in-failed': proof.means, 'passkey-refused': WHOLE, 'over-limit': WHOLE, busy: WHOLE }
  const page = (problems: FormProblems) => confirmPage(deps, visit, next, proof, problems)
  return orFormAgain({ refused, page, words: proof.words }, async () => {
    await proof.confirm(deps, { ...visit, session })
    return { kind: 'redirect', to: next, done: 'confirmed' }
  })
}

/** @param tried the proof that failed, whose form is shown again with error messages; null if none failed */
async function confirmPage(
  deps: PageDeps,
  { account, site: { href } }: AccountVisit,
  next: string,
  tried: ProofForm | null,
  problems: FormProblems,
): Promise<GateContent> {
  const means = await listMeans(deps, account)
  const offered = PROOFS.filter((each) => means.includes(each.means))
  const first = tried ?? offered[0]
  const shown = await Promise.all(
    offered.map((proof) =>
      proof.form(deps, {
        href,
        next,
        account,
        problems: proof === tried ? problems : NO_PROBLEMS,
        hasFocus: proof === first,
      }),
    ),
  )
  return {
    layout: 'gate',
    title: 'Is it you?',
    intro:
      'The next step could lock you out of your account, so please confirm that it is you. You won’t be asked again for 30 minutes.',
    body: html`${shown.length > 0 ? between(shown) : signInAgain(href)}
<p class="center"><a href="${href(START)}">Not now</a></p>`,
  }
}

function between(forms: readonly Html[]): readonly Html[] {
  return forms.map((form, index) => html`${index > 0 && html`<p class="or">or</p>`}${form}`)
}

/**
 * Tells users who have no way to prove their identity how to continue: they sign out and in again, with an emailed link or a link from the
 * server's operator.
 */
function signInAgain(href: Href): Html {
  return html`<p>You have no password, authenticator app, passkey or single sign-on that works here. Sign out, sign in again, and continue within 30 minutes.</p>
${formButton({ text: 'Sign out', look: 'primary', isWide: true, action: href('/sign-out') })}`
}
