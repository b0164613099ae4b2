/** Compares the messages in rooms, each of which may be about several alerts, with the deliveries in the database. */
import { CHECKS_IN_MESSAGE } from '../../../src/domain/channel/quiet-hours.ts'
import { derivedUuid } from '../../../src/lib/secrets/derived-uuid.ts'
import type { Arrival, RoomMessage } from '../receivers.ts'
import type { DeliveryFound, Snapshot } from './snapshot.ts'

/** The deliveries in the messages to rooms. */
export interface RoomsRead {
  /** the deliveries of each message at its arrival, by channel id */
  readonly arrivals: ReadonlyMap<string, readonly Arrival[]>
  /** messages whose attempt did not end, so that all of their alerts are sent again; with others that were due by then, under another id */
  readonly interrupted: readonly RoomMessage[]
  /** most alerts in a message */
  readonly most: number
  readonly violations: readonly string[]
}

/**
 * Finds the deliveries of each message to a room. Lists violations of this promise: a message names each check of its deliveries with as many
 * alerts, and the alerts of one whose attempt did not end are told again.
 * @param rooms messages by channel id
 * @param isOver whether everything must have been sent
 */
export function readRooms(
  rooms: ReadonlyMap<string, readonly RoomMessage[]>,
  snapshot: Pick<Snapshot, 'checks' | 'flips' | 'deliveries'>,
  isOver: boolean,
): RoomsRead {
  const arrivals = new Map<string, Arrival[]>()
  const [interrupted, violations]: [RoomMessage[], string[]] = [[], []]
  let most = 0
  for (const [channelId, messages] of rooms) {
    const groups = sentTogether(snapshot.deliveries.filter((delivery) => delivery.channelId === channelId))
    const found: Arrival[] = []
    for (const [index, message] of messages.entries()) {
      const group = groups.get(message.id)
      if (group) {
        found.push(...group.map(({ id }) => ({ id, at: message.at })))
        most = Math.max(most, group.length)
        violations.push(...wrongWords(message, group, snapshot))
        continue
      }
      interrupted.push(message)
      const later = new Set(messages.slice(index + 1).flatMap(({ text }) => [...named(text).keys()]))
      const lost = [...named(message.text).keys()].filter((name) => !later.has(name))
      if (isOver && lost.length > 0) violations.push(`the message ${message.id} was not repeated about ${lost}`)
    }
    arrivals.set(channelId, found)
  }
  return { arrivals, interrupted, most, violations }
}

/** Lists alerts that waited for the same end of quiet hours of a room, and were told in several messages. @param rooms ids of the channels */
export function toldApart(deliveries: Snapshot['deliveries'], rooms: ReadonlySet<string>): string[] {
  // A message that was interrupted may be repeated with others.
  const once = deliveries.filter(({ channelId, state, attempts, heldUntil }) => {
    return rooms.has(channelId) && state === 'sent' && attempts === 1 && heldUntil !== null
  })
  const waits = Map.groupBy(once, ({ channelId, heldUntil }) => `${channelId} until ${heldUntil}`)
  return [...waits].flatMap(([wait, together]) => {
    const messages = new Set(together.map(({ attemptedAt }) => attemptedAt)).size
    const checks = new Set(together.map(({ checkId }) => checkId)).size
    const needed = Math.ceil(checks / CHECKS_IN_MESSAGE)
    return messages > needed ? [`what waited for ${wait} was told in ${messages} messages, for ${needed}`] : []
  })
}

/** Returns the deliveries that are stored as sent in one message, in the order of their events, by each id that the message may have. */
function sentTogether(ofChannel: readonly DeliveryFound[]): ReadonlyMap<string, readonly DeliveryFound[]> {
  const sent = ofChannel.filter(({ state }) => state === 'sent')
  // A channel has one message under way at a time.
  const groups = [...Map.groupBy(sent, ({ attemptedAt }) => attemptedAt).values()]
  return new Map(
    groups.flatMap((group) => {
      const ids = group.map(({ id }) => id).toSorted()
      const together = derivedUuid('digest', ids.join(' '))
      const possible = group.length === 1 ? [...ids, together] : [together]
      const ordered = group.toSorted((a, b) => a.eventN - b.eventN)
      return possible.map((id) => [id, ordered] as const)
    }),
  )
}

/** @param group deliveries of the message, in the order of their events */
function wrongWords(
  { id, text }: RoomMessage,
  group: readonly DeliveryFound[],
  { checks, flips }: Pick<Snapshot, 'checks' | 'flips'>,
): string[] {
  const names = new Map(checks.map((check) => [check.id, check.name]))
  const statuses = new Map(flips.map(({ checkId, n, newStatus }) => [`${checkId} ${n}`, newStatus]))
  const shown = named(text)
  const left = Number(/^… and (\d+) more checks?\.$/m.exec(text)?.[1] ?? 0)
  const ofChecks = Map.groupBy(group, ({ checkId }) => checkId)
  if (shown.size + left !== ofChecks.size)
    return [`the message ${id} is about ${shown.size + left} checks, for ${ofChecks.size}`]
  const isWhole = group.length > 1
  return [...ofChecks].flatMap(([checkId, alerts]) => {
    const name = names.get(checkId) ?? checkId
    const one = shown.get(name)
    if (one === undefined) return left > 0 ? [] : [`the message ${id} does not name ${name}`]
    const last = alerts.at(-1)
    const isUp = last !== undefined && statuses.get(`${checkId} ${last.eventN}`) === 'up'
    if (isUp !== (one.status === 'UP')) return [`the message ${id} says that ${name} is ${one.status}`]
    if (!isWhole || one.alerts === alerts.length) return []
    return [`the message ${id} has ${one.alerts} alerts of ${name}, for ${alerts.length}`]
  })
}

/** Returns the checks in the text of a message, by name, with the number of alerts that it lists. */
function named(text: string): ReadonlyMap<string, { readonly status: string; readonly alerts: number }> {
  return new Map(
    text.split('\n\n').flatMap((paragraph) => {
      const [, name, status] = /^(?:🔴|🟢) (.+) is (DOWN|UP|no longer DOWN)\.$/mu.exec(paragraph) ?? []
      if (name === undefined || status === undefined) return []
      const omitted = Number(/^(\d+) earlier alerts are not shown\.$/m.exec(paragraph)?.[1] ?? 0)
      return [[name, { status, alerts: omitted + [...paragraph.matchAll(/^(?:DOWN|UP) .+: /gm)].length }] as const]
    }),
  )
}
