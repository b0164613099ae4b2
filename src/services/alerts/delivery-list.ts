/** Reads a page of a project's deliveries. Waiting deliveries come first, then failed deliveries, then sent deliveries. */

import { type Actor, may } from '../../domain/actor.ts'
import type { DeliveryCounts, DeliveryEntry, DeliveryKey, DeliveryState } from '../../domain/alert/delivery.ts'
import { AFTER_ALL_IDS, beginOf, isNamed, LIST_ORDER, PERIOD_BY_DEFAULT } from '../../domain/alert/delivery-list.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Instant } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { DeliveryPlace } from '../../store/store.ts'
import { getCheckByPublicId } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import { forReader } from './deliveries.ts'
import { mergeDeliveries, type Passed } from './delivery-merge.ts'

export interface DeliveryQuery {
  /** part of a name; '' for all names */
  readonly text: string
  /** true to list only deliveries about checks that are still down */
  readonly isOpen: boolean
  /** null for all states, in the order of {@link LIST_ORDER} */
  readonly state: DeliveryState | null
  /** lists only deliveries that were triggered since this time; null for all deliveries */
  readonly since: Instant | null
  /** null for all channels */
  readonly channelId: string | null
  /** public id of a check; null for all checks */
  readonly check: string | null
  readonly place: ListPlace | null
}

/** The position after which a page begins: a delivery in a certain state. */
export interface ListPlace {
  readonly state: DeliveryState
  readonly createdAt: Instant
  /** the delivery after which the page begins; null to begin with the newest delivery before `createdAt` */
  readonly key: DeliveryKey | null
}

export interface DeliveryList {
  readonly entries: readonly DeliveryEntry[]
  /** where the next page begins; null if this is the last page; in a text search, the next page may be empty */
  readonly next: ListPlace | null
  /** counts for the requested channels and period; null if the query is limited to a check or a name */
  readonly counts: DeliveryCounts | null
  /** the requested channel; null if the query does not specify a channel */
  readonly channel: Channel | null
  readonly check: Check | null
}

type Reads = Pick<Deps, 'store' | 'eventLoop'>

const PAGE = 50
/** Maximum number of deliveries to read for a page. */
const READ_AT_MOST = 2_000
/** Number up to which a channel's deliveries are counted exactly. */
export const COUNTED_AT_MOST = 1_000
const CHANNELS_AT_ONCE = 20

/**
 * @param nameOf returns the name of a channel, or its kind if it has no name
 * @throws Refusal `not-found` if the project has no such check or channel
 */
export async function readDeliveryList(
  deps: Reads,
  actor: Actor,
  query: DeliveryQuery,
  nameOf: (channel: Pick<Channel, 'name' | 'kind'>) => string,
): Promise<DeliveryList> {
  const found = query.check === null ? null : await getCheckByPublicId(deps, actor, query.check)
  const all = await deps.store.channels.list(actor.project.id)
  const channels = query.channelId === null ? all : all.filter(({ id }) => id === query.channelId)
  const isWanted = ({ checkName, channelName: name, channelKind: kind, isOpen }: DeliveryEntry) =>
    (isOpen || !query.isOpen) && (query.text === '' || isNamed([checkName, nameOf({ name, kind })], query.text))
  const ids = channels.map(({ id }) => id)
  const begin = query.place && (await findPlace(deps, actor, query.place))
  const { entries, next } = await readPage(deps, { ...query, checkId: found?.check.id ?? null, begin }, ids, isWanted)
  const isPartial = found !== null || query.text !== '' || query.isOpen
  return {
    entries: may(actor, 'write') ? entries : entries.map(forReader),
    next,
    counts: isPartial ? null : await countAll(deps, ids, query.since),
    channel: query.channelId === null ? null : (channels[0] ?? null),
    check: found?.check ?? null,
  }
}

/**
 * Finds the position after which a page begins. If that delivery was deleted, the page may repeat deliveries that have the same timestamp.
 */
async function findPlace({ store }: Reads, { project }: Actor, { key, createdAt }: ListPlace): Promise<DeliveryPlace> {
  if (key === null) return { id: '', createdAt }
  const entry = await store.deliveries.findOf(project.id, key)
  return entry === null
    ? { id: AFTER_ALL_IDS, createdAt }
    : { id: entry.delivery.id, createdAt: entry.delivery.createdAt }
}

interface Asked extends Pick<DeliveryQuery, 'state' | 'since' | 'place'> {
  readonly checkId: string | null
  /** the delivery after which to begin; null to begin with the newest one in the list */
  readonly begin: DeliveryPlace | null
}

async function readPage(
  deps: Reads,
  { state: only, since, place, checkId, begin }: Asked,
  channelIds: readonly string[],
  isWanted: (entry: DeliveryEntry) => boolean,
): Promise<Pick<DeliveryList, 'entries' | 'next'>> {
  const states = LIST_ORDER.filter((state) => only === null || state === only)
  const first = place === null ? 0 : Math.max(0, states.indexOf(place.state))
  const entries: DeliveryEntry[] = []
  const allowance = { rows: READ_AT_MOST }
  for (const state of states.slice(first)) {
    const before = state === place?.state ? begin : null
    let passed: Passed | null = null
    for await (const item of mergeDeliveries(deps, channelIds, { state, checkId, since }, before, allowance)) {
      passed = item
      if (item.entry !== null && isWanted(item.entry)) entries.push(item.entry)
      if (entries.length === PAGE) return { entries, next: placeAfter(state, item) }
    }
    if (allowance.rows <= 0 && passed !== null) return { entries, next: placeAfter(state, passed) }
  }
  return { entries, next: null }
}

function placeAfter(state: DeliveryState, { place: { createdAt }, entry }: Passed): ListPlace {
  return { state, createdAt, key: entry && keyOf(entry) }
}

/** Returns the key that identifies a delivery in URLs. */
export function keyOf({ delivery: { eventN, channelId }, checkPublicId }: DeliveryEntry): DeliveryKey {
  return { checkPublicId, eventN, channelId }
}

/**
 * Counts each project's alerts that are waiting for an attempt, or that failed within the list's default period, up to {@link
 * COUNTED_AT_MOST}. Cancelled alerts, and alerts held back until quiet hours end, need no attention, so they are not counted.
 */
export function countUndelivered(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  projectIds: readonly string[],
): Promise<readonly number[]> {
  const at = now()
  return store.deliveries.countUndelivered(projectIds, beginOf(PERIOD_BY_DEFAULT, at), at, COUNTED_AT_MOST)
}

async function countAll(
  { store, eventLoop }: Reads,
  channelIds: readonly string[],
  since: Instant | null,
): Promise<DeliveryCounts> {
  let counts: DeliveryCounts = { pending: 0, failed: 0, sent: 0 }
  for (const some of inBatches(channelIds, CHANNELS_AT_ONCE)) {
    const more = await eventLoop.step(() => store.deliveries.count(some, since, COUNTED_AT_MOST))
    counts = {
      pending: counts.pending + more.pending,
      failed: counts.failed + more.failed,
      sent: counts.sent + more.sent,
    }
    if (LIST_ORDER.every((state) => counts[state] >= COUNTED_AT_MOST)) break
  }
  return counts
}
