/** The event streams for open pages: `/p/<project>/live?view=checks&since=…` and `/live?view=counts`. Each page opens one stream. */

import { type Person, type Right, rightOf } from '../../../../domain/actor.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { listBriefsOf, type ProjectBrief } from '../../../../services/projects/members.ts'
import { LiveEvents } from '../../live/live-events.ts'
import { isForOthers } from '../../live/rights.ts'
import type { LiveView } from '../../live/view.ts'
import type { Page, PageDeps, WideView } from '../../page.ts'
import type { AccountVisit, Identity, PageAnswer, Route, Visit } from '../../route.ts'
import { accountRoute, projectRoute } from '../new-route.ts'

/**
 * The view for a page without live content of its own. Only the counts of down checks and waiting alerts in its title, icon and menu are
 * live.
 */
const COUNTS_VIEW: LiveView = {
  key: 'counts',
  wants: () => false,
  render: async () => [],
  renderAll: null,
}

/** @param pages pages whose live views are available in the streams */
export function liveRoutes(deps: PageDeps, pages: readonly Page[]): readonly Route[] {
  const ofProject = new Map(pages.flatMap(({ live = {} }) => Object.entries(live)))
  ofProject.set('counts', () => COUNTS_VIEW)
  const ofAll = new Map(pages.flatMap(({ liveOfAll = {} }) => Object.entries(liveOfAll)))
  ofAll.set('counts', () => ({ view: COUNTS_VIEW, projectIds: [] }))
  return [
    projectRoute('GET', 'live', 'read', async (visit) => {
      const { id } = visit.actor.project
      const view = await named(ofProject, visit)(deps, visit)
      const right = rightOf(visit.actor)
      return open(deps, visit, { projectIds: view === COUNTS_VIEW ? [] : [id], view, menuOf: id, right })
    }),
    accountRoute('GET', '/live', async (visit) => {
      const wide: WideView = await named(ofAll, visit)(deps, visit)
      return open(deps, visit, { ...wide, menuOf: null, right: null })
    }),
  ]
}

/** @throws Refusal `not-found` */
function named<View>(views: ReadonlyMap<string, View>, { url }: Visit): View {
  const view = views.get(url.searchParams.get('view') ?? '')
  if (view === undefined) throw new Refusal('not-found', 'there is no such view of changes')
  return view
}

interface Opened extends WideView {
  /**
   * the project whose menu the page shows, or null for a page outside projects. Such a page shows a project's menu only if the reader has
   * no other project
   */
  readonly menuOf: string | null
  /** the reader's access right in the page's project; null for a page outside projects */
  readonly right: Right | null
}

async function open(
  deps: PageDeps,
  { person, request, url }: AccountVisit,
  { view, projectIds, menuOf, right }: Opened,
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
    menusOf: menuOf === null ? (numbersOf.length === 1 ? numbersOf : []) : [menuOf],
    since: view.renderAll === null ? (request.headers.get('last-event-id') ?? url.searchParams.get('since')) : null,
    isAging: view.renderAged !== undefined,
    wants: (update) => update.kind !== 'project' || view.wants(update),
  })
  const isOutdated = isForOthers(url.searchParams, right, person.isAdministrator)
  return { kind: 'stream', events: new LiveEvents(subscription, { view, slugs, isForOthers: isOutdated }), mayGoOn }
}

/** Returns a string that changes only if the reader's projects or roles change. */
function rightsOf({ isAdministrator }: Person, briefs: readonly ProjectBrief[]): string {
  return [isAdministrator, ...briefs.map(({ id, role }) => `${id} ${role}`)].join()
}

/**
 * Returns whether the reader's rights are the same as when the stream was opened. If they have changed, for example because the reader
 * joined a project, the browser has to reopen the stream.
 */
async function hasRights(deps: PageDeps, person: Person, rights: string): Promise<boolean> {
  return rightsOf(person, await listBriefsOf(deps, person)) === rights
}

async function* none(): AsyncGenerator<never> {}
