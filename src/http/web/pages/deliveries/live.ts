/** Deliveries: the list as its address asks for it, and one of them with its tries. Both are sent whole. */
import { may } from '../../../../domain/actor.ts'
import { Refusal } from '../../../../domain/errors.ts'
import type { ProjectUpdate } from '../../../../services/common/ports/live.ts'
import type { Html } from '../../html.ts'
import { type LiveView, partial, partials, RELOAD } from '../../live/view.ts'
import type { PageDeps } from '../../page.ts'
import type { ProjectVisit, ServerEvent } from '../../route.ts'
import { deliveryParts } from './delivery-page.ts'
import { listParts } from './list-page.ts'
import { readKey, readQuery, searchOf } from './query.ts'
import { deliveriesData, deliveryData } from './routes.ts'

/** A list in which a text is looked for reads up to 2,000 deliveries. */
const PAUSE_MS = 2_000

export function deliveriesView(deps: PageDeps, visit: ProjectVisit): LiveView {
  const { actor, account, url } = visit
  const renderAll = () => orReload(async () => listParts(await deliveriesData(deps, visit)))
  return {
    key: `deliveries ${searchOf(readQuery(url.searchParams))} ${account.tz} ${may(actor, 'write')}`,
    // A check that goes down or up owes alerts.
    wants: (update) => update.hasAlertNews || update.removed.length > 0 || hasTurned(update),
    render: renderAll,
    renderAll,
    pauseMs: PAUSE_MS,
  }
}

/** @throws Refusal `not-found` */
export async function deliveryView(deps: PageDeps, visit: ProjectVisit): Promise<LiveView> {
  const { actor, account, url } = visit
  const name = url.searchParams.get('delivery') ?? ''
  const key = readKey(name)
  if (key === null) throw new Refusal('not-found', 'not found')
  await deliveryData(deps, visit, key)
  const renderAll = () => orReload(async () => deliveryParts(await deliveryData(deps, visit, key)))
  return {
    key: `delivery ${name} ${account.tz} ${may(actor, 'write')}`,
    // An earlier alert that ends, or a later one, changes its place in the order.
    wants: (update) => update.hasAlertNews || update.removed.includes(key.checkPublicId) || hasTurned(update),
    render: renderAll,
    renderAll,
    pauseMs: PAUSE_MS,
  }
}

function hasTurned({ checks }: ProjectUpdate): boolean {
  return checks.some(({ state, was }) => state !== was)
}

/** The check may have been deleted since the page was opened. */
async function orReload(read: () => Promise<Readonly<Record<string, Html>>>): Promise<readonly ServerEvent[]> {
  try {
    return partials(Object.entries(await read()).map(([id, part]) => partial(`#${id}`, 'outerMorph', part)))
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-found') return [RELOAD]
    throw error
  }
}
