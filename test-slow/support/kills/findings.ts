/**
 * What is wrong between what clients were told and what the file says: one pure function for each promise. Each gives
 * sentences, and none when the promise was kept.
 */
import type { StoredStatus } from '../../../src/domain/check.ts'
import { isNews } from '../../../src/domain/flip.ts'
import type { CheckFound, Evidence, FlipFound, PingFound } from './evidence.ts'

/** A ping that somebody sent, and what has to stand in the log if it came through. */
export interface SentPing extends Pick<PingFound, 'kind' | 'exitStatus' | 'rid' | 'method' | 'body'> {
  /** its user agent, which no other ping has */
  readonly agent: string
  /** the name of the check */
  readonly check: string
  /** from one counter, so these tell which of two events came first */
  readonly sentAt: number
  /** null for a ping that was not answered */
  readonly answeredAt: number | null
}

const COMPARED = ['kind', 'exitStatus', 'rid', 'method', 'body'] as const

/** Every acknowledged ping is in the log of its check, once, as it was sent; nothing is there that nobody sent. */
export function wrongPings(sent: readonly SentPing[], { checks, pings }: Evidence): string[] {
  const nameOf = namesOf(checks)
  const known = new Map(sent.map((ping) => [ping.agent, ping]))
  const seen = new Set<string>()
  const findings: string[] = []
  for (const entry of pings) {
    const ping = known.get(entry.agent)
    const where = `in the log of ${nameOf(entry.checkId)}, number ${entry.n}`
    if (!ping) {
      findings.push(`nobody sent what is ${where}`)
      continue
    }
    if (seen.has(entry.agent)) findings.push(`the ping ${entry.agent} is twice in the logs, once ${where}`)
    seen.add(entry.agent)
    if (nameOf(entry.checkId) !== ping.check) findings.push(`a ping to ${ping.check} is ${where}`)
    const changed = COMPARED.filter((member) => entry[member] !== ping[member])
    if (changed.length > 0) findings.push(`other than it was sent (${changed.join(', ')}) is a ping ${where}`)
  }
  const lost = sent.filter(({ answeredAt, agent }) => answeredAt !== null && !seen.has(agent))
  return [...findings, ...lost.map(({ agent, check }) => `the ping ${agent} to ${check} was acknowledged and is lost`)]
}

/** A log is numbered without a gap up to the check's count, and a ping answered before another was sent stands before it. */
export function wrongOrder(sent: readonly SentPing[], { checks, pings }: Evidence): string[] {
  const known = new Map(sent.map((ping) => [ping.agent, ping]))
  const logs = groupByCheck(pings)
  return checks.flatMap(({ id, name, nPings }) => {
    const log = logs.get(id) ?? []
    const findings: string[] = []
    if (log.length !== nPings) findings.push(`${name} counts ${nPings} pings, and its log has ${log.length}`)
    let latestSentAt = 0
    for (const [index, { n, agent }] of log.entries()) {
      if (n !== index + 1) findings.push(`number ${index + 1} in the log of ${name} is numbered ${n}`)
      const ping = known.get(agent)
      if (!ping) continue
      if (ping.answeredAt !== null && ping.answeredAt < latestSentAt) {
        findings.push(`number ${n} in the log of ${name} was answered before one that stands earlier was sent`)
      }
      latestSentAt = Math.max(latestSentAt, ping.sentAt)
    }
    return findings
  })
}

/** The flips of a check are a chain without a gap from `new` to the status that the check has. */
export function brokenChains({ checks, flips }: Evidence): string[] {
  const chains = groupByCheck(flips)
  return checks.flatMap(({ id, name, status, nFlips }) => {
    const chain = chains.get(id) ?? []
    const findings: string[] = []
    let before: StoredStatus = 'new'
    for (const [index, { n, oldStatus, newStatus }] of chain.entries()) {
      const which = `flip ${n} of ${name}`
      if (n !== index + 1) findings.push(`${which} should have the number ${index + 1}`)
      if (oldStatus !== before) findings.push(`${which} starts from ${oldStatus}, and the check was ${before}`)
      if (oldStatus === newStatus) findings.push(`${which} changes nothing`)
      before = newStatus
    }
    if (status !== before) findings.push(`${name} is ${status}, and its last flip says ${before}`)
    if (nFlips !== chain.length) findings.push(`${name} counts ${nFlips} flips, and has ${chain.length}`)
    return findings
  })
}

/** When a check goes down unless somebody pings it before; nobody does. */
export interface Deadline {
  readonly checkId: string
  readonly at: number
}

type Cause = Pick<FlipFound, 'createdAt' | 'newStatus' | 'reason'>

/**
 * Of checks that only pings and silence change: every flip has its cause, every cause its flip, at the instant of the cause.
 * @param isOver whether the last silence of each check must have been noticed by now
 */
