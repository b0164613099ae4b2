/** Reads a page of a project's deliveries: those that wait, then those that were given up, then those that were sent. */
import { type Actor, may } from '../domain/actor.ts'
import type { Channel } from '../domain/alert/channel.ts'
import type { DeliveryCounts, DeliveryEntry, DeliveryKey, DeliveryState } from '../domain/alert/delivery.ts'
import { isNamed, LIST_ORDER } from '../domain/alert/delivery-list.ts'
import type { Check } from '../domain/check/check.ts'
import { type Instant, toMicroseconds } from '../lib/time.ts'
import type { DeliveryPlace } from '../store/store.ts'
import { getCheckByPublicId } from './checks.ts'
import { forReader } from './deliveries.ts'
import type { Deps } from './deps.ts'

export interface DeliveryQuery {
  /** part of a name; '' for all */
  readonly text: string
  /** null: all, in the order of {@link LIST_ORDER} */
  readonly state: DeliveryState | null
  /** owed since then; null: all */
  readonly since: Instant | null
  /** null: of all channels */
  readonly channelId: string | null
  /** public id; null: of all checks */
  readonly check: string | null
  readonly place: ListPlace | null
}

/** Where a page begins: after this delivery among those of the state. */
export interface ListPlace {
  readonly state: DeliveryState
  readonly key: DeliveryKey
}

export interface DeliveryList {
  readonly entries: readonly DeliveryEntry[]
  /** of the next page; null if this is the last. The next page may be empty, if a text is looked for. */
  readonly next: ListPlace | null
  /** of the channels and the period that were asked for; null if only some checks or names are wanted */
  readonly counts: DeliveryCounts | null
  /** that is asked for; null: none */
  readonly channel: Channel | null
  readonly check: Check | null
}

type Reads = Pick<Deps, 'store' | 'eventLoop'>

const PAGE = 50
/** While a text is looked for, so many deliveries are read for a page. */
const READ_AT_MOST = 2_000
/** Counts of a channel beyond this are not exact. */
export const COUNTED_AT_MOST = 1_000
const CHANNELS_AT_ONCE = 20

/**
 * @param nameOf a channel: what people called it, or its kind
 * @throws Refusal `not-found` for a check or a channel that the project does not have
 */
export async function readDeliveryList(
  deps: Reads,
  actor: Actor,
  query: DeliveryQuery,
  nameOf: (channel: Pick<Channel, 'name' | 'kind'>) => string,
): Promise<DeliveryList> {
  const found = query.check === null ? null : await getCheckByPublicId(deps, actor, query.check)
  const all = await deps.store.listChannels(actor.project.id)
  const channels = query.channelId === null ? all : all.filter(({ id }) => id === query.channelId)
  const isWanted = ({ checkName, channelName: name, channelKind: kind }: DeliveryEntry) =>
    query.text === '' || isNamed([checkName, nameOf({ name, kind })], query.text)
  const ids = channels.map(({ id }) => id)
  const begin = query.place && (await deps.store.findDeliveryOf(actor.project.id, query.place.key))
  const asked = { ...query, checkId: found?.check.id ?? null, begin: begin && placeOf(begin) }
  const { entries, next } = await readPage(deps, asked, ids, isWanted)
  const isPartial = found !== null || query.text !== ''
  return {
    entries: may(actor, 'write') ? entries : entries.map(forReader),
    next,
    counts: isPartial ? null : await countAll(deps, ids, query.since),
    channel: query.channelId === null ? null : (channels[0] ?? null),
    check: found?.check ?? null,
  }
}

interface Asked extends Pick<DeliveryQuery, 'state' | 'since' | 'place'> {
  readonly checkId: string | null
  /** of the place; null: the delivery is gone, or none was named */
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
  let read = 0
  for (const state of states.slice(first)) {
    let before = state === place?.state ? begin : null
    do {
      const batch = await readBatch(deps, channelIds, { state, checkId, since }, before)
      for (const entry of batch.entries) {
        if (isWanted(entry)) entries.push(entry)
        if (entries.length === PAGE) return { entries, next: { state, key: keyOf(entry) } }
      }
      read += PAGE
      before = batch.last
      const last = batch.entries.at(-1)
      if (before !== null && last && read >= READ_AT_MOST) return { entries, next: { state, key: keyOf(last) } }
    } while (before !== null)
  }
  return { entries, next: null }
}

interface Batch {
  readonly entries: readonly DeliveryEntry[]
  readonly last: DeliveryPlace | null
}

/** The newest of all channels together: no channel has a newer one that is not among them. */
async function readBatch(
  { store, eventLoop }: Reads,
  channelIds: readonly string[],
  filter: Parameters<Deps['store']['readDeliveries']>[1],
  before: DeliveryPlace | null,
): Promise<Batch> {
  const entries: DeliveryEntry[] = []
  const lasts: DeliveryPlace[] = []
  for (const id of channelIds) {
    const page = await eventLoop.step(() => store.readDeliveries(id, filter, before, PAGE + 1))
    entries.push(...page.entries)
    if (page.last !== null) lasts.push(page.last)
  }
  // Beyond the newest of these, a channel may have deliveries that were not read.
  const [last = null] = lasts.toSorted(newestFirst)
  const known = entries.filter((entry) => last === null || newestFirst(placeOf(entry), last) <= 0)
  return { entries: known.toSorted((a, b) => newestFirst(placeOf(a), placeOf(b))), last }
}

/** How addresses name a delivery. */
export function keyOf({ delivery: { flipN, channelId }, checkPublicId }: DeliveryEntry): DeliveryKey {
  return { checkPublicId, flipN, channelId }
}

function placeOf({ delivery: { id, createdAt } }: DeliveryEntry): DeliveryPlace {
  return { id, createdAt }
}

function newestFirst(a: DeliveryPlace, b: DeliveryPlace): number {
  return toMicroseconds(b.createdAt) - toMicroseconds(a.createdAt) || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
}

async function countAll(
  { store, eventLoop }: Reads,
  channelIds: readonly string[],
  since: Instant | null,
): Promise<DeliveryCounts> {
  let counts: DeliveryCounts = { pending: 0, failed: 0, sent: 0 }
  for (let from = 0; from < channelIds.length; from += CHANNELS_AT_ONCE) {
    const some = channelIds.slice(from, from + CHANNELS_AT_ONCE)
    const more = await eventLoop.step(() => store.countDeliveries(some, since, COUNTED_AT_MOST))
    counts = {
      pending: counts.pending + more.pending,
      failed: counts.failed + more.failed,
      sent: counts.sent + more.sent,
    }
  }
  return counts
}
