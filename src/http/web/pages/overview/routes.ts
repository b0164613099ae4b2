/**
 * The overview at `/`. Visitors who are not signed in are redirected to the sign-in page. If there are no accounts yet, visitors see
 * instructions for creating the first one.
 */

import type { SignInRules } from '../../../../domain/account/sign-in-rules.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { listOffersTo } from '../../../../services/accounts/ownership.ts'
import { needsFirstAccount } from '../../../../services/accounts/sign-in/first-account.ts'
import { changeChecks } from '../../../../services/checks/bulk.ts'
import { readOverview } from '../../../../services/overview/overview.ts'
import { enterProject } from '../../../../services/projects/members.ts'
import { contextOf } from '../../context.ts'
import { START } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { oidcButton } from '../../parts/forms/oidc-button.ts'
import { offerNotes } from '../../parts/offers.ts'
import type { PageContent, PageSite, Route } from '../../route.ts'
import { accountRoute, visitorRoute } from '../new-route.ts'
import { wrongPage } from './page.ts'

export function homeRoutes(deps: PageDeps): readonly Route[] {
  return [
    visitorRoute(
      'GET',
      START,
      async ({ identity, site }) => {
        if (identity) {
          const { person, account } = identity
          const context = contextOf(deps, { account, site })
          const page = wrongPage(await readOverview(deps, person, account.tz, false), person, context)
          const offers = offerNotes(site.href, await listOffersTo(deps, person))
          return { ...page, body: html`${offers}${page.body}` }
        }
        if (!(await needsFirstAccount(deps))) return { kind: 'redirect', to: '/sign-in' }
        return noAccountPage(site, deps.signInRules)
      },
      { isPacked: true },
    ),
    // This form pauses a check.
    accountRoute('POST', START, async ({ person, form }) => {
      const actor = await enterProject(deps, person, form.text('project'))
      if (actor === null) throw new Refusal('not-found', 'not found')
      const { project } = actor
      const { changed, undo } = await changeChecks(deps, actor, [form.text('check')], { kind: 'pause' })
      if (changed === 0) return { kind: 'redirect', to: START, done: 'nothing-changed' }
      return { kind: 'redirect', to: START, done: { code: 'checks-paused', count: 1, undo, undoIn: project.slug } }
    }),
  ]
}

function noAccountPage({ name, href }: PageSite, { oidc }: SignInRules): PageContent {
  // Members of the OpenID provider's administrator group may create the first account.
  const way =
    oidc?.adminGroup &&
    html`<p>Or sign in as a member of the group that administers this server:</p>${oidcButton(href, oidc, null)}`
  return {
    layout: 'gate',
    title: name,
    heading: 'Overdue is running',
    body: html`<p>There are no accounts yet. When the server started, it printed a link for creating the first account.</p>
<p>To get a new link, run <code>overdue account link</code> on the server.</p>
${way}
<p class="acts">${linkButton({ text: 'API reference', href: href('/docs/api') })}</p>`,
  }
}
