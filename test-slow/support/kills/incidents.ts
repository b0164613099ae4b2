/** Compares the incidents that the database holds with the flips, with who was told, and with what held that: one pure function for each promise. */
import { sendsAlerts } from '../../../src/domain/check/flip.ts'
import type { CheckFound, EventFound, IncidentFound, PingFound, SilenceFound, Snapshot } from './snapshot.ts'
import type { SentPing } from './violations.ts'

/** Each flip to down opens an incident, which the next flip of its check ends. Nobody looks at one that has ended. */
export function wrongIncidents({ flips, incidents }: Pick<Snapshot, 'flips' | 'incidents'>): string[] {
  const left = new Map(incidents.map((incident) => [nameOf(incident), incident]))
  const violations: string[] = []
  for (const chain of Map.groupBy(flips, ({ checkId }) => checkId).values()) {
    for (const [index, flip] of chain.entries()) {
      if (flip.newStatus !== 'down') continue
      const name = nameOf(flip)
      const incident = left.get(name)
      left.delete(name)
      const endsAt = chain[index + 1]?.createdAt ?? null
      if (!incident) violations.push(`the incident ${name} is missing`)
      else if (incident.openedAt !== flip.createdAt || incident.resolvedAt !== endsAt) {
        const { openedAt, resolvedAt } = incident
        violations.push(`the incident ${name} is from ${openedAt} to ${resolvedAt}, for ${flip.createdAt} to ${endsAt}`)
      } else if (endsAt !== null && incident.nextLookAt !== null) {
        violations.push(`the incident ${name} has ended, and waits for a look`)
      }
    }
  }
  return [...violations, ...[...left.keys()].map((name) => `the incident ${name} has no flip`)]
}

/**
 * For checks whose channels never change: an incident that was told, and the recovery from it, have one delivery to each channel, and no other
 * event has any.
 */
export function wrongDeliveries({ checks, flips, incidents, deliveries }: Snapshot): string[] {
  const channelsOf = new Map(checks.map(({ id, channelIds }) => [id, channelIds.split(',').filter((of) => of !== '')]))
  const told = new Set(incidents.filter(({ toldAt }) => toldAt !== null).map(nameOf))
  const recoveries = new Set(incidents.filter(isTold).map(({ checkId, resolvedAt }) => `${checkId} ${resolvedAt}`))
  const isHeard = (flip: Snapshot['flips'][number]) =>
    flip.newStatus === 'down' ? told.has(nameOf(flip)) : recoveries.has(`${flip.checkId} ${flip.createdAt}`)
  const expected = new Set(
    flips
      .filter((flip) => sendsAlerts(flip) && isHeard(flip))
      .flatMap((flip) => (channelsOf.get(flip.checkId) ?? []).map((channelId) => `${nameOf(flip)} ${channelId}`)),
  )
  const violations: string[] = []
  for (const { checkId, eventN, channelId } of deliveries) {
    const key = `${checkId} ${eventN} ${channelId}`
    if (!expected.delete(key)) violations.push(`an extra delivery for ${key}`)
  }
  return [...violations, ...[...expected].map((key) => `a missing delivery for ${key}`)]
}

/** When nothing holds anything any more: everybody was told of what is wrong, and no look is overdue. @param now in microseconds */
export function leftUntold({ incidents }: Pick<Snapshot, 'incidents'>, now: number): string[] {
  return incidents.flatMap((incident) => {
    const { resolvedAt, toldAt, nextLookAt } = incident
    if (resolvedAt === null && toldAt === null) return [`nobody was told of the incident ${nameOf(incident)}`]
    return nextLookAt !== null && nextLookAt <= now ? [`nobody looked at the incident ${nameOf(incident)}`] : []
  })
}

/** When all checks are healthy. */
export function leftOpen({ incidents }: Pick<Snapshot, 'incidents'>): string[] {
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null)
  return open.map((incident) => `the incident ${nameOf(incident)} is open`)
}

/** Time in which nobody may be told of an incident. */
interface Hold {
  readonly what: string
  /** when it was answered, so that whoever is told afterwards was told in spite of it */
  readonly from: number
  readonly until: number
}

/** What the clients of a load asked for. */
export interface AskedHolds {
  readonly sent: readonly SentPing[]
  /** when the silences of the API were answered, in microseconds, by id; one that was not answered holds nothing */
  readonly silencedAt: ReadonlyMap<string, number>
}