export function wrongFlips(deadlines: readonly Deadline[], evidence: Evidence, isOver: boolean): string[] {
  const { checks, pings, flips } = evidence
  const [logs, chains, silences] = [groupByCheck(pings), groupByCheck(flips), groupByCheck(deadlines)]
  return checks.flatMap(({ id, name }) => {
    const chain = chains.get(id) ?? []
    const causes = flipsOf(logs.get(id) ?? [], silences.get(id) ?? [])
    const isLastOwed = !isOver && causes.at(-1)?.reason === 'timeout' && chain.length === causes.length - 1
    const due = isLastOwed ? causes.slice(0, -1) : causes
    const words = ({ newStatus, reason, createdAt }: Cause) => `${newStatus} by ${reason || 'success'} at ${createdAt}`
    const findings: string[] = []
    for (let index = 0; index < Math.max(due.length, chain.length); index += 1) {
      const [cause, flip] = [due[index], chain[index]]
      if (flip && cause && words(flip) === words(cause)) continue
      findings.push(
        `flip ${index + 1} of ${name}: ${flip ? words(flip) : 'none'}, for ${cause ? words(cause) : 'none'}`,
      )
      // All that follow would be shifted.
      break
    }
    return findings
  })
}

/** What the log and the deadlines make of a check: success brings it up, failure and silence down, once each. */
function flipsOf(log: readonly PingFound[], silences: readonly Deadline[]): Cause[] {
  const events: Cause[] = [
    ...log.flatMap(({ kind, receivedAt: createdAt }): Cause[] => {
      if (kind === 'success') return [{ createdAt, newStatus: 'up', reason: '' }]
      return kind === 'fail' ? [{ createdAt, newStatus: 'down', reason: 'fail' }] : []
    }),
    ...silences.map(({ at }): Cause => ({ createdAt: at, newStatus: 'down', reason: 'timeout' })),
  ]
  // The log has its own order, which a sort by time keeps only where times differ; silence has none.
  const ordered = silences.length === 0 ? events : events.toSorted((a, b) => a.createdAt - b.createdAt)
  let status: StoredStatus = 'new'
  return ordered.filter(({ newStatus }) => {
    const isChange = newStatus !== status
    status = newStatus
    return isChange
  })
}

/**
 * Of checks whose channels never change: every flip that is news owes one delivery to each channel, and no delivery is
 * without such a flip.
 */
export function wrongDeliveries({ checks, flips, deliveries }: Evidence): string[] {
  const channelsOf = new Map(checks.map(({ id, channelIds }) => [id, channelIds.split(',').filter((of) => of !== '')]))
  const owed = new Set(
    flips
      .filter(isNews)
      .flatMap(({ checkId, n }) => (channelsOf.get(checkId) ?? []).map((channelId) => `${checkId} ${n} ${channelId}`)),
  )
  const findings: string[] = []
  for (const { checkId, flipN, channelId } of deliveries) {
    const key = `${checkId} ${flipN} ${channelId}`
    if (!owed.delete(key)) findings.push(`nothing owes, or owes twice, the delivery for ${key}`)
  }
  return [...findings, ...[...owed].map((key) => `no delivery is owed for ${key}`)]
}

/** What reached the receiver of a channel, by delivery, in its order. */
export type Arrivals = ReadonlyMap<string, readonly string[]>

interface Limits {
  /** whether everything must have been sent by now */
  readonly isOver: boolean
  /** how many deliveries may be unknown, because their checks were deleted */
  readonly mostUnknown?: number
}

/**
 * What stands as sent has reached its receiver, and nothing has reached a receiver that no flip owes: what is sent again has
 * the id that it had.
 */
export function wrongArrivals(
  arrivals: Arrivals,
  { deliveries }: Pick<Evidence, 'deliveries'>,
  { isOver, mostUnknown = 0 }: Limits,
): string[] {
  const findings: string[] = []
  const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  const unknown = new Set<string>()
  for (const [channelId, ids] of arrivals) {
    for (const id of new Set(ids)) {
      const delivery = known.get(id)
      if (!delivery) unknown.add(id)
      else if (delivery.channelId !== channelId) findings.push(`the delivery ${id} has reached another channel`)
    }
  }
  const arrived = new Set([...arrivals.values()].flat())
  for (const { id, state } of deliveries) {
    if (state === 'failed') findings.push(`the delivery ${id} was given up`)
    if (state === 'sent' && !arrived.has(id)) findings.push(`the delivery ${id} stands as sent and has not arrived`)
    if (state === 'pending' && isOver) findings.push(`the delivery ${id} is still owed`)
  }
  if (unknown.size > mostUnknown) findings.push(`${unknown.size} alerts came that nothing owes, as ${[...unknown][0]}`)
  return findings
}

function namesOf(checks: readonly CheckFound[]): (checkId: string) => string {
  const names = new Map(checks.map(({ id, name }) => [id, name]))
  return (checkId) => names.get(checkId) ?? checkId
}

function groupByCheck<Row extends { readonly checkId: string }>(rows: readonly Row[]): ReadonlyMap<string, Row[]> {
  return Map.groupBy(rows, ({ checkId }) => checkId)
}
