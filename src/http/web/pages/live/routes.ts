/** The streams of open pages: `/p/<project>/live?view=checks&since=…` and `/live?view=counts`. A page opens one. */
import { may, type Person, type Right, rightOf } from '../../../../domain/actor.ts'
import { Refusal } from '../../../../domain/errors.ts'
import type { ChannelListDeps } from '../../../../services/channels/channel-list.ts'
import type { ServerDeps } from '../../../../services/common/deps.ts'
import type { OverviewDeps } from '../../../../services/overview/overview.ts'
import { listBriefsOf, type ProjectBrief } from '../../../../services/projects/members.ts'
import { LiveEvents } from '../../live/live-events.ts'
import { isForOthers } from '../../live/rights.ts'
import type { LiveView } from '../../live/view.ts'
import type { AccountVisit, Identity, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { checkView } from '../check/live.ts'
import { checksView } from '../checks/live.ts'
import { deliveriesView, deliveryView } from '../deliveries/live.ts'
import { firstPingView } from '../first-ping/live.ts'
import { integrationsView } from '../integrations/live.ts'
import { logView } from '../log/live.ts'
import { wrongView } from '../overview/live.ts'
import { wallView } from '../wall/live.ts'
import { wallActors } from '../wall/routes.ts'

type LiveDeps = OverviewDeps & ChannelListDeps & Pick<ServerDeps, 'live' | 'eventLoop'>

/** A page that shows nothing live but numbers: of checks that are down and of alerts that wait, in its title, its icon and its menu. */
const COUNTS_VIEW: LiveView = {
  key: 'counts',
  wants: () => false,
  render: async () => [],
  renderAll: null,
}

export function liveRoutes(deps: LiveDeps): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/p/:project/live',
      access: 'project',
      right: 'read',
      cache: 'no-store',
      async answer(visit) {
        const { id } = visit.actor.project
        const view = await projectView(deps, visit)
        const right = rightOf(visit.actor)
        return open(deps, visit, { projectIds: view === COUNTS_VIEW ? [] : [id], view, waitingOf: id, right })
      },
    },
    {
      method: 'GET',
      path: '/live',
      access: 'account',
      cache: 'no-store',
      async answer(visit) {
        if (visit.url.searchParams.get('view') === 'wall') {
          const { actors } = await wallActors(deps, visit.person, visit.url.searchParams)
          const ids = actors.map(({ project }) => project.id)
          const view = wallView(deps, actors, visit.account.tz)
          return open(deps, visit, { projectIds: ids, view, waitingOf: null, right: null })
        }
        const { view, isOfAll } = accountView(deps, visit)
        return open(deps, visit, { projectIds: isOfAll ? null : [], view, waitingOf: null, right: null })
      },
    },
  ]
}

/** @throws Refusal `not-found` */
async function projectView(deps: LiveDeps, visit: ProjectVisit): Promise<LiveView> {
  const { actor, account, url, site } = visit
  const name = url.searchParams.get('view')
  if (name === 'counts') return COUNTS_VIEW
  if (name === 'first-ping') return firstPingView(deps, actor)
  if (name === 'checks') return checksView(deps, { actor, tz: account.tz, canWrite: may(actor, 'write') })
  if (name === 'integrations') return integrationsView(deps, visit)
  if (name === 'deliveries') return deliveriesView(deps, visit)
  if (name === 'delivery') return deliveryView(deps, visit)
  const reader = { actor, tz: account.tz, href: site.href }
  if (name === 'check') return checkView(deps, reader, url.searchParams.get('check') ?? '')
  if (name === 'log') {
    const opened = url.searchParams.get('opened')
    const n = opened !== null && /^\d{1,15}$/.test(opened) ? Number(opened) : null
    const publicId = url.searchParams.get('check') ?? ''
    return logView(deps, reader, { publicId, parameters: url.searchParams, opened: n })
  }
  throw unknownView()
}

/** @throws Refusal `not-found` */
function accountView(
  deps: LiveDeps,
  { account, person, site, url }: AccountVisit,
): { readonly view: LiveView; readonly isOfAll: boolean } {
  const name = url.searchParams.get('view')
  if (name === 'counts') return { view: COUNTS_VIEW, isOfAll: false }
  if (name === 'wrong') return { view: wrongView(deps, { person, account, href: site.href }), isOfAll: true }
  throw unknownView()
}

function unknownView(): Refusal {
  return new Refusal('not-found', 'there is no such view of changes')
}

interface Opened {
  readonly view: LiveView
  /** whose checks the view shows; null: all that the reader may see */
  readonly projectIds: readonly string[] | null
  /** the project whose menu is on the page; null: it is on a page of no project, so the only one of the reader, if there is one */
  readonly waitingOf: string | null
  /** of the reader in the project of the page; null on a page of no project */
  readonly right: Right | null
}

async function open(
  deps: LiveDeps,
  { person, request, url }: AccountVisit,
  { view, projectIds, waitingOf, right }: Opened,
): Promise<PageAnswer> {
  const briefs = await listBriefsOf(deps, person)
  const rights = rightsOf(person, briefs)
  const mayGoOn = async (now: Identity | null) => now !== null && hasRights(deps, now.person, rights)
  const slugs = new Map(briefs.map(({ id, slug }) => [id, slug]))
  const numbersOf = [...slugs.keys()]
  if (request.method === 'HEAD') return { kind: 'stream', events: none(), mayGoOn }
  const subscription = await deps.live.watch({
    accountId: person.accountId,
    projectIds: projectIds ?? numbersOf,
    numbersOf,
    waitingOf: waitingOf === null ? (numbersOf.length === 1 ? numbersOf : []) : [waitingOf],
    since: view.renderAll === null ? (request.headers.get('last-event-id') ?? url.searchParams.get('since')) : null,
    isAging: view.renderAged !== undefined,
    wants: (update) => update.kind !== 'project' || view.wants(update),
  })
  const isOutdated = isForOthers(url.searchParams, right, person.isAdministrator)
  return { kind: 'stream', events: new LiveEvents(subscription, { view, slugs, isForOthers: isOutdated }), mayGoOn }
}

/** The same text for the same roles in the same projects. */
function rightsOf({ isAdministrator }: Person, briefs: readonly ProjectBrief[]): string {
  return [isAdministrator, ...briefs.map(({ id, role }) => `${id} ${role}`)].join()
}

/**
 * A view shows what its reader might see when the stream was opened, so a reader who gets or loses a project, or another role
 * in one, opens it again.
 */
async function hasRights(deps: LiveDeps, person: Person, rights: string): Promise<boolean> {
  return rightsOf(person, await listBriefsOf(deps, person)) === rights
}

async function* none(): AsyncGenerator<never> {}
