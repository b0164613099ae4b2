/** `/admin/settings`: the settings as the server has understood them, without secrets. */
import type { SignInRules } from '../../../../domain/account/sign-in-rules.ts'
import type { Deps, ServerSettings } from '../../../../services/deps.ts'
import type { Href } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { card, keyValues } from '../../parts/lists.ts'
import { note } from '../../parts/notes.ts'
import { shown } from '../../parts/text.ts'
import type { FrameContent, Route } from '../../route.ts'
import { adminRoute } from './admin-route.ts'
import { ADMIN_PATHS, adminTabs } from './tabs.ts'

export type AdminSettingsDeps = Pick<Deps, 'settings' | 'signInRules' | 'remoteUserHeader'>

export function adminSettingsRoutes({ settings, signInRules, remoteUserHeader }: AdminSettingsDeps): readonly Route[] {
  return [
    adminRoute('GET', ADMIN_PATHS.settings, ({ site: { href } }) => {
      return { kind: 'page', page: adminSettingsPage({ href, settings, signInRules, remoteUserHeader }) }
    }),
  ]
}

export interface AdminSettingsData extends AdminSettingsDeps {
  readonly href: Href
}

export function adminSettingsPage(data: AdminSettingsData): FrameContent {
  const { href, settings } = data
  return {
    layout: 'frame',
    help: 'serverSettings',
    title: 'Settings of the server',
    here: 'server',
    intro: html`The environment and files set them at a start; they are not changed here. <a href="${href('/docs/settings')}">What each setting does</a>`,
    body: html`<div class="stack">${adminTabs(href, ADMIN_PATHS.settings)}${settings.notes.map((words) => note('late', words))}${signInCard(data)}${settingsTable(settings)}</div>`,
  }
}

function signInCard({ signInRules, remoteUserHeader }: AdminSettingsData): Html {
  const body = keyValues([
    ['Registration', registrationWords(signInRules)],
    ['Sign-in', signInWords(signInRules, remoteUserHeader)],
    [
      'Passkeys',
      signInRules.passkeys === null ? 'only with https, or on localhost' : `for ${signInRules.passkeys.rpId}`,
    ],
  ])
  return card({ title: 'Who may sign in', body })
}

function registrationWords({ isRegistrationOpen }: SignInRules): string {
  return isRegistrationOpen
    ? 'open: anybody can make an account'
    : 'closed: an account comes from an invitation, an administrator or a command'
}

function signInWords({ hasLocalSignIn, oidc }: SignInRules, remoteUserHeader: string | null): string {
  if (remoteUserHeader !== null) return `a proxy says who it is, in the header ${remoteUserHeader}`
  const ways = [...(hasLocalSignIn ? ['password, link, passkey'] : []), ...(oidc === null ? [] : [oidc.name])]
  return ways.join(', or ')
}

function settingsTable({ shown: settings }: ServerSettings): Html {
  const rows = settings.map(({ name, value, from }) => {
    const words =
      value === null ? html`<span class="muted">none</span>` : html`<code class="kept">${shown(value)}</code>`
    return html`<tr><th scope="row"><code>${name}</code></th><td data-name="Value">${words}</td><td data-name="From">${from}</td></tr>
`
  })
  return html`<div class="card scroll" tabindex="0" role="group" aria-label="Settings"><table class="table stacks"><thead><tr><th scope="col">Setting</th><th scope="col">Value</th><th scope="col">From</th></tr></thead><tbody>
${rows}</tbody></table></div>`
}
