/** Compares the incidents in the database with the flips, the alerts, and the holds: a pure function for each promise. */
import { sendsAlerts } from '../../../src/domain/check/flip.ts'
import type { CheckFound, EventFound, IncidentFound, PingFound, SilenceFound, Snapshot } from './snapshot.ts'
import type { SentPing } from './violations.ts'

/**
 * Lists violations of this promise: each flip to down opens an incident, which the next flip of its check ends. Ended incidents are not
 * looked at.
 */
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
 * Lists wrong deliveries of checks whose channels never change: an alerted incident, and the recovery from it, have one delivery to each
 * channel, and no other event has any.
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

/** Lists incidents without an alert, or with an overdue look, after all holds have ended. @param now in microseconds */
export function leftUntold({ incidents }: Pick<Snapshot, 'incidents'>, now: number): string[] {
  return incidents.flatMap((incident) => {
    const { resolvedAt, toldAt, nextLookAt } = incident
    if (resolvedAt === null && toldAt === null) return [`nobody was told of the incident ${nameOf(incident)}`]
    return nextLookAt !== null && nextLookAt <= now ? [`nobody looked at the incident ${nameOf(incident)}`] : []
  })
}

/** Lists open incidents after all checks have become healthy. */
export function leftOpen({ incidents }: Pick<Snapshot, 'incidents'>): string[] {
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null)
  return open.map((incident) => `the incident ${nameOf(incident)} is open`)
}

/** A time in which an incident may not be reported. */
interface Hold {
  readonly what: string
  /** time of the answer, so that a later alert was sent in spite of the hold */
  readonly from: number
  readonly until: number
}

/** Requests of the clients of a load that hold alerts. */
export interface AskedHolds {
  readonly sent: readonly SentPing[]
  /** microseconds at which the API answered silences, by id; a silence without an answer holds nothing */
  readonly silencedAt: ReadonlyMap<string, number>
}

/** Lists alerts that were sent while a silence held them, or somebody had taken the incident. */
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
      ...silences.filter((silence) => silence.matches(check)).flatMap((silence) => holdsOf(silence, silencedAt, log)),
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

function holdsOf(silence: MatchingSilence, silencedAt: AskedHolds['silencedAt'], log: readonly PingFound[]): Hold[] {
  const { id, startsAt, endsAt, untilHealthy } = silence
  const from = silencedAt.get(id) ?? Infinity
  const healthyAt = untilHealthy ? firstSuccess(log, ({ receivedAt }) => receivedAt >= startsAt) : Infinity
  const last = Math.min(endsAt, healthyAt)
  const windows = windowsOf(silence)
  if (windows === null) return [{ what: `the silence ${id}`, from, until: last }]
  return windows.map(([begin, end], index) => {
    return { what: `window ${index + 1} of the silence ${id}`, from: Math.max(from, begin), until: Math.min(last, end) }
  })
}

/** Returns the beginnings and ends of the windows of a silence; null if it has none. */
function windowsOf({ schedule, durationSeconds }: SilenceFound): (readonly [begin: number, end: number])[] | null {
  if (schedule === null) return null
  return schedule.split('\n').map((line) => {
    const begin = Date.parse(`${line.replace(' ', 'T')}Z`) * 1_000
    return [begin, begin + (durationSeconds ?? 0) * 1_000_000]
  })
}

/** Returns the holds of a ping URL. It has one silence at most: each request replaces the previous one. @param last the present silence */
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

/** Greatest difference between the clocks of `performance.now()` and of the system. */
const CLOCKS_DIFFER_MS = 5

/** @param at time by `performance.now()`; null: never */
function microseconds(at: number | null): number {
  return at === null ? Infinity : (performance.timeOrigin + at + CLOCKS_DIFFER_MS) * 1_000
}

/** A note that a person wrote. */
export interface SentNote {
  /** text that no other note has */
  readonly text: string
  readonly isAcknowledged: boolean
}

/** Lists violations of this promise: every acknowledged note is kept once, and the others once or not at all. */
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
