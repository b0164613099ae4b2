/**
 * Live updates for the list of alerts, filtered by the URL's parameters, and for a single alert. Each update contains the entire content.
 */
import { may } from '../../../../domain/actor.ts'
import { Refusal } from '../../../../domain/errors.ts'
import type { ProjectUpdate } from '../../../../services/common/ports/live.ts'
import type { Html } from '../../html.ts'
import { type LiveView, partial, partials, RELOAD } from '../../live/view.ts'
import type { PageDeps } from '../../page.ts'
import type { ProjectVisit, ServerEvent } from '../../route.ts'
import { alertParts } from './alert-page.ts'
import { listParts } from './list-page.ts'
import { readKey, readQuery, searchOf } from './query.ts'
import { alertData, alertsData } from './routes.ts'

/** Minimum time between updates, in milliseconds. A text search reads up to 2,000 alerts. */
const PAUSE_MS = 2_000

export function alertsView(deps: PageDeps, visit: ProjectVisit): LiveView {
  const { actor, account, url } = visit
  const renderAll = () => orReload(async () => listParts(await alertsData(deps, visit)))
  return {
    key: `alerts ${searchOf(readQuery(url.searchParams))} ${account.tz} ${may(actor, 'write')}`,
    // Alerts are sent when a check goes down or recovers. A row also changes when a member takes the incident.
    wants: (update) => update.hasAlertNews || update.removed.length > 0 || hasTurned(update) || hasDown(update),
    render: renderAll,
    renderAll,
    pauseMs: PAUSE_MS,
  }
}

/** @throws Refusal `not-found` */
export async function alertView(deps: PageDeps, visit: ProjectVisit): Promise<LiveView> {
  const { actor, account, url } = visit
  const name = url.searchParams.get('alert') ?? ''
  const key = readKey(name)
  if (key === null) throw new Refusal('not-found', 'not found')
  await alertData(deps, visit, key)
  const renderAll = () => orReload(async () => alertParts(await alertData(deps, visit, key)))
  return {
    key: `alert ${name} ${account.tz} ${may(actor, 'write')}`,
    // Other alerts for the same check change this alert's place in the queue.
    wants: (update) => update.hasAlertNews || update.removed.includes(key.checkPublicId) || hasTurned(update),
    render: renderAll,
    renderAll,
    pauseMs: PAUSE_MS,
  }
}

function hasTurned({ checks }: ProjectUpdate): boolean {
  return checks.some(({ state, was }) => state !== was)
}

function hasDown({ checks }: ProjectUpdate): boolean {
  return checks.some(({ state }) => state === 'down')
}

/** Reloads the page if the check was deleted after the page was opened. */
async function orReload(read: () => Promise<Readonly<Record<string, Html>>>): Promise<readonly ServerEvent[]> {
  try {
    return partials(Object.entries(await read()).map(([id, part]) => partial(`#${id}`, 'outerMorph', part)))
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-found') return [RELOAD]
    throw error
  }
}
