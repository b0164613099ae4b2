/**
 * `/p/<project>/alerts`: lists all alerts and whether they were delivered. Paths below it show a single alert with its attempts, or an
 * incident.
 */
import { may, type PersonActor } from '../../../../domain/actor.ts'
import type { DeliveryAction, DeliveryKey } from '../../../../domain/alert/delivery.ts'
import { beginOf } from '../../../../domain/alert/delivery-list.ts'
import type { Channel } from '../../../../domain/channel/channel.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { groupByEvent } from '../../../../services/alerts/alerted-events.ts'
import {
  changeDelivery,
  type OpenedDelivery,
  openDelivery,
  sendAllNow,
} from '../../../../services/alerts/deliveries.ts'
import { type DeliveryList, type DeliveryQuery, readDeliveryList } from '../../../../services/alerts/delivery-list.ts'
import { listUntold, type UntoldIncident } from '../../../../services/incidents/untold.ts'
import { contextOf } from '../../context.ts'
import { localPath } from '../../href.ts'
import type { PageDeps } from '../../page.ts'
import { channelKind } from '../../parts/channels.ts'
import type { ToastCode } from '../../parts/toast.ts'
import type { PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { projectRoute } from '../new-route.ts'
import { type AlertData, alertPage } from './alert-page.ts'
import { actOnIncident, incidentRoutes, showIncident } from './incident/routes.ts'
import { type AlertsData, alertsPage } from './list-page.ts'
import { alertPath, alertsPath, readIncidentName, readKey, readQuery } from './query.ts'

export function alertsRoutes(deps: PageDeps): readonly Route[] {
  const one = 'alerts/:alert'
  return [
    projectRoute('GET', 'alerts', 'read', (visit) => list(deps, visit)),
    projectRoute('POST', 'alerts', 'write', (visit) => retryAll(deps, visit)),
    projectRoute('GET', one, 'read', (visit) => (isIncident(visit) ? showIncident(deps, visit) : show(deps, visit))),
    projectRoute('POST', one, 'write', (visit) => (isIncident(visit) ? actOnIncident(deps, visit) : act(deps, visit))),
    ...incidentRoutes(deps),
    projectRoute('GET', 'deliveries', 'read', fromFormer),
    projectRoute('GET', 'deliveries/:alert', 'read', fromFormer),
  ]
}

/** Returns whether the URL identifies an incident. Unlike an incident's URL, an alert's URL also names an integration. */
function isIncident({ params }: ProjectVisit): boolean {
  return readIncidentName(params.alert ?? '') !== null
}

/** Redirects older URLs of the page, which contain `gave-up` instead of `failed`. */
function fromFormer({ actor, params, url }: ProjectVisit): PageAnswer {
  const one = params.alert === undefined ? '' : `/${encodeURIComponent(params.alert)}`
  const search = url.search.replace('state=gave-up', 'state=failed')
  return { kind: 'redirect', to: alertsPath(actor.project.slug) + one + search }
}

async function list(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const data = await deps.longReads.during(visit.person, () => alertsData(deps, visit))
  return alertsPage(data)
}

/** Loads the alerts that match the URL's filters. @throws Refusal `not-found` */
export async function alertsData(deps: PageDeps, visit: ProjectVisit): Promise<AlertsData> {
  const { actor, url } = visit
  const query = readQuery(url.searchParams)
  const context = contextOf(deps, visit)
  const asked = { ...query, since: beginOf(query.period, context.now) }
  const nameOf = ({ name, kind }: Pick<Channel, 'name' | 'kind'>) => (name === '' ? channelKind(kind) : name)
  const found = await readDeliveryList(deps, actor, asked, nameOf)
  const events = await groupByEvent(deps, actor, found.entries, asked, nameOf)
  const untold = await untoldOf(deps, actor, asked, found)
  return { ...context, slug: actor.project.slug, query, list: found, events, untold, canWrite: may(actor, 'write') }
}

/** Maximum number of incidents without alerts to show above the list. */
const UNTOLD_SHOWN = 50

/**
 * Lists incidents for which no alert was sent. They appear only on the first page, and only if the list isn't filtered by state or
 * integration.
 */
async function untoldOf(
  deps: PageDeps,
  actor: PersonActor,
  { place, state, channelId, since, text }: DeliveryQuery,
  { check }: Pick<DeliveryList, 'check'>,
): Promise<readonly UntoldIncident[]> {
  if (place !== null || state !== null || channelId !== null) return []
  return listUntold(deps, actor, { checkId: check?.id ?? null, since, text }, UNTOLD_SHOWN)
}

async function show(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  return alertPage(await alertData(deps, visit, keyIn(visit)))
}

/** @throws Refusal `not-found` */
export async function alertData(deps: PageDeps, visit: ProjectVisit, key: DeliveryKey): Promise<AlertData> {
  const { actor } = visit
  const opened = await openDelivery(deps, actor, key)
  return { ...contextOf(deps, visit), slug: actor.project.slug, opened, canWrite: may(actor, 'write') }
}

/** @throws Refusal `not-found` */
function keyIn({ params }: ProjectVisit): DeliveryKey {
  const key = readKey(params.alert ?? '')
  if (key === null) throw new Refusal('not-found', 'not found')
  return key
}

async function act(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  const key = keyIn(visit)
  const opened = await openDelivery(deps, actor, key)
  const own = alertPath(actor.project.slug, key)
  // The alert's page warns that the alert is outdated, and asks for confirmation.
  const isAsked = opened.isOutdated && form.text('action') === 'retry' && !form.has('outdated')
  if (isAsked) return { kind: 'redirect', to: own, done: 'alert-outdated' }
  return { kind: 'redirect', to: localPath(form.text('back')) ?? own, done: await work(deps, visit, opened) }
}

/** @throws Refusal `invalid` for an unknown action */
async function work(deps: PageDeps, { actor, form }: ProjectVisit, opened: OpenedDelivery): Promise<ToastCode> {
  const { delivery, nextAttemptAt } = opened.entry
  const change = (action: DeliveryAction) => changeDelivery(deps, actor, { delivery, project: actor.project }, action)
  switch (form.text('action')) {
    case 'cancel':
      return (await change('cancel')) ? 'alert-cancelled' : 'alert-not-cancelled'
    case 'retry':
      if (delivery.state === 'sent') return 'alert-ended'
      if (delivery.state === 'failed') return (await change('retry')) ? 'alert-due' : 'alert-superseded'
      if (nextAttemptAt === null) return 'alert-behind'
      return (await change('send-now')) ? 'alert-due' : 'alert-not-due'
    default:
      throw new Refusal('invalid', 'this form has no such action')
  }
}

async function retryAll(deps: PageDeps, { actor, form }: ProjectVisit): Promise<PageAnswer> {
  if (form.text('action') !== 'retry-all') throw new Refusal('invalid', 'this form has no such action')
  const count = await sendAllNow(deps, actor)
  const to = alertsPath(actor.project.slug)
  return { kind: 'redirect', to, done: count === 0 ? 'alerts-not-due' : { code: 'alerts-due', count } }
}
