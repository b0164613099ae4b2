/** Reads a page of a project's deliveries: waiting ones, then failed ones, then sent ones. */

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
  /** part of a name; '' for all */
  readonly text: string
  /** true: only deliveries of checks that went down and have been down since */
  readonly isOpen: boolean
  /** null: all, in the order of {@link LIST_ORDER} */
  readonly state: DeliveryState | null
  /** triggered since this time; null: all */
  readonly since: Instant | null
  /** null: all channels */
  readonly channelId: string | null
  /** public id; null: all checks */
  readonly check: string | null
  readonly place: ListPlace | null
}

/** The place where a page begins: after this delivery among those of the state. */
export interface ListPlace {
  readonly state: DeliveryState
  readonly createdAt: Instant
  /** null: before that time */
  readonly key: DeliveryKey | null
}

export interface DeliveryList {
  readonly entries: readonly DeliveryEntry[]
  /** place of the next page; null if this is the last. The next page may be empty if a text is searched. */
  readonly next: ListPlace | null
  /** counts for the requested channels and period; null if only some checks or names are wanted */
  readonly counts: DeliveryCounts | null
  /** the requested channel; null: none */
  readonly channel: Channel | null
  readonly check: Check | null
}

type Reads = Pick<Deps, 'store' | 'eventLoop'>

const PAGE = 50
/** Most deliveries that are read for a page. */
const READ_AT_MOST = 2_000
/** Counts of a channel beyond this are not exact. */
export const COUNTED_AT_MOST = 1_000
const CHANNELS_AT_ONCE = 20

/**
 * @param nameOf returns the name that people gave to a channel, or its kind
 * @throws Refusal `not-found` for a check or a channel that the project does not have
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

/** Finds a place. If the named delivery no longer exists, deliveries of the same time are repeated. */
async function findPlace({ store }: Reads, { project }: Actor, { key, createdAt }: ListPlace): Promise<DeliveryPlace> {
  if (key === null) return { id: '', createdAt }
  const entry = await store.deliveries.findOf(project.id, key)
  return entry === null
    ? { id: AFTER_ALL_IDS, createdAt }
    : { id: entry.delivery.id, createdAt: entry.delivery.createdAt }
}

interface Asked extends Pick<DeliveryQuery, 'state' | 'since' | 'place'> {
  readonly checkId: string | null
  /** delivery of the place; null: none is named */
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

/** Returns the key that names a delivery in addresses. */
export function keyOf({ delivery: { eventN, channelId }, checkPublicId }: DeliveryEntry): DeliveryKey {
  return { checkPublicId, eventN, channelId }
}

/**
 * Counts for each project the alerts that wait for a try, or failed within the list's default period, at most {@link COUNTED_AT_MOST}.
 * Cancelled ones, and those that wait for quiet hours, need no attention, so they don't count.
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
