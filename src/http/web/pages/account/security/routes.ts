/** `/account/security`: shows a card for each sign-in method. The modules for the linked pages are also in this directory. */

import type { Href } from '../../../href.ts'
import { type Html, html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import type { FrameContent, Route } from '../../../route.ts'
import { accountRoute } from '../../new-route.ts'
import { ACCOUNT_PATHS, accountTabs } from '../tabs.ts'
import { authenticatorCard, authenticatorRoutes } from './authenticator.ts'
import type { SecurityCard } from './card.ts'
import { identitiesCard } from './identities.ts'
import { passkeysCard, passkeysRoutes } from './passkeys.ts'
import { passwordCard, passwordChangeRoutes } from './password.ts'
import { recoveryCodesCard, recoveryCodesRoutes } from './recovery-codes.ts'

/** The cards, in display order. */
const CARDS: readonly SecurityCard[] = [
  passwordCard,
  passkeysCard,
  authenticatorCard,
  recoveryCodesCard,
  identitiesCard,
]

export function securityRoutes(deps: PageDeps): readonly Route[] {
  return [
    accountRoute('GET', ACCOUNT_PATHS.security, async (visit) => {
      const cards = await Promise.all(CARDS.map((card) => card(deps, visit)))
      return securityPage(visit.site.href, cards)
    }),
    ...passwordChangeRoutes(deps),
    ...passkeysRoutes(deps),
    ...authenticatorRoutes(deps),
    ...recoveryCodesRoutes(deps),
  ]
}

function securityPage(href: Href, cards: readonly (Html | null)[]): FrameContent {
  return {
    layout: 'frame',
    title: 'Security',
    crumbs: [{ path: ACCOUNT_PATHS.account, text: 'Account' }],
    isNarrow: true,
    body: html`<div class="stack">${accountTabs(href, ACCOUNT_PATHS.security)}${cards}</div>`,
  }
}
