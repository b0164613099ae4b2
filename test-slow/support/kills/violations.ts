/**
 * Compares the answers to clients with the contents of the file: a pure function for each promise. Each returns a sentence for every
 * violation.
 */
import type { StoredStatus } from '../../../src/domain/check/check.ts'
import type { Arrival } from '../receivers.ts'
import { isCancelled } from './quiet-hours.ts'
import type { CheckFound, EventFound, FlipFound, PingFound, Snapshot } from './snapshot.ts'

/** A ping that was sent, with the values that its log entry must have. */
export interface SentPing extends Pick<PingFound, 'kind' | 'exitStatus' | 'rid' | 'method' | 'body'> {
  /** its user agent, which is unique */
  readonly agent: string
  /** name of the check */
  readonly check: string
  /** silence that its URL requests besides the ping; null: none */
  readonly asks: 'silence' | 'silence until healthy' | 'unsilence' | null
  /** time by `performance.now()`, like the next one */
  readonly sentAt: number
  /** null for a ping without an answer */
  readonly answeredAt: number | null
}

const COMPARED = ['kind', 'exitStatus', 'rid', 'method', 'body'] as const

/**
 * Lists violations of this promise: every acknowledged ping is in the log of its check once and unchanged, and the log holds only pings
 * that were sent.
 */
export function wrongPings(sent: readonly SentPing[], { checks, pings }: Snapshot): string[] {
  const nameOf = namesOf(checks)
  const known = new Map(sent.map((ping) => [ping.agent, ping]))
  const seen = new Set<string>()
  const violations: string[] = []
  for (const entry of pings) {
    const ping = known.get(entry.agent)
    const where = `in the log of ${nameOf(entry.checkId)}, number ${entry.n}`
    if (!ping) {
      violations.push(`an entry was never sent: ${where}`)
      continue
    }
    if (seen.has(entry.agent)) violations.push(`the ping ${entry.agent} is twice in the logs, once ${where}`)
    seen.add(entry.agent)
    if (nameOf(entry.checkId) !== ping.check) violations.push(`a ping to ${ping.check} is ${where}`)
    const changed = COMPARED.filter((member) => entry[member] !== ping[member])
    if (changed.length > 0) violations.push(`a ping differs from what was sent (${changed.join(', ')}): ${where}`)
  }
  const lost = sent.filter(({ answeredAt, agent }) => answeredAt !== null && !seen.has(agent))
  return [
    ...violations,
    ...lost.map(({ agent, check }) => `the ping ${agent} to ${check} was acknowledged but is lost`),
  ]
}

/**
 * Lists violations of this promise: a log has the numbers 1 to the check's count, and a ping that was answered before another was sent
 * comes first.
 */
export function wrongOrder(sent: readonly SentPing[], { checks, pings }: Snapshot): string[] {
  const known = new Map(sent.map((ping) => [ping.agent, ping]))
  const logs = groupByCheck(pings)
  return checks.flatMap(({ id, name, nPings }) => {
    const log = logs.get(id) ?? []
    const violations: string[] = []
    if (log.length !== nPings) violations.push(`${name} counts ${nPings} pings, and its log has ${log.length}`)
    let latestSentAt = 0
    for (const [index, { n, agent }] of log.entries()) {
      if (n !== index + 1) violations.push(`number ${index + 1} in the log of ${name} is numbered ${n}`)
      const ping = known.get(agent)
      if (!ping) continue
      if (ping.answeredAt !== null && ping.answeredAt < latestSentAt) {
        violations.push(`number ${n} in the log of ${name} was answered before an earlier entry was sent`)
      }
      latestSentAt = Math.max(latestSentAt, ping.sentAt)
    }
    return violations
  })
}

/** Lists violations of this promise: the events of a check have no gap, and its flips lead from `new` to its status. */
export function brokenChains({ checks, flips, events }: Snapshot): string[] {
  const chains = groupByCheck<FlipFound | EventFound>([...flips, ...events])
  return checks.flatMap(({ id, name, status, nEvents }) => {
    const chain = (chains.get(id) ?? []).toSorted((a, b) => a.n - b.n)
    const violations: string[] = []
    let before: StoredStatus = 'new'
    for (const [index, event] of chain.entries()) {
      const which = `${'kind' in event ? event.kind : 'flip'} ${event.n} of ${name}`
      if (event.n !== index + 1) violations.push(`${which} should have the number ${index + 1}`)
      if ('kind' in event) continue
      const { oldStatus, newStatus } = event
      if (oldStatus !== before) violations.push(`${which} starts from ${oldStatus}, but the check was ${before}`)
      if (oldStatus === newStatus) violations.push(`${which} changes nothing`)
      before = newStatus
    }
    if (status !== before) violations.push(`${name} is ${status}, but its last flip says ${before}`)
    if (nEvents !== chain.length) violations.push(`${name} counts ${nEvents} events, and has ${chain.length}`)
    return violations
  })
}

