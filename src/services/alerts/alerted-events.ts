/** Puts the deliveries of a page of the list together by what they tell of: a check went down or recovered, or somebody is on it. */
import { type Actor, may, requireRight } from '../../domain/actor.ts'
import type { DeliveryEntry } from '../../domain/alert/delivery.ts'
import { isNamed, LIST_ORDER } from '../../domain/alert/delivery-list.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import { incidentForReader } from '../../domain/incident/reader.ts'
import { isBefore, Temporal } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'
import { whoWasTold } from './deliveries.ts'
import type { DeliveryQuery } from './delivery-list.ts'

export interface AlertedEvent {
  /** the alert that comes first in the list: there stands the event */
  readonly first: DeliveryEntry
  /** of all integrations that were alerted, whatever is asked for */
  readonly entries: readonly DeliveryEntry[]
  /** the incident that the event belongs to; null: none is known, as of before there were incidents */
  readonly incident: Incident | null
}

type NameOf = (channel: Pick<Channel, 'name' | 'kind'>) => string

/**
 * Each event comes once, however many pages its deliveries are on.
 * @param listed a page of the list
 * @param query with which it was read
 */
export async function groupByEvent(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  listed: readonly DeliveryEntry[],
  query: DeliveryQuery,
  nameOf: NameOf,
): Promise<readonly AlertedEvent[]> {
  requireRight(actor, 'read')
  const firsts = new Map<string, DeliveryEntry>()
  for (const entry of listed) if (!firsts.has(eventOf(entry))) firsts.set(eventOf(entry), entry)
  const flips = Array.from(firsts.values(), ({ delivery: { checkId, eventN } }) => ({ checkId, n: eventN }))
  const all = Map.groupBy(await whoWasTold(deps, actor, flips), eventOf)
  const events: AlertedEvent[] = []
  for (const [event, first] of firsts) {
    const entries = all.get(event) ?? [first]
    // On the page of another one.
    if (entries.some((entry) => isAsked(entry, query, nameOf) && precedes(entry, first))) continue
    const incident = await incidentOf(deps, first)
    events.push({
      first,
      entries,
      incident: incident && (may(actor, 'write') ? incident : incidentForReader(incident)),
    })
  }
  return events
}

function eventOf({ delivery: { checkId, eventN } }: DeliveryEntry): string {
  return `${checkId} ${eventN}`
}

function isAsked(entry: DeliveryEntry, { text, state, since, channelId }: DeliveryQuery, nameOf: NameOf): boolean {
  const { delivery, checkName, channelName: name, channelKind: kind } = entry
  if (state !== null && delivery.state !== state) return false
  if (channelId !== null && delivery.channelId !== channelId) return false
  if (since !== null && isBefore(delivery.createdAt, since)) return false
  return text === '' || isNamed([checkName, nameOf({ name, kind })], text)
}

/** In the order of the list. */
function precedes({ delivery: a }: DeliveryEntry, { delivery: b }: DeliveryEntry): boolean {
  if (a.state !== b.state) return LIST_ORDER.indexOf(a.state) < LIST_ORDER.indexOf(b.state)
  const newer = Temporal.Instant.compare(a.createdAt, b.createdAt)
  return newer === 0 ? a.id > b.id : newer > 0
}

async function incidentOf(
  { store }: Pick<Deps, 'store'>,
  { status, delivery }: DeliveryEntry,
): Promise<Incident | null> {
  const { checkId, eventN } = delivery
  if (status === 'down') return store.incidents.find({ checkId, n: eventN })
  const [before] = await store.incidents.list(checkId, eventN, 1)
  return before && before.lastN >= eventN ? before : null
}
