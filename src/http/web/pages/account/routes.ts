/** `/account`: a user's display settings. */

import { type Account, THEMES, type Theme } from '../../../../domain/account/account.ts'
import { setPreferences } from '../../../../services/accounts/accounts.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { zoneField } from '../../parts/forms/account-fields.ts'
import { formButton, linkButton, submit } from '../../parts/forms/buttons.ts'
import { firstBad, selectField, switchField } from '../../parts/forms/fields.ts'
import { card, keyValues } from '../../parts/lists.ts'
import { bdi } from '../../parts/words/text.ts'
import type { AccountVisit, FrameContent, PageAnswer, Route } from '../../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain } from '../forms.ts'
import { accountRoute } from '../new-route.ts'
import { closeAccountRoutes } from './close.ts'
import { emailRoutes } from './email.ts'
import { accountReportsRoutes } from './reports.ts'
import { securityRoutes } from './security/routes.ts'
import { sessionsRoutes } from './sessions.ts'
import { ACCOUNT_PATHS, accountTabs } from './tabs.ts'

const PATH = ACCOUNT_PATHS.account

/** Returns the account routes. If a proxy signs users in, the routes for passwords and sessions are omitted. */
export function accountRoutes(deps: PageDeps): readonly Route[] {
  const hasSignIn = deps.remoteUserHeader === null
  return [
    accountRoute('GET', PATH, (visit) => accountPage(visit, hasSignIn, visit.account, NO_PROBLEMS)),
    accountRoute('POST', PATH, (visit) => savePreferences(deps, hasSignIn, visit)),
    ...accountReportsRoutes(deps, hasSignIn),
    ...(hasSignIn
      ? [...securityRoutes(deps), ...sessionsRoutes(deps), ...emailRoutes(deps), ...closeAccountRoutes(deps)]
      : []),
  ]
}

async function savePreferences(deps: PageDeps, hasSignIn: boolean, visit: AccountVisit): Promise<PageAnswer> {
  const { form, person } = visit
  const values = {
    tz: form.text('tz').trim(),
    theme: THEMES.find((theme) => theme === form.text('theme')) ?? 'system',
    hasShortcuts: form.has('shortcuts'),
  }
  const page = (problems: FormProblems) => accountPage(visit, hasSignIn, values, problems)
  return orFormAgain({ refused: { 'tz-invalid': 'tz' }, page }, async () => {
    await setPreferences(deps, person, values)
    return { kind: 'redirect', to: PATH, done: 'saved' }
  })
}

const THEME_WORDS: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' }

const UNCONFIRMED = html` <small class="muted">not confirmed: open a link that was mailed to it</small>`

function accountPage(
  { account, site: { href } }: AccountVisit,
  hasSignIn: boolean,
  values: Pick<Account, 'tz' | 'theme' | 'hasShortcuts'>,
  { fields }: FormProblems,
): FrameContent {
  const rows = [
    ['Email', html`${bdi(account.email)}${!account.isEmailConfirmed && UNCONFIRMED}`],
    ...(account.isAdministrator ? ([['Role', 'Administrator: sees every project']] as const) : []),
  ] as const
  return {
    layout: 'frame',
    title: 'Account',
    isNarrow: true,
    ...(hasSignIn ? { actions: formButton({ text: 'Sign out', action: href('/sign-out') }) } : {}),
    body: html`<div class="stack">${accountTabs(href, PATH, hasSignIn)}${card({ title: 'You', body: html`${keyValues(rows)}${hasSignIn && html`<div class="acts">${linkButton({ text: 'Change email', href: href(ACCOUNT_PATHS.email) })}</div>`}` })}
${card({
  title: 'Pages',
  body: html`<form class="form" method="post" action="${href(PATH)}">
${zoneField({ value: values.tz, error: fields.tz, hasFocus: firstBad(['tz'], fields) === 'tz' })}
${selectField({ name: 'theme', label: 'Theme', value: values.theme, options: THEMES.map((theme) => [theme, THEME_WORDS[theme]]) })}
${switchField({ name: 'shortcuts', label: 'Keyboard shortcuts', isOn: values.hasShortcuts, help: html`Single keys such as <kbd>g</kbd> <kbd>p</kbd>; <kbd>?</kbd> lists them.` })}
<div class="acts">${submit({ text: 'Save settings', look: 'primary' })}</div>
</form>`,
})}
${hasSignIn && html`<p><a href="${href(ACCOUNT_PATHS.close)}">Close account</a></p>`}</div>`,
  }
}
