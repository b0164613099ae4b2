/**
 * `/account/security/single-sign-on/link`: shows the identity that the OpenID provider reported, and links it to the account if the user
 * confirms.
 */
import type { OidcProvider } from '../../../../../domain/account/sign-in-rules.ts'
import {
  confirmLink,
  dropLink,
  findAwaitedLink,
  type NamedPerson,
} from '../../../../../services/accounts/sign-in/oidc-link.ts'
import { cookiePlace, readCookie, setCookie } from '../../../cookie.ts'
import { html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { submit } from '../../../parts/forms/buttons.ts'
import { keyValues } from '../../../parts/lists.ts'
import { bdi } from '../../../parts/words/text.ts'
import type { AccountVisit, GateContent, PageAnswer, Route, Visit } from '../../../route.ts'
import { sensitiveRoute } from '../../new-route.ts'
import { ACCOUNT_PATHS } from '../tabs.ts'
import { orFailedPage } from './oidc-failure.ts'

/** Path of the page that lists the identities linked to the account. */
export const IDENTITIES = `${ACCOUNT_PATHS.security}/single-sign-on`
const PATH = `${IDENTITIES}/link`
const COOKIE = 'overdue_link'

/**
 * Redirects to the page that asks whether to link the identity.
 * @param token the token from `awaitLink`
 * @param seconds lifetime of the token, in seconds
 */
export function askToLink(deps: PageDeps, visit: Visit, token: string, seconds: number): PageAnswer {
  const place = cookiePlace(deps, visit)
  return { kind: 'redirect', to: PATH, cookie: setCookie({ name: COOKIE, value: token, seconds, place }) }
}

/** Returns no routes if no provider is set up, or if a proxy signs users in. */
export function linkIdentityRoutes(deps: PageDeps): readonly Route[] {
  const { oidc } = deps.signInRules
  if (oidc === null || deps.remoteUserHeader !== null) return []
  return [
    sensitiveRoute('GET', PATH, async (visit) => {
      const named = await findAwaitedLink(deps, tokenOf(visit), visit.account)
      if (named === null) return { kind: 'redirect', to: IDENTITIES }
      return linkPage(visit, oidc, named)
    }),
    sensitiveRoute('POST', PATH, (visit) => orFailedPage(deps, visit.site, IDENTITIES, () => post(deps, visit))),
  ]
}

async function post(deps: PageDeps, visit: AccountVisit): Promise<PageAnswer> {
  const { form, account, session, client } = visit
  if (form.text('action') === 'link' && session !== null) {
    await confirmLink(deps, tokenOf(visit), { account, session }, client)
    return { kind: 'redirect', to: ACCOUNT_PATHS.security, done: 'identity-linked' }
  }
  await dropLink(deps, tokenOf(visit), account)
  return { kind: 'redirect', to: IDENTITIES }
}

function tokenOf({ request }: Visit): string | null {
  return readCookie(request.headers, COOKIE)
}

function linkPage(
  { account, site: { href } }: Pick<AccountVisit, 'account' | 'site'>,
  { name: provider }: Pick<OidcProvider, 'name'>,
  { name, email, subject }: NamedPerson,
): GateContent {
  const facts = [
    ...(name === null ? [] : [['Name there', bdi(name)] as const]),
    ['Email there', email === null ? 'not known' : bdi(email)] as const,
    ['Person there', bdi(subject)] as const,
    ['Account here', bdi(account.email)] as const,
  ]
  return {
    layout: 'gate',
    title: `Link ${provider}`,
    heading: 'Is this you?',
    intro: html`This person is signed in at ${provider}. Once linked, they can sign in to your account.`,
    body: html`${keyValues(facts)}
<form class="form" method="post" action="${href(PATH)}"><p>Your other sessions end.</p>
${submit({ text: 'Link account', look: 'primary', isWide: true, field: { name: 'action', value: 'link' } })}
${submit({ text: 'Do not link', isWide: true, field: { name: 'action', value: 'drop' } })}
</form>`,
  }
}
