/** Compares what channels with quiet hours received with the quiet hours and with the database: a pure function for each promise. */
import type { Arrival, RoomMessage } from '../receivers.ts'
import { type RoomsRead, readRooms, toldApart } from './rooms.ts'
import type { DeliveryFound, Snapshot } from './snapshot.ts'

/** An edit of the quiet hours of a channel. Times are in microseconds. */
export interface QuietEdit {
  readonly channelId: string
  readonly sentAt: number
  /** null: its effect is unknown */
  readonly answeredAt: number | null
  /** beginning and end of each of the quiet hours; []: none */
  readonly windows: readonly (readonly [begin: number, end: number])[]
}

/** The arrivals at the receivers of a project, by channel id, in their order. */
export interface Received {
  /** of channels that get each alert alone */
  readonly alone: ReadonlyMap<string, readonly Arrival[]>
  /** of channels that get what waited for the end of quiet hours in one message */
  readonly rooms: ReadonlyMap<string, readonly RoomMessage[]>
}

interface Judged extends Pick<RoomsRead, 'interrupted' | 'most'> {
  /** the deliveries that arrived, alone or in a message with others, by channel id */
  readonly arrivals: ReadonlyMap<string, readonly Arrival[]>
  readonly violations: readonly string[]
}

/**
 * Judges what receivers got by the quiet hours of their channels.
 * @param isOver whether everything must have been sent
 * @param mostInterrupted most messages of each room whose attempt may not have ended
 */
export function judgeQuietHours(
  { alone, rooms }: Received,
  edits: readonly QuietEdit[],
  snapshot: Pick<Snapshot, 'checks' | 'flips' | 'deliveries' | 'incidents'>,
  { isOver, mostInterrupted }: { readonly isOver: boolean; readonly mostInterrupted: number },
): Judged {
  const { arrivals: together, interrupted, most, violations } = readRooms(rooms, snapshot, isOver)
  const arrivals = new Map([...alone, ...together])
  const arrived = new Set([...arrivals.values()].flat().map(({ id }) => id))
  const tooMany = interrupted.length > mostInterrupted * rooms.size
  return {
    ...{ arrivals, interrupted, most },
    violations: [
      ...violations,
      ...(isOver && tooMany ? [`${interrupted.length} messages were sent again with other alerts`] : []),
      ...sentInQuietHours(new Map([...alone, ...rooms]), edits),
      ...wrongCancellations(snapshot, arrived, new Set(rooms.keys()), edits),
      ...toldAllTheSame(snapshot, new Set(alone.keys())),
      ...toldApart(snapshot.deliveries, new Set(rooms.keys())),
    ],
  }
}

/**
 * Longest time from the claim of an alert until its arrival, even on a busy machine: a claim waits for each lock for a second at most. An
 * alert that was claimed before an edit may arrive after it.
 */
export const UNDER_WAY_MS = 3_000
const UNDER_WAY_US = UNDER_WAY_MS * 1_000
/** Greatest difference between the clocks of receivers and servers. */
const CLOCKS_DIFFER_US = 20_000

/** Lists alerts that arrived while quiet hours of their channel held them. @param arrivals by channel id */
function sentInQuietHours(arrivals: ReadonlyMap<string, readonly Arrival[]>, edits: readonly QuietEdit[]): string[] {
  const stretches = Map.groupBy(holding(edits), ({ channelId }) => channelId)
  return [...arrivals].flatMap(([channelId, ofChannel]) =>
    ofChannel.flatMap(({ id, at }) => {
      const arrivedAt = (performance.timeOrigin + at) * 1_000
      const held = stretches.get(channelId)?.find(({ from, until }) => from <= arrivedAt && arrivedAt < until)
      return held
        ? [`the message ${id} arrived at ${arrivedAt}, in quiet hours from ${held.from} until ${held.until}`]
        : []
    }),
  )
}

/** A time in which a channel may receive nothing. */
interface Stretch {
  readonly channelId: string
  readonly from: number
  readonly until: number
}

function holding(edits: readonly QuietEdit[]): Stretch[] {
  return [...Map.groupBy(edits, ({ channelId }) => channelId).values()].flatMap((ofChannel) =>
    ofChannel.flatMap(({ channelId, answeredAt, windows }, index) => {
      const nextEditAt = ofChannel[index + 1]?.sentAt ?? Infinity
      return windows.map(([begin, end]) => {
        const from = Math.max(begin, answeredAt ?? Infinity) + UNDER_WAY_US
        return { channelId, from, until: Math.min(end - CLOCKS_DIFFER_US, nextEditAt) }
      })
    }),
  )
}

/** An end of quiet hours of a channel, which was between two times. */
interface QuietEnd {
  readonly channelId: string
  readonly earliest: number
  readonly latest: number
}

