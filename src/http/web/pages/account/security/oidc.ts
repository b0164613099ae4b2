/** `/sign-in/oidc` redirects to the OpenID provider, which redirects back to `/sign-in/oidc/callback`. */

import { CHALLENGE_SECONDS, OIDC_SECONDS } from '../../../../../domain/account/challenge.ts'
import { beginOidc, finishOidc, type OidcEnd, type OidcPurpose } from '../../../../../services/accounts/sign-in/oidc.ts'
import { afterSignIn } from '../../../after-sign-in.ts'
import { cookiePlace, readCookie, setCookie } from '../../../cookie.ts'
import { nextOf, START } from '../../../href.ts'
import type { PageDeps } from '../../../page.ts'
import { OIDC_PATH } from '../../../parts/forms/oidc-button.ts'
import type { PageAnswer, Route, Visit, VisitorVisit } from '../../../route.ts'
import { visitorRoute } from '../../new-route.ts'
import { ACCOUNT_PATHS } from '../tabs.ts'
import { askToLink } from './link-identity.ts'
import { orFailedPage } from './oidc-failure.ts'

const COOKIE = 'overdue_oidc'

/** Returns no routes if no provider is set up, or if a proxy signs users in. */
export function oidcRoutes(deps: PageDeps): readonly Route[] {
  if (deps.signInRules.oidc === null || deps.remoteUserHeader !== null) return []
  return [
    visitorRoute('GET', OIDC_PATH, (visit) => begin(deps, visit)),
    visitorRoute('GET', `${OIDC_PATH}/callback`, (visit) => finish(deps, visit)),
  ]
}

/** Redirect to the OpenID provider. */
interface Departure {
  readonly url: string
  readonly cookie: string
}

/** @throws Refusal `oidc-unavailable`, `over-limit` */
export async function depart(deps: PageDeps, visit: Visit, what: Parameters<typeof beginOidc>[1]): Promise<Departure> {
  const { url, token } = await beginOidc(deps, what, visit.client)
  const place = cookiePlace(deps, visit)
  return { url, cookie: setCookie({ name: COOKIE, value: token, seconds: OIDC_SECONDS, place }) }
}

function begin(deps: PageDeps, visit: VisitorVisit): Promise<PageAnswer> {
  const { identity, url } = visit
  const next = nextOf(url)
  const purpose: OidcPurpose = url.searchParams.has('confirm') ? 'confirm' : 'sign-in'
  return orFailedPage(deps, visit.site, backOf(visit), async () => {
    if (purpose === 'sign-in' && identity) return { kind: 'redirect', to: next ?? START }
    if (purpose === 'confirm' && !identity?.session) return { kind: 'redirect', to: '/sign-in' }
    const { url: to, cookie } = await depart(deps, visit, { purpose, next, account: identity?.account ?? null })
    return { kind: 'leave', to, cookie }
  })
}

function finish(deps: PageDeps, visit: VisitorVisit): Promise<PageAnswer> {
  const { identity, request, url, client } = visit
  return orFailedPage(deps, visit.site, backOf(visit), async () => {
    const here = identity?.session ? { account: identity.account, session: identity.session } : null
    return lead(
      deps,
      visit,
      await finishOidc(deps, readCookie(request.headers, COOKIE), url.searchParams, here, client),
    )
  })
}

async function lead(deps: PageDeps, visit: VisitorVisit, end: OidcEnd): Promise<PageAnswer> {
  switch (end.kind) {
    case 'signed-in':
      return afterSignIn(deps, visit, end.session, { to: end.next ?? START })
    case 'confirmed':
      return { kind: 'redirect', to: end.next ?? START, done: 'confirmed' }
    case 'named':
      return askToLink(deps, visit, end.token, CHALLENGE_SECONDS)
  }
}

function backOf({ identity }: VisitorVisit): string {
  return identity ? ACCOUNT_PATHS.security : '/sign-in'
}
