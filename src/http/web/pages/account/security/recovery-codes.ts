/** The recovery codes card, the page that creates new codes, and the page that shows them once. */

import { countRecoveryCodes, replaceRecoveryCodes } from '../../../../../services/accounts/sign-in/authenticator.ts'
import type { Href } from '../../../href.ts'
import { html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { linkButton } from '../../../parts/forms/buttons.ts'
import { card } from '../../../parts/lists.ts'
import { note } from '../../../parts/notes.ts'
import { counted } from '../../../parts/words/text.ts'
import type { FrameContent, Route } from '../../../route.ts'
import { formPage } from '../../form-page.ts'
import { sensitiveRoute } from '../../new-route.ts'
import { ACCOUNT_PATHS } from '../tabs.ts'
import type { SecurityCard } from './card.ts'
import { SECURITY_CRUMBS } from './page.ts'

const PATH = `${ACCOUNT_PATHS.security}/recovery-codes`
/** If this many recovery codes or fewer remain, the page suggests creating new ones. */
const FEW = 3

export const recoveryCodesCard: SecurityCard = async (deps, { account, person, site: { href } }) => {
  if (!deps.signInRules.hasLocalSignIn || account.totp === null) return null
  const left = await countRecoveryCodes(deps, person)
  const words = `${counted(left, 'code is', 'codes are')} left. Each code can be used once, instead of a code from the app.`
  return card({
    title: 'Recovery codes',
    body: html`${left <= FEW ? note('late', `${words} Make new ones before you run out.`) : html`<p>${words}</p>`}<div class="acts">${linkButton({ text: 'Make new codes', href: href(PATH) })}</div>`,
  })
}

export function recoveryCodesRoutes(deps: PageDeps): readonly Route[] {
  if (!deps.signInRules.hasLocalSignIn) return []
  return [
    sensitiveRoute('GET', PATH, ({ site: { href } }) => newCodesPage(href)),
    sensitiveRoute('POST', PATH, async ({ person, site: { href } }) => {
      const codes = await replaceRecoveryCodes(deps, person)
      if (codes === null) return { kind: 'redirect', to: ACCOUNT_PATHS.security }
      return shownCodesPage(href, codes)
    }),
  ]
}

function newCodesPage(href: Href): FrameContent {
  return formPage({
    href,
    title: 'New recovery codes',
    crumbs: SECURITY_CRUMBS,
    action: PATH,
    fields: html`<p>You get ten new codes. Your old codes stop working.</p>`,
    button: { text: 'Make new codes', look: 'primary' },
  })
}

/** @param codes the plain-text codes, which are not shown on any other page */
export function shownCodesPage(href: Href, codes: readonly string[]): FrameContent {
  return {
    layout: 'frame',
    title: 'Your recovery codes',
    crumbs: SECURITY_CRUMBS,
    isNarrow: true,
    intro: 'You can use each code once, when you do not have your authenticator app.',
    body: html`<div class="stack"><p>Print them or keep them in a password manager. The server stores only hashes, so the codes can't be shown again.</p>
<div class="copy codes"><code data-copy tabindex="0" role="group" aria-label="Recovery codes">${codes.join('\n')}</code></div>
<div class="acts">${linkButton({ text: 'I have saved them', look: 'primary', href: href(ACCOUNT_PATHS.security) })}</div></div>`,
  }
}