/** Returns all possible ends: quiet hours end by themselves, unless an edit ends them before. */
function endsOf(edits: readonly QuietEdit[]): QuietEnd[] {
  return [...Map.groupBy(edits, ({ channelId }) => channelId).values()].flatMap((ofChannel) =>
    ofChannel.flatMap(({ channelId, windows }, index) => {
      const later = ofChannel.slice(index + 1)
      const known = later.findIndex(({ answeredAt }) => answeredAt !== null)
      const ending = (known === -1 ? later : later.slice(0, known + 1)).map((next) => {
        return { channelId, earliest: next.sentAt, latest: next.answeredAt ?? next.sentAt + UNDER_WAY_US }
      })
      const last = later[known]?.answeredAt ?? Infinity
      return windows.flatMap(([begin, end]) => [
        ...ending.filter(({ earliest, latest }) => begin < latest && earliest < end),
        ...(end < last ? [{ channelId, earliest: end, latest: end }] : []),
      ])
    }),
  )
}

/** The error of an alert that was cancelled because its incident ended in quiet hours. */
export const CANCELLED = 'Cancelled by quiet hours: the incident ended before they did'

/**
 * Lists violations of this promise: only alerts of incidents that ended in quiet hours are cancelled, only before anybody was told of them,
 * together with the recovery, and only for channels that get each alert alone.
 * @param arrived ids of the deliveries that have arrived, even if they are not stored as sent
 * @param rooms ids of the channels that get several alerts in one message
 */
function wrongCancellations(
  { deliveries, incidents }: Pick<Snapshot, 'deliveries' | 'incidents'>,
  arrived: ReadonlySet<string>,
  rooms: ReadonlySet<string>,
  edits: readonly QuietEdit[],
): string[] {
  const ends = Map.groupBy(endsOf(edits), ({ channelId }) => channelId)
  const ofChecks = Map.groupBy(incidents, ({ checkId }) => checkId)
  const incidentOf = ({ checkId, eventN }: DeliveryFound) => {
    const before = (ofChecks.get(checkId) ?? []).filter(({ n }) => n <= eventN)
    return before.toSorted((a, b) => a.n - b.n).at(-1)
  }
  const queues = Map.groupBy(deliveries, ({ checkId, channelId }) => `${checkId} ${channelId}`)
  return [...queues.values()].flatMap((queue) =>
    queue.filter(isCancelled).flatMap((delivery) => {
      const { id, checkId, channelId, endedAt } = delivery
      const incident = incidentOf(delivery)
      const which = `the alert ${id} of the incident ${checkId} ${incident?.n} was cancelled`
      if (rooms.has(channelId)) return [`${which}, although its channel gets all alerts in one message`]
      if (arrived.has(id)) return [`${which}, but it has arrived`]
      const past = (ends.get(channelId) ?? []).filter(({ earliest }) => earliest <= (endedAt ?? 0))
      const resolvedAt = incident?.resolvedAt ?? Infinity
      if (!past.some(({ latest }) => resolvedAt <= latest))
        return [`${which} at ${endedAt}, although it was open when the last quiet hours before that ended`]
      const isKept = queue.some((other) => incidentOf(other) === incident && !isCancelled(other))
      return isKept ? [`${which}, but its other alert was not`] : []
    }),
  )
}

/**
 * Lists alerts that should have been cancelled: their incidents began and ended in quiet hours, and their channels get each alert alone. Omits
 * alerts of a check with a second attempt: the receiver may have known of the first.
 * @param alone ids of those channels
 */
function toldAllTheSame(
  { deliveries, incidents }: Pick<Snapshot, 'deliveries' | 'incidents'>,
  alone: ReadonlySet<string>,
): string[] {
  const endOf = new Map(incidents.map(({ checkId, n, resolvedAt }) => [`${checkId} ${n}`, resolvedAt]))
  const ofAlone = deliveries.filter(({ channelId }) => alone.has(channelId))
  const queues = Map.groupBy(ofAlone, ({ checkId, channelId }) => `${checkId} ${channelId}`)
  const untried = [...queues.values()].filter((queue) => queue.every(({ attempts }) => attempts <= 1)).flat()
  return untried.flatMap(({ id, checkId, eventN, state, heldUntil, attemptedAt }) => {
    const endedAt = endOf.get(`${checkId} ${eventN}`) ?? Infinity
    // An incident has the time of the ping that ended it, and is stored later.
    const isOver = heldUntil !== null && endedAt + UNDER_WAY_US <= heldUntil && heldUntil <= (attemptedAt ?? 0)
    return state === 'sent' && isOver
      ? [`the alert ${id} was sent, although its incident had ended by ${heldUntil}`]
      : []
  })
}

export function isCancelled({ state, error }: Pick<DeliveryFound, 'state' | 'error'>): boolean {
  return state === 'failed' && error === CANCELLED
}
