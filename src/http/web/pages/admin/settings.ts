/** `/admin/settings`: the settings that the server is using, without secrets. */
import type { SignInRules } from '../../../../domain/account/sign-in-rules.ts'
import type { ServerSettings, SettingInUse } from '../../../../services/common/deps.ts'
import type { Href } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { card, keyValues } from '../../parts/lists.ts'
import { note } from '../../parts/notes.ts'
import { shown } from '../../parts/words/text.ts'
import type { FrameContent, Route } from '../../route.ts'
import { adminRoute } from '../new-route.ts'
import { ADMIN_TABS, adminTabs } from './tabs.ts'

export function adminSettingsRoutes(deps: PageDeps): readonly Route[] {
  return [adminRoute('GET', ADMIN_TABS.settings.path, ({ site }) => adminSettingsPage(deps, site.href))]
}

function adminSettingsPage(deps: PageDeps, href: Href): FrameContent {
  const { settings } = deps
  return {
    layout: 'frame',
    help: 'settings',
    title: ADMIN_TABS.settings.title,
    intro: html`The server reads its settings from the environment and from files when it starts. They cannot be changed here. <a href="${href('/docs/settings')}">What each setting does</a>`,
    body: html`<div class="stack">${adminTabs(href, 'settings')}${settings.notes.map((words) => note('late', words))}${signInCard(deps)}${settingsCards(settings)}</div>`,
  }
}

function signInCard({ signInRules, remoteUserHeader }: PageDeps): Html {
  const body = keyValues([
    ['Registration', registrationWords(signInRules)],
    ['Sign-in', signInWords(signInRules, remoteUserHeader)],
    [
      'Passkeys',
      signInRules.passkeys === null ? 'only with HTTPS, or on localhost' : `for ${signInRules.passkeys.rpId}`,
    ],
  ])
  return card({ title: 'Who may sign in', body })
}

function registrationWords({ isRegistrationOpen }: SignInRules): string {
  return isRegistrationOpen
    ? 'open: anyone can create an account'
    : 'closed: accounts are created through an invitation, by an administrator, or with a command'
}

function signInWords({ hasLocalSignIn, oidc }: SignInRules, remoteUserHeader: string | null): string {
  if (remoteUserHeader !== null) return `a proxy sends the user’s name in the header ${remoteUserHeader}`
  const ways = [...(hasLocalSignIn ? ['password, link, passkey'] : []), ...(oidc === null ? [] : [oidc.name])]
  return ways.join(', or ')
}

function settingsCards({ groups, shown }: ServerSettings): readonly Html[] {
  const byGroup = Map.groupBy(shown, ({ group }) => group)
  return groups.flatMap((group) => {
    const settings = byGroup.get(group)
    return settings ? [settingsCard(group, settings)] : []
  })
}

function settingsCard(group: string, settings: readonly SettingInUse[]): Html {
  const rows = settings.map((setting) => {
    const { name, from } = setting
    return html`<tr><th scope="row"><code>${name}</code></th><td data-name="Value">${valueWords(setting)}</td><td data-name="From"${from === 'default' && html` class="muted"`}>${from}</td></tr>
`
  })
  return card({
    title: group,
    body: html`<div class="scroll" tabindex="0" role="group" aria-label="${group}"><table class="table stacks settings"><thead><tr><th scope="col">Setting</th><th scope="col">Value</th><th scope="col">From</th></tr></thead><tbody>
${rows}</tbody></table></div>`,
  })
}

function valueWords({ value, isSecret, from }: SettingInUse): Html {
  if (value === null) return html`<span class="muted">${isSecret ? 'not set' : 'none'}</span>`
  return html`<code class="kept${from === 'default' && ' muted'}">${shown(value)}</code>`
}
