/** The page that explains why single sign-on failed. */
import { Refusal } from '../../../../../domain/errors.ts'
import { explainRetry } from '../../../../errors.ts'
import { html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { linkButton } from '../../../parts/forms/buttons.ts'
import { alertNote } from '../../../parts/notes.ts'
import { signInWords } from '../../../parts/words/sign-in-words.ts'
import { sentence } from '../../../parts/words/text.ts'
import type { GateContent, PageAnswer, PageSite } from '../../../route.ts'

const SHOWN = new Set(['oidc-refused', 'oidc-unavailable', 'over-limit', 'unauthorized'])

/**
 * Runs `work`. If single sign-on fails, returns the page that explains why.
 * @param back local path of the page that the back link opens
 * @throws any error thrown by `work` that the page cannot explain
 */
export async function orFailedPage(
  { signInRules: { oidc } }: PageDeps,
  site: PageSite,
  back: string,
  work: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || !SHOWN.has(error.code)) throw error
    const { status, headers } = explainRetry(error)
    const words = signInWords(error) ?? sentence(error.message)
    const isDown = error.code === 'oidc-unavailable'
    return { kind: 'page', status, headers, page: failedPage(site, { name: oidc?.name ?? '', words, isDown, back }) }
  }
}

interface Failure {
  readonly name: string
  readonly words: string
  /** true if the provider does not respond */
  readonly isDown: boolean
  /** local path of the page that the back link opens */
  readonly back: string
}

function failedPage({ href }: PageSite, { name, words, isDown, back }: Failure): GateContent {
  return {
    layout: 'gate',
    title: 'Single sign-on failed',
    body: html`${alertNote(words)}
${isDown && html`<p>The administrator of this server can give you a link that signs you in without ${name}.</p>`}
<p class="acts">${linkButton({ text: 'Back', look: 'primary', href: href(back) })}</p>`,
  }
}
