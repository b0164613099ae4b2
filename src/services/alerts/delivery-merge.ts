/** Reads the deliveries of several channels as one list, newest first. */

import type { DeliveryEntry } from '../../domain/alert/delivery.ts'
import { toMicroseconds } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { DeliveryFilter, DeliveryPage, DeliveryPlace } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'

type Reads = Pick<Deps, 'store' | 'eventLoop'>

/** Number of deliveries that may still be read. Each read reduces it; several lists can share it. */
interface ReadAllowance {
  rows: number
}

/** A delivery in the list. `entry` is missing if its check was deleted or moved to another project. */
export interface Passed {
  readonly place: DeliveryPlace
  readonly entry: DeliveryEntry | null
}

interface Source {
  readonly channelId: string
  /** upper bound for the remaining deliveries: none of them is newer */
  readonly newest: DeliveryPlace
  /** deliveries that were read but not yet yielded, newest first */
  readonly items: readonly Passed[]
  /** position at which the next read begins */
  readonly before: DeliveryPlace | null
  /** true if there may be more deliveries after `before` */
  readonly hasMore: boolean
}

/** Number of channels to read per step. Reading that many channels, with one statement each, takes about a millisecond in total. */
const CHANNELS_AT_ONCE = 100
/** Maximum number of deliveries to read from a channel per query. A list with many channels needs only a few deliveries from each. */
const MOST_AT_ONCE = 51
const FEWEST_AT_ONCE = 10

/**
 * Yields the deliveries after `before`. A channel is reread only when its next delivery is the newest of all, so a channel that
 * contributes nothing is read only once. Stops when there are no more deliveries, or when `allowance.rows` is 0 or less.
 */
export async function* mergeDeliveries(
  deps: Reads,
  channelIds: readonly string[],
  filter: DeliveryFilter,
  before: DeliveryPlace | null,
  allowance: ReadAllowance,
): AsyncGenerator<Passed> {
  const atOnce = Math.max(FEWEST_AT_ONCE, Math.ceil(MOST_AT_ONCE / Math.max(1, channelIds.length)))
  const sources = await begin(deps, channelIds, filter, before)
  for (let source = sources.shift(); source !== undefined; source = sources.shift()) {
    const [item, ...items] = source.items
    if (item !== undefined) {
      yield item
      insert(sources, { ...source, items })
    } else {
      if (allowance.rows <= 0) return
      const { channelId, before: place } = source
      const page = await deps.eventLoop.step(() => deps.store.deliveries.read(channelId, filter, place, atOnce))
      allowance.rows -= atOnce
      insert(sources, { ...source, items: itemsOf(page), before: page.last, hasMore: page.last !== null })
    }
  }
}

async function begin(
  { store, eventLoop }: Reads,
  channelIds: readonly string[],
  filter: DeliveryFilter,
  before: DeliveryPlace | null,
): Promise<Source[]> {
  const sources: Source[] = []
  for (const ids of inBatches(channelIds, CHANNELS_AT_ONCE)) {
    const places = await eventLoop.step(() => store.deliveries.findNewest(ids, filter, before))
    for (const [index, channelId] of ids.entries()) {
      const newest = places[index]
      if (newest) sources.push({ channelId, newest, items: [], before, hasMore: true })
    }
  }
  return sources.sort((a, b) => newestFirst(a.newest, b.newest))
}

function itemsOf({ entries, last }: DeliveryPage): readonly Passed[] {
  const items = entries.map((entry) => ({ place: placeOf(entry), entry }))
  const isSeen = last === null || items.at(-1)?.place.id === last.id
  return isSeen ? items : [...items, { place: last, entry: null }]
}

/** Inserts a source at its sorted position, unless it has no more deliveries. */
function insert(sources: Source[], source: Source): void {
  const newest = source.items[0]?.place ?? (source.hasMore ? source.before : null)
  if (newest === null) return
  const index = sources.findIndex((other) => newestFirst(newest, other.newest) < 0)
  sources.splice(index === -1 ? sources.length : index, 0, { ...source, newest })
}

function placeOf({ delivery: { id, createdAt } }: DeliveryEntry): DeliveryPlace {
  return { id, createdAt }
}

function newestFirst(a: DeliveryPlace, b: DeliveryPlace): number {
  return toMicroseconds(b.createdAt) - toMicroseconds(a.createdAt) || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
}
