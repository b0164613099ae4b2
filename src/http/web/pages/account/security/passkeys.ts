/** Passkeys: the card that lists them, and `/account/security/passkeys/new`, which adds one. */

import { PASSKEY_LIMIT, PASSKEY_NAME_LIMIT, type Passkey } from '../../../../../domain/account/passkey.ts'
import type { PasskeyRules } from '../../../../../domain/account/sign-in-rules.ts'
import { requestNewPasskey } from '../../../../../services/accounts/sign-in/passkey-requests.ts'
import { addPasskey, listPasskeys, passkeyRules } from '../../../../../services/accounts/sign-in/passkeys.ts'
import type { Href } from '../../../href.ts'
import { type Html, html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { linkButton } from '../../../parts/forms/buttons.ts'
import { textField } from '../../../parts/forms/fields.ts'
import { optionsPath, PASSKEY_FIELD, passkeyForm } from '../../../parts/forms/passkey-form.ts'
import { card } from '../../../parts/lists.ts'
import { bdi } from '../../../parts/words/text.ts'
import { relativeTime } from '../../../parts/words/times.ts'
import { optionsAnswer, readPasskeyAnswer } from '../../../passkey-request.ts'
import type { AccountVisit, FrameContent, PageAnswer, Route } from '../../../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain } from '../../forms.ts'
import { accountRoute, sensitiveRoute } from '../../new-route.ts'
import { browserWords } from '../browser-words.ts'
import { ACCOUNT_PATHS } from '../tabs.ts'
import type { SecurityCard } from './card.ts'
import { SECURITY_CRUMBS } from './page.ts'
import { PASSKEYS, passkeyPath, passkeyRoutes } from './passkey.ts'

const NEW = `${PASSKEYS}/new`

export const passkeysCard: SecurityCard = async (deps, { person, account, site: { href } }) => {
  if (!deps.signInRules.hasLocalSignIn) return null
  const passkeys = await listPasskeys(deps, person)
  const isFull = passkeys.length >= PASSKEY_LIMIT
  const rows = passkeys.map((passkey) => passkeyRow(href, passkey, (at) => relativeTime(at, deps.now(), account.tz)))
  return card({
    title: 'Passkeys',
    body: html`<div class="stack"><p>A passkey is stored on your device, in your browser or on a security key. It signs you in without a password, and it does not work on a fake copy of this page.</p>
${rows.length > 0 && passkeyTable(rows)}
${passkeyRules(deps) === null ? nowhere(deps) : addWords(href, isFull)}</div>`,
  })
}

function addWords(href: Href, isFull: boolean): Html {
  if (isFull) return html`<p class="muted">You have ${PASSKEY_LIMIT} passkeys, the most that an account can have.</p>`
  return html`<div class="acts">${linkButton({ text: 'Add a passkey', icon: 'plus', href: href(NEW) })}</div>`
}

function nowhere({ site }: PageDeps): Html {
  const { origin } = new URL(site.links.siteRoot)
  return html`<p>Browsers allow passkeys only on localhost, or over HTTPS with a host name. The address of this server is <code>${origin}</code>; its administrator can change that with <code>SITE_ROOT=https://overdue.example.org</code>.</p>`
}

function passkeyTable(rows: readonly Html[]): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Passkeys"><table class="table stacks"><thead><tr><th scope="col">Name</th><th scope="col">Added</th><th scope="col">Last used</th><th scope="col"><span class="sr">Action</span></th></tr></thead><tbody>
${rows}</tbody></table></div>`
}

function passkeyRow(
  href: Href,
  { id, name, createdAt, lastUsedAt }: Passkey,
  time: (at: Passkey['createdAt']) => Html,
): Html {
  const used = lastUsedAt === null ? html`<span class="muted">never</span>` : time(lastUsedAt)
  const change = linkButton({
    text: 'Change…',
    isSmall: true,
    label: `Change… the passkey ${name}`,
    href: href(passkeyPath(id)),
  })
  return html`<tr><th scope="row">${bdi(name)}</th><td data-name="Added">${time(createdAt)}</td><td data-name="Last used">${used}</td><td class="act">${change}</td></tr>
`
}

/**
 * Returns the passkey routes. If browsers can't create passkeys for this server's address, only the routes for existing passkeys are
 * included.
 */
export function passkeysRoutes(deps: PageDeps): readonly Route[] {
  if (!deps.signInRules.hasLocalSignIn) return []
  const rules = passkeyRules(deps)
  return [...(rules === null ? [] : newPasskeyRoutes(deps, rules)), ...passkeyRoutes(deps)]
}

function newPasskeyRoutes(deps: PageDeps, rules: PasskeyRules): readonly Route[] {
  return [
    sensitiveRoute('GET', NEW, ({ client, site: { href } }) => {
      return newPasskeyPage(href, rules, browserWords(client.userAgent), NO_PROBLEMS)
    }),
    sensitiveRoute('POST', NEW, (visit) => add(deps, rules, visit)),
    // Don't mark this route as sensitive: it only returns the data to be signed, and the script can't follow a redirect to the confirmation
    // page.
    accountRoute('POST', optionsPath(NEW), async (visit) => {
      const { account, session } = visit
      const request = await requestNewPasskey(deps, rules, account, session?.lookup ?? null)
      return optionsAnswer(deps, visit, NEW, request)
    }),
  ]
}

const REFUSED = {
  'passkey-refused': PASSKEY_FIELD,
  'passkey-exists': PASSKEY_FIELD,
  'passkey-limit': PASSKEY_FIELD,
  'name-invalid': 'name',
}

function add(deps: PageDeps, rules: PasskeyRules, visit: AccountVisit): Promise<PageAnswer> {
  const { form, person, session, site } = visit
  const name = form.text('name')
  const page = (problems: FormProblems) => newPasskeyPage(site.href, rules, name, problems)
  return orFormAgain({ refused: REFUSED, page }, async () => {
    await addPasskey(deps, rules, person, session?.lookup ?? null, readPasskeyAnswer(visit), name)
    return { kind: 'redirect', to: ACCOUNT_PATHS.security, done: 'passkey-added' }
  })
}

function newPasskeyPage(href: Href, rules: PasskeyRules, name: string, { fields }: FormProblems): FrameContent {
  const field = textField({
    name: 'name',
    label: 'Name',
    value: name,
    isRequired: true,
    maxLength: PASSKEY_NAME_LIMIT,
    help: 'For example, the device that stores it. The name helps you find the passkey when you want to remove it.',
    error: fields.name,
    hasFocus: true,
  })
  const cancel = linkButton({ text: 'Cancel', look: 'quiet', href: href(ACCOUNT_PATHS.security) })
  return {
    layout: 'frame',
    title: 'Add a passkey',
    crumbs: SECURITY_CRUMBS,
    isNarrow: true,
    intro: 'Your browser asks where to store the passkey. Your other sessions end when it is added.',
    body: passkeyForm({
      href,
      path: NEW,
      rules,
      fields: field,
      button: 'Add passkey',
      look: 'primary',
      beside: cancel,
      problem: fields[PASSKEY_FIELD],
    }),
  }
}