/** Nobody is told of an incident while a silence holds it, or somebody is on it. */
export function brokenHolds(snapshot: Snapshot, { sent, silencedAt }: AskedHolds): string[] {
  const checks = new Map(snapshot.checks.map((check) => [check.id, check]))
  const logs = Map.groupBy(snapshot.pings, ({ checkId }) => checkId)
  const events = Map.groupBy(snapshot.events, ({ checkId }) => checkId)
  const kept = Map.groupBy(snapshot.silences, ({ createdByKind }) => (createdByKind === null ? 'ping' : 'api'))
  const silences = (kept.get('api') ?? []).map(toMatching)
  const ofPings = new Map((kept.get('ping') ?? []).map((silence) => [JSON.parse(silence.checks)[0], silence]))
  const requests = new Map(sent.filter(({ asks }) => asks !== null).map((ping) => [ping.agent, ping]))
  return snapshot.incidents.flatMap((incident) => {
    const { checkId, toldAt } = incident
    const [check, log] = [checks.get(checkId), logs.get(checkId) ?? []]
    if (toldAt === null || !check) return []
    const holds = [
      ...silences.filter((silence) => silence.matches(check)).map((silence) => holdOf(silence, silencedAt, log)),
      ...holdsOfPings(log, requests, ofPings.get(checkId)),
      ...acknowledgements(incident, events.get(checkId) ?? []),
    ]
    const holding = holds.filter(({ from, until }) => from <= toldAt && toldAt < until)
    return holding.map(({ what }) => `the incident ${nameOf(incident)} was told at ${toldAt} in spite of ${what}`)
  })
}

interface MatchingSilence extends SilenceFound {
  matches(check: CheckFound): boolean
}

function toMatching(silence: SilenceFound): MatchingSilence {
  const [ids, tags]: string[][] = [JSON.parse(silence.checks), JSON.parse(silence.tags)]
  const matches = ({ id, tags: own }: CheckFound) =>
    (ids?.length === 0 || ids?.includes(id) === true) && tags?.every((tag) => own.split(' ').includes(tag)) === true
  return { ...silence, matches }
}

function holdOf(
  { id, startsAt, endsAt, untilHealthy }: MatchingSilence,
  silencedAt: AskedHolds['silencedAt'],
  log: readonly PingFound[],
): Hold {
  const healthyAt = untilHealthy ? firstSuccess(log, ({ receivedAt }) => receivedAt >= startsAt) : Infinity
  return { what: `the silence ${id}`, from: silencedAt.get(id) ?? Infinity, until: Math.min(endsAt, healthyAt) }
}

/** A ping URL has one silence at most: each request takes the place of the one before. @param last the silence that is there */
function holdsOfPings(
  log: readonly PingFound[],
  requests: ReadonlyMap<string, SentPing>,
  last: SilenceFound | undefined,
): Hold[] {
  const asking = log.filter(({ agent }) => requests.has(agent))
  return asking.flatMap(({ n, agent, receivedAt }, index) => {
    const request = requests.get(agent)
    if (!request || request.asks === 'unsilence') return []
    const endsAt = asking[index + 1]?.receivedAt ?? last?.endsAt ?? receivedAt
    const healthyAt = request.asks === 'silence' ? Infinity : firstSuccess(log, (ping) => ping.n > n)
    return [{ what: `the ping ${n}`, from: microseconds(request.answeredAt), until: Math.min(endsAt, healthyAt) }]
  })
}

function firstSuccess(log: readonly PingFound[], isAfter: (ping: PingFound) => boolean): number {
  return log.find((ping) => ping.kind === 'success' && isAfter(ping))?.receivedAt ?? Infinity
}

function acknowledgements({ n }: IncidentFound, events: readonly EventFound[]): Hold[] {
  const own = events
    .map((event) => ({ ...event, ...JSON.parse(event.detail) }))
    .filter(({ incident }) => incident === n)
  const moves = own.filter(({ kind, from }) => kind === 'acknowledged' || from === 'acknowledgement')
  return moves.flatMap(({ kind, createdAt, until, n: number }, index) => {
    if (kind !== 'acknowledged') return []
    const end = until === null ? Infinity : Date.parse(until) * 1_000
    return [{ what: `event ${number}`, from: createdAt, until: Math.min(end, moves[index + 1]?.createdAt ?? Infinity) }]
  })
}

/** The clocks of `performance.now()` and of the system differ by less. */
const CLOCKS_DIFFER_MS = 5

/** @param at on the clock of `performance.now()`; null: never */
function microseconds(at: number | null): number {
  return at === null ? Infinity : (performance.timeOrigin + at + CLOCKS_DIFFER_MS) * 1_000
}

/** A note that somebody wrote. */
export interface SentNote {
  /** no other note has it */
  readonly text: string
  readonly isAcknowledged: boolean
}

/** Every acknowledged note is kept once, and the others once or not at all. */
export function wrongNotes(sent: readonly SentNote[], { events }: Pick<Snapshot, 'events'>): string[] {
  const texts = events.filter(({ kind }) => kind === 'note').map(({ detail }): string => JSON.parse(detail).text)
  const found = new Set(texts)
  const lost = sent.filter(({ text, isAcknowledged }) => isAcknowledged && !found.has(text))
  const twice = texts.filter((text, index) => texts.indexOf(text) !== index)
  return [
    ...lost.map(({ text }) => `the note ${text} is lost`),
    ...twice.map((text) => `the note ${text} is there twice`),
  ]
}

function isTold({ toldAt }: IncidentFound): boolean {
  return toldAt !== null
}

function nameOf({ checkId, n }: { readonly checkId: string; readonly n: number }): string {
  return `${checkId} ${n}`
}
