/** `/p/<project>/deliveries`: every alert and whether it arrived; below it each of them with its tries. */
import { may } from '../../../../domain/actor.ts'
import type { DeliveryAction, DeliveryKey } from '../../../../domain/alert/delivery.ts'
import { beginOf } from '../../../../domain/alert/delivery-list.ts'
import type { Channel } from '../../../../domain/channel/channel.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { changeDelivery, hurryAll, type OpenedDelivery, openDelivery } from '../../../../services/alerts/deliveries.ts'
import { readDeliveryList } from '../../../../services/alerts/delivery-list.ts'
import { contextOf } from '../../context.ts'
import { localPath } from '../../href.ts'
import type { PageDeps } from '../../page.ts'
import { channelKind } from '../../parts/channels.ts'
import type { ToastCode } from '../../parts/toast.ts'
import type { PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { projectRoute } from '../new-route.ts'
import { type DeliveryData, deliveryPage } from './delivery-page.ts'
import { type DeliveriesData, deliveriesPage } from './list-page.ts'
import { deliveriesPath, deliveryPath, readKey, readQuery } from './query.ts'

export function deliveriesRoutes(deps: PageDeps): readonly Route[] {
  const one = 'deliveries/:delivery'
  return [
    projectRoute('GET', 'deliveries', 'read', (visit) => list(deps, visit)),
    projectRoute('POST', 'deliveries', 'write', (visit) => retryAll(deps, visit)),
    projectRoute('GET', one, 'read', (visit) => show(deps, visit)),
    projectRoute('POST', one, 'write', (visit) => act(deps, visit)),
  ]
}

async function list(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const data = await deps.longReads.during(visit.person, () => deliveriesData(deps, visit))
  return deliveriesPage(data)
}

/** What the list shows as the address asks for it. @throws Refusal `not-found` */
export async function deliveriesData(deps: PageDeps, visit: ProjectVisit): Promise<DeliveriesData> {
  const { actor, url } = visit
  const query = readQuery(url.searchParams)
  const context = contextOf(deps, visit)
  const asked = { ...query, since: beginOf(query.period, context.now) }
  const nameOf = ({ name, kind }: Pick<Channel, 'name' | 'kind'>) => (name === '' ? channelKind(kind) : name)
  const found = await readDeliveryList(deps, actor, asked, nameOf)
  return { ...context, slug: actor.project.slug, query, list: found, canWrite: may(actor, 'write') }
}

async function show(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  return deliveryPage(await deliveryData(deps, visit, keyIn(visit)))
}

/** @throws Refusal `not-found` */
export async function deliveryData(deps: PageDeps, visit: ProjectVisit, key: DeliveryKey): Promise<DeliveryData> {
  const { actor } = visit
  const opened = await openDelivery(deps, actor, key)
  return { ...contextOf(deps, visit), slug: actor.project.slug, opened, canWrite: may(actor, 'write') }
}

/** @throws Refusal `not-found` */
function keyIn({ params }: ProjectVisit): DeliveryKey {
  const key = readKey(params.delivery ?? '')
  if (key === null) throw new Refusal('not-found', 'not found')
  return key
}

async function act(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  const key = keyIn(visit)
  const opened = await openDelivery(deps, actor, key)
  const own = deliveryPath(actor.project.slug, key)
  // Its own page says what that means, and asks again.
  const isAsked = opened.isOutdated && form.text('action') === 'retry' && !form.has('outdated')
  if (isAsked) return { kind: 'redirect', to: own, done: 'delivery-outdated' }
  return { kind: 'redirect', to: localPath(form.text('back')) ?? own, done: await work(deps, visit, opened) }
}

/** @throws Refusal `invalid` for another action */
async function work(deps: PageDeps, { actor, form }: ProjectVisit, opened: OpenedDelivery): Promise<ToastCode> {
  const { delivery, nextAttemptAt } = opened.entry
  const change = (action: DeliveryAction) => changeDelivery(deps, actor, { delivery, project: actor.project }, action)
  switch (form.text('action')) {
    case 'cancel':
      return (await change('cancel')) ? 'delivery-cancelled' : 'delivery-not-cancelled'
    case 'retry':
      if (delivery.state === 'sent') return 'delivery-ended'
      if (delivery.state === 'failed') return (await change('retry')) ? 'delivery-due' : 'delivery-superseded'
      if (nextAttemptAt === null) return 'delivery-behind'
      return (await change('hurry')) ? 'delivery-due' : 'delivery-not-due'
    default:
      throw new Refusal('invalid', 'this form has no such action')
  }
}

async function retryAll(deps: PageDeps, { actor, form }: ProjectVisit): Promise<PageAnswer> {
  if (form.text('action') !== 'retry-all') throw new Refusal('invalid', 'this form has no such action')
  const count = await hurryAll(deps, actor)
  const to = deliveriesPath(actor.project.slug)
  return { kind: 'redirect', to, done: count === 0 ? 'deliveries-not-due' : { code: 'deliveries-due', count } }
}