/** Time at which a check goes down unless it is pinged before, which does not happen. */
export interface Deadline {
  readonly checkId: string
  readonly at: number
}

type Cause = Pick<FlipFound, 'createdAt' | 'newStatus' | 'reason'>

/**
 * Lists violations for checks that only pings and time-outs change: every flip has a cause, every cause has a flip, and their times are
 * equal.
 * @param isOver whether the last time-out of each check must have been processed
 */
export function wrongFlips(deadlines: readonly Deadline[], snapshot: Snapshot, isOver: boolean): string[] {
  const { checks, pings, flips } = snapshot
  const [logs, chains, silences] = [groupByCheck(pings), groupByCheck(flips), groupByCheck(deadlines)]
  return checks.flatMap(({ id, name }) => {
    const chain = chains.get(id) ?? []
    const causes = flipsOf(logs.get(id) ?? [], silences.get(id) ?? [])
    const isLastPending = !isOver && causes.at(-1)?.reason === 'timeout' && chain.length === causes.length - 1
    const due = isLastPending ? causes.slice(0, -1) : causes
    const words = ({ newStatus, reason, createdAt }: Cause) => `${newStatus} by ${reason || 'success'} at ${createdAt}`
    const violations: string[] = []
    for (let index = 0; index < Math.max(due.length, chain.length); index += 1) {
      const [cause, flip] = [due[index], chain[index]]
      if (flip && cause && words(flip) === words(cause)) continue
      violations.push(
        `flip ${index + 1} of ${name}: ${flip ? words(flip) : 'none'}, for ${cause ? words(cause) : 'none'}`,
      )
      // All later ones would be shifted by one.
      break
    }
    return violations
  })
}

/** Returns the flips that the log and the deadlines cause: a success sets a check up, a failure or a time-out sets it down. */
function flipsOf(log: readonly PingFound[], silences: readonly Deadline[]): Cause[] {
  const events: Cause[] = [
    ...log.flatMap(({ kind, receivedAt: createdAt }): Cause[] => {
      if (kind === 'success') return [{ createdAt, newStatus: 'up', reason: '' }]
      return kind === 'fail' ? [{ createdAt, newStatus: 'down', reason: 'fail' }] : []
    }),
    ...silences.map(({ at }): Cause => ({ createdAt: at, newStatus: 'down', reason: 'timeout' })),
  ]
  // Entries of equal time must keep the order of the log, so they are only sorted when there are time-outs to merge in.
  const ordered = silences.length === 0 ? events : events.toSorted((a, b) => a.createdAt - b.createdAt)
  let status: StoredStatus = 'new'
  return ordered.filter(({ newStatus }) => {
    const isChange = newStatus !== status
    status = newStatus
    return isChange
  })
}

/** The deliveries that reached the receiver of each channel, in order of arrival. */
export type Arrivals = ReadonlyMap<string, readonly Pick<Arrival, 'id'>[]>

interface Limits {
  /** whether everything must have been sent */
  readonly isOver: boolean
  /** number of deliveries that may be unknown, because their checks were deleted */
  readonly mostUnknown?: number
}

/**
 * Lists violations of this promise: every delivery that is stored as sent has reached its receiver, and receivers got no other ones. A
 * repeated delivery keeps its id.
 */
export function wrongArrivals(
  arrivals: Arrivals,
  { deliveries }: Pick<Snapshot, 'deliveries'>,
  { isOver, mostUnknown = 0 }: Limits,
): string[] {
  const violations: string[] = []
  const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  const unknown = new Set<string>()
  for (const [channelId, ofChannel] of arrivals) {
    for (const id of new Set(ofChannel.map(({ id }) => id))) {
      const delivery = known.get(id)
      if (!delivery) unknown.add(id)
      else if (delivery.channelId !== channelId) violations.push(`the delivery ${id} has reached another channel`)
    }
  }
  const arrived = new Set([...arrivals.values()].flat().map(({ id }) => id))
  for (const delivery of deliveries) {
    const { id, state } = delivery
    if (state === 'failed' && !isCancelled(delivery)) violations.push(`the delivery ${id} was given up`)
    if (state === 'sent' && !arrived.has(id))
      violations.push(`the delivery ${id} is stored as sent but has not arrived`)
    if (state === 'pending' && isOver) violations.push(`the delivery ${id} is still pending`)
  }
  if (unknown.size > mostUnknown)
    violations.push(`${unknown.size} alerts arrived that are not stored, such as ${[...unknown][0]}`)
  return violations
}

function namesOf(checks: readonly CheckFound[]): (checkId: string) => string {
  const names = new Map(checks.map(({ id, name }) => [id, name]))
  return (checkId) => names.get(checkId) ?? checkId
}

function groupByCheck<Row extends { readonly checkId: string }>(rows: readonly Row[]): ReadonlyMap<string, Row[]> {
  return Map.groupBy(rows, ({ checkId }) => checkId)
}
