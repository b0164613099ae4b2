/** Parses and builds the URLs of alerts and incidents. */
import type { DeliveryKey, DeliveryState } from '../../../../domain/alert/delivery.ts'
import { LIST_ORDER, PERIOD_BY_DEFAULT, PERIODS, type Period } from '../../../../domain/alert/delivery-list.ts'
import { isPublicId } from '../../../../domain/check/public-id.ts'
import { isUuid } from '../../../../lib/secrets/uuid.ts'
import { addressState, flag, oneOf, oneOfOr, parsed, text } from '../../../../lib/text/address-state.ts'
import { fromMicroseconds, toMicroseconds } from '../../../../lib/time.ts'
import type { ListPlace } from '../../../../services/alerts/delivery-list.ts'
import type { IncidentName } from '../../../../services/incidents/incident-page.ts'
import { projectPath } from '../../href.ts'

export interface AlertsQuery {
  readonly text: string
  /** true to list only alerts for checks that are still down */
  readonly isOpen: boolean
  readonly state: DeliveryState | null
  readonly period: Period
  readonly channelId: string | null
  /** public id of the check to filter by; null for all checks */
  readonly check: string | null
  readonly place: ListPlace | null
}

const STATES: Readonly<Record<DeliveryState, string>> = { pending: 'retrying', failed: 'failed', sent: 'sent' }

const TEXT_LIMIT = 200

export const {
  read: readQuery,
  pairs: pairsOf,
  search: searchOf,
} = addressState<AlertsQuery>({
  isOpen: flag('open'),
  state: oneOf('state', LIST_ORDER, (state) => STATES[state]),
  period: oneOfOr('since', PERIODS, PERIOD_BY_DEFAULT),
  channelId: parsed('channel', (id) => (isUuid(id) ? id : null), String),
  check: parsed('check', (id) => (isPublicId(id) ? id : null), String),
  text: text('q', TEXT_LIMIT),
  place: parsed('after', readPlace, placeWords),
})

function readPlace(text: string): ListPlace | null {
  const [, name = '', at = '', id = ''] = /^([a-z-]+)\.(\d{1,16})(?:\.(.+))?$/.exec(text) ?? []
  const state = LIST_ORDER.find((each) => STATES[each] === name)
  const [createdAt, key] = [Number(at), readKey(id)]
  if (state === undefined || !Number.isSafeInteger(createdAt) || (id !== '' && key === null)) return null
  return { state, createdAt: fromMicroseconds(createdAt), key }
}

function placeWords({ state, createdAt, key }: ListPlace): string {
  return [STATES[state], toMicroseconds(createdAt), ...(key === null ? [] : [keyWords(key)])].join('.')
}

/** Parses an alert's name in a URL. @returns null if the name is not valid */
export function readKey(text: string): DeliveryKey | null {
  const [, checkPublicId = '', eventN = '', channelId = ''] = /^([a-z0-9]+)-([1-9]\d{0,14})-(.*)$/.exec(text) ?? []
  if (!isPublicId(checkPublicId) || !isUuid(channelId)) return null
  return { checkPublicId, eventN: Number(eventN), channelId }
}

/** Parses an incident's name in a URL. @returns null if the name is not valid */
export function readIncidentName(text: string): IncidentName | null {
  const [, checkPublicId = '', n = ''] = /^([a-z0-9]+)-([1-9]\d{0,14})$/.exec(text) ?? []
  return isPublicId(checkPublicId) ? { checkPublicId, n: Number(n) } : null
}

/** Returns the name that identifies an alert in a URL. */
function keyWords({ checkPublicId, eventN, channelId }: DeliveryKey): string {
  return `${checkPublicId}-${eventN}-${channelId}`
}

export function alertsPath(slug: string): string {
  return projectPath(slug, 'alerts')
}

/** Returns the path of the list's event stream. */
export function livePath(slug: string, query: AlertsQuery): string {
  const search = searchOf(query)
  return `${projectPath(slug, 'live')}${search === '' ? '?' : `${search}&`}view=alerts`
}

/** Returns the path of an alert's event stream. */
export function liveAlertPath(slug: string, key: DeliveryKey): string {
  return `${projectPath(slug, 'live')}?${new URLSearchParams({ view: 'alert', alert: keyWords(key) })}`
}

/** Returns the path of an incident's event stream. */
export function liveIncidentPath(slug: string, { checkPublicId, n }: IncidentName): string {
  return `${projectPath(slug, 'live')}?${new URLSearchParams({ view: 'incident', incident: `${checkPublicId}-${n}` })}`
}

export function alertPath(slug: string, key: DeliveryKey): string {
  return `${alertsPath(slug)}/${keyWords(key)}`
}
