/** What the addresses of deliveries say. */
import type { DeliveryKey, DeliveryState } from '../../../../domain/alert/delivery.ts'
import { LIST_ORDER, PERIODS, type Period } from '../../../../domain/alert/delivery-list.ts'
import { isPublicId } from '../../../../domain/check/public-id.ts'
import { isUuid } from '../../../../lib/secrets/uuid.ts'
import { fromMicroseconds, toMicroseconds } from '../../../../lib/time.ts'
import type { ListPlace } from '../../../../services/alerts/delivery-list.ts'
import { projectPath } from '../../href.ts'

export interface DeliveriesQuery {
  readonly text: string
  readonly state: DeliveryState | null
  readonly period: Period
  readonly channelId: string | null
  /** public id */
  readonly check: string | null
  readonly place: ListPlace | null
}

const STATES: Readonly<Record<DeliveryState, string>> = { pending: 'retrying', failed: 'gave-up', sent: 'sent' }

const TEXT_LIMIT = 200
const PERIOD_BY_DEFAULT: Period = 'week'

/** What means nothing is left out. */
export function readQuery(search: URLSearchParams): DeliveriesQuery {
  const channelId = search.get('channel')
  const check = search.get('check')
  return {
    text: (search.get('q') ?? '').trim().slice(0, TEXT_LIMIT),
    state: stateNamed(search.get('state')),
    period: PERIODS.find((period) => period === search.get('since')) ?? PERIOD_BY_DEFAULT,
    channelId: channelId !== null && isUuid(channelId) ? channelId : null,
    check: check !== null && isPublicId(check) ? check : null,
    place: readPlace(search.get('after')),
  }
}

function stateNamed(name: string | null): DeliveryState | null {
  return LIST_ORDER.find((state) => STATES[state] === name) ?? null
}

function readPlace(text: string | null): ListPlace | null {
  const [, name = '', at = '', id = ''] = /^([a-z-]+)\.(\d{1,16})(?:\.(.+))?$/.exec(text ?? '') ?? []
  const [state, createdAt, key] = [stateNamed(name), Number(at), readKey(id)]
  if (state === null || !Number.isSafeInteger(createdAt) || (id !== '' && key === null)) return null
  return { state, createdAt: fromMicroseconds(createdAt), key }
}

/** With its `?`; '' when it says nothing. */
export function searchOf(query: DeliveriesQuery): string {
  const search = new URLSearchParams(fieldsOf(query))
  if (query.text !== '') search.set('q', query.text)
  if (query.place !== null) search.set('after', placeWords(query.place))
  return search.size === 0 ? '' : `?${search}`
}

function placeWords({ state, createdAt, key }: ListPlace): string {
  return [STATES[state], toMicroseconds(createdAt), ...(key === null ? [] : [keyWords(key)])].join('.')
}

/** What a form keeps in which somebody types another text. */
export function fieldsOf({ state, period, channelId, check }: DeliveriesQuery): [name: string, value: string][] {
  return [
    ...(state === null ? [] : [pair('state', STATES[state])]),
    ...(period === PERIOD_BY_DEFAULT ? [] : [pair('since', period)]),
    ...(channelId === null ? [] : [pair('channel', channelId)]),
    ...(check === null ? [] : [pair('check', check)]),
  ]
}

function pair(name: string, value: string): [string, string] {
  return [name, value]
}

/** @returns null for what is none */
export function readKey(text: string): DeliveryKey | null {
  const [, checkPublicId = '', flipN = '', channelId = ''] = /^([a-z0-9]+)-([1-9]\d{0,14})-(.*)$/.exec(text) ?? []
  if (!isPublicId(checkPublicId) || !isUuid(channelId)) return null
  return { checkPublicId, flipN: Number(flipN), channelId }
}

/** Names a delivery in addresses, and its row in the page. */
export function keyWords({ checkPublicId, flipN, channelId }: DeliveryKey): string {
  return `${checkPublicId}-${flipN}-${channelId}`
}

export function deliveriesPath(slug: string): string {
  return projectPath(slug, 'deliveries')
}

/** The stream of the list. */
export function livePath(slug: string, query: DeliveriesQuery): string {
  const search = searchOf(query)
  return `${projectPath(slug, 'live')}${search === '' ? '?' : `${search}&`}view=deliveries`
}

/** The stream of a delivery. */
export function liveDeliveryPath(slug: string, key: DeliveryKey): string {
  return `${projectPath(slug, 'live')}?${new URLSearchParams({ view: 'delivery', delivery: keyWords(key) })}`
}

export function deliveryPath(slug: string, key: DeliveryKey): string {
  return `${deliveriesPath(slug)}/${keyWords(key)}`
}
