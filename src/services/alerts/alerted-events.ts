/** Groups a page of deliveries by event: a check going down or recovering, or a member taking an incident. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { DeliveryEntry } from '../../domain/alert/delivery.ts'
import { isNamed, LIST_ORDER } from '../../domain/alert/delivery-list.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import { incidentFor } from '../../domain/incident/reader.ts'
import { isBefore, Temporal } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'
import { whoWasTold } from './deliveries.ts'
import type { DeliveryQuery } from './delivery-list.ts'

export interface AlertedEvent {
  /** the event's alert that comes first in the list; it determines the event's position */
  readonly first: DeliveryEntry
  /** the event's deliveries to all alerted integrations, regardless of the filter */
  readonly entries: readonly DeliveryEntry[]
  /** the event's incident; null if unknown, for example because the event is older than incidents */
  readonly incident: Incident | null
}

type NameOf = (channel: Pick<Channel, 'name' | 'kind'>) => string

/**
 * Groups deliveries so that each event is listed once, even if its deliveries are on several pages.
 * @param listed a page of the list
 * @param query the query of the page
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
    // The event is listed on the page that contains its first delivery.
    if (entries.some((entry) => isAsked(entry, query, nameOf) && precedes(entry, first))) continue
    const incident = await incidentOf(deps, first)
    events.push({ first, entries, incident: incident && incidentFor(actor, incident) })
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

/** Returns true if delivery `a` comes before `b` in the list. */
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
