/** The authenticator app's card, and the pages for setting up and removing the app. */

import { APP_SET_UP_SECONDS } from '../../../../../domain/account/challenge.ts'
import { totpUrl } from '../../../../../domain/account/totp.ts'
import { beginApp, finishApp, type NewApp, removeApp } from '../../../../../services/accounts/sign-in/authenticator.ts'
import { cookiePlace, readCookie, setCookie } from '../../../cookie.ts'
import type { Href } from '../../../href.ts'
import { type Html, html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { formActs, linkButton } from '../../../parts/forms/buttons.ts'
import { textField } from '../../../parts/forms/fields.ts'
import { card, copyable } from '../../../parts/lists.ts'
import type { AccountVisit, FrameContent, PageAnswer, Route } from '../../../route.ts'
import { formPage } from '../../form-page.ts'
import { sensitiveRoute } from '../../new-route.ts'
import { ACCOUNT_PATHS } from '../tabs.ts'
import type { SecurityCard } from './card.ts'
import { SECURITY_CRUMBS } from './page.ts'
import { shownCodesPage } from './recovery-codes.ts'

const PATH = `${ACCOUNT_PATHS.security}/authenticator`
const REMOVE = `${PATH}/remove`
const COOKIE = 'overdue_new_app'

export const authenticatorCard: SecurityCard = ({ signInRules }, { account, site: { href } }) => {
  if (!signInRules.hasLocalSignIn) return null
  const actions =
    account.totp === null
      ? linkButton({ text: 'Set up an app', href: href(PATH) })
      : html`${linkButton({ text: 'Use another app', href: href(PATH) })}${linkButton({ text: 'Remove app', look: 'quiet', href: href(REMOVE) })}`
  const text =
    account.totp === null
      ? 'With an app on your phone, a sign-in by password or by mailed link also asks for a code.'
      : 'A sign-in by password or by mailed link also asks for a code from your app.'
  return card({ title: 'Authenticator app', body: html`<p>${text}</p><div class="acts">${actions}</div>` })
}

export function authenticatorRoutes(deps: PageDeps): readonly Route[] {
  if (!deps.signInRules.hasLocalSignIn) return []
  return [
    sensitiveRoute('GET', PATH, (visit) => setUp(deps, visit, null)),
    sensitiveRoute('POST', PATH, (visit) => finish(deps, visit)),
    sensitiveRoute('GET', REMOVE, ({ site: { href } }) => removePage(href)),
    sensitiveRoute('POST', REMOVE, async ({ person, session }) => {
      await removeApp(deps, person, session?.lookup ?? null)
      return { kind: 'redirect', to: ACCOUNT_PATHS.security, done: 'app-removed' }
    }),
  ]
}

/** @param error message about the code; null if there is no error */
async function setUp(deps: PageDeps, visit: AccountVisit, error: string | null): Promise<PageAnswer> {
  const { request, person, site } = visit
  const app = await beginApp(deps, person, readCookie(request.headers, COOKIE))
  const place = cookiePlace(deps, visit, site.href(PATH))
  return {
    kind: 'page',
    page: await authenticatorPage(visit, app, error),
    ...(error === null ? {} : { status: 422 }),
    cookie: setCookie({ name: COOKIE, value: app.token, seconds: APP_SET_UP_SECONDS, place }),
  }
}

async function finish(deps: PageDeps, visit: AccountVisit): Promise<PageAnswer> {
  const { request, person, session, form, site } = visit
  const token = readCookie(request.headers, COOKIE)
  const result = await finishApp(deps, person, session?.lookup ?? null, token, form.text('code'))
  if (result.kind === 'done') return shownCodesPage(site.href, result.recoveryCodes)
  if (result.kind === 'wrong-code') {
    return setUp(deps, visit, 'Wrong code. Check the clock of your phone, then type the next code.')
  }
  return setUp(deps, visit, 'That took too long. Scan the new QR code, then type the code that the app shows.')
}

async function authenticatorPage(
  { account, site: { href, name } }: AccountVisit,
  { secret }: NewApp,
  error: string | null,
): Promise<FrameContent> {
  const groups = (secret.match(/.{1,4}/g) ?? []).join(' ')
  const code = await qrCode(totpUrl(secret, name, account.email), 'QR code for the authenticator app')
  return {
    layout: 'frame',
    title: 'Authenticator app',
    crumbs: SECURITY_CRUMBS,
    isNarrow: true,
    intro: 'Scan the QR code with an authenticator app, then type the code that it shows.',
    body: html`<div class="stack">${account.totp !== null && html`<p>Your current app stops working.</p>`}
<p>${code}</p>
<details class="more"><summary>Type the key instead</summary>${copyable(groups, 'Key for the app')}</details>
<form class="form" method="post" action="${href(PATH)}">
${textField({ name: 'code', label: 'Code', autocomplete: 'one-time-code', isRequired: true, isCode: true, maxLength: 10, help: 'Six digits. Your other sessions end.', error: error ?? undefined, hasFocus: true })}
${formActs({ text: 'Turn on', look: 'primary' }, href(ACCOUNT_PATHS.security))}
</form></div>`,
  }
}

/**
 * Draws a QR code as a single SVG path.
 * @param name text for screen readers
 */
async function qrCode(text: string, name: string): Promise<Html> {
  // Import the library lazily, because few pages contain a QR code.
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${name}" shape-rendering="crispEdges"><path d="${squares.join('')}"/></svg>`
}

function removePage(href: Href): FrameContent {
  return formPage({
    href,
    title: 'Remove authenticator app',
    crumbs: SECURITY_CRUMBS,
    action: REMOVE,
    fields: html`<p>Afterwards, a password or a mailed link is enough to sign in. Your recovery codes stop working, and your other sessions end.</p>`,
    button: { text: 'Remove app', look: 'danger' },
  })
}
