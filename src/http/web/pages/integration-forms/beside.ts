/** The cards next to an integration's form. They contain a test form, the integration's status, and the checks that use it. */
import type { Channel } from '../../../../domain/channel/channel.ts'
import { readListedChannel } from '../../../../services/channels/channel-list.ts'
import { countChecks } from '../../../../services/checks/checks.ts'
import { integrationPath, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { card, keyValues } from '../../parts/lists.ts'
import { counted } from '../../parts/words/text.ts'
import { relativeTime } from '../../parts/words/times.ts'
import type { ProjectVisit } from '../../route.ts'
import { integrationsContext } from '../integrations/context.ts'
import { quietSentence } from '../integrations/quiet.ts'
import { stateWhy, stateWord } from '../integrations/state.ts'
import { deliveryStrip } from '../integrations/strip.ts'
import { type ShownTest, testCard } from './test-card.ts'

/** @param test result of a test; null if no test was sent */
export async function besideForm(
  deps: PageDeps,
  visit: ProjectVisit,
  channel: Channel,
  test: ShownTest | null,
): Promise<Html> {
  const { actor, site } = visit
  const { slug } = actor.project
  const to = (page: string) => site.href(integrationPath(slug, channel.id, page))
  const context = integrationsContext(deps, visit)
  const [listed, checks] = await Promise.all([readListedChannel(deps, actor, channel), countChecks(deps, actor)])
  const { activity, groups, state } = listed
  const why = stateWhy(listed, context)
  const quiet = quietSentence(listed, context)
  const used = html`<a href="${to('checks')}">${activity.checks.toLocaleString('en')} of ${counted(checks, 'check', 'checks')}</a>${groups.length > 0 && html` and ${counted(groups.length, 'group', 'groups')}`}`
  const last = activity.lastAt === null ? 'none yet' : relativeTime(activity.lastAt, context.now, context.tz)
  const alerts = `${site.href(projectPath(slug, 'alerts'))}?${new URLSearchParams({ channel: channel.id })}`
  const rows = keyValues([
    ['State', html`${stateWord(state)}${why && html`<p class="help">${why}</p>`}`],
    ...(quiet === null ? [] : ([['Quiet hours', quiet]] as const)),
    ['Used by', used],
    ['Last alert', last],
    ...(activity.newest.length > 0 ? ([['Newest alerts', deliveryStrip(listed)]] as const) : []),
  ])
  return html`${testCard(to('test'), test)}${card({ title: 'Alerts', aside: linkButton({ text: 'All alerts', look: 'quiet', isSmall: true, href: alerts }), body: rows })}`
}
