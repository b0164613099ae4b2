/** `/`: what is wrong, for who is signed in; others are led to the sign-in, or told how to get the first account. */
import { Refusal } from '../../../domain/errors.ts'
import { needsFirstAccount } from '../../../services/accounts/first-account.ts'
import { enterProject } from '../../../services/accounts/members.ts'
import { type BulkDeps, changeChecks } from '../../../services/bulk.ts'
import { type OverviewDeps, readOverview } from '../../../services/overview.ts'
import { START } from '../href.ts'
import { html } from '../html.ts'
import { linkButton } from '../parts/buttons.ts'
import type { PageContent, PageSite, Route } from '../route.ts'
import { wrongPage } from './wrong/page.ts'

export type HomeDeps = OverviewDeps & BulkDeps

export function homeRoutes(deps: HomeDeps): readonly Route[] {
  return [
    {
      method: 'GET',
      path: START,
      access: 'visitor',
      cache: 'no-store',
      isPacked: true,
      async answer({ identity, site }) {
        if (identity) {
          const { person, account } = identity
          const context = { href: site.href, now: deps.now(), tz: account.tz }
          return { kind: 'page', page: wrongPage(await readOverview(deps, person), person, context) }
        }
        if (!(await needsFirstAccount(deps))) return { kind: 'redirect', to: '/sign-in' }
        return { kind: 'page', page: noAccountPage(site) }
      },
    },
    {
      method: 'POST',
      path: START,
      access: 'account',
      cache: 'no-store',
      /** Pauses a check. */
      async answer({ person, form }) {
        const actor = await enterProject(deps, person, form.text('project'))
        if (actor === null) throw new Refusal('not-found', 'not found')
        const { project } = actor
        const { changed, undo } = await changeChecks(deps, actor, [form.text('check')], { kind: 'pause' })
        if (changed === 0) return { kind: 'redirect', to: START, done: 'nothing-changed' }
        return { kind: 'redirect', to: START, done: { code: 'checks-paused', count: 1, undo, undoIn: project.slug } }
      },
    },
  ]
}

function noAccountPage({ name, href }: PageSite): PageContent {
  return {
    layout: 'gate',
    title: name,
    heading: 'Overdue is running',
    body: html`<p>Nobody has an account yet. The server has printed a link for the first one when it started.</p>
<p>Whoever runs the server gets a new link by <code>overdue account link</code>.</p>
<p class="acts">${linkButton({ text: 'API reference', href: href('/docs/api') })}</p>`,
  }
}
