/**
 * Writes pings. This is the hot path. This file applies the rules, and each engine reads and writes the tables in its own way
 * (`ping-tables.ts`).
 */
import type { WatchedCheck } from '../../domain/check/check.ts'
import { isLongBody } from '../../domain/log/log-bytes.ts'
import { type Ping, silenceAskedFor } from '../../domain/ping/ping.ts'
import type { SignalTarget } from '../../domain/ping/signal.ts'
import type { Silence } from '../../domain/silence/silence.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import { lookSoon } from '../advice/looks.ts'
import { assignAllChannels } from '../channels/channels.ts'
import { insertCheck } from '../checks/check-changes.ts'
import { countingAdded, insertFlips } from '../checks/flips.ts'
import { countRuns, type EndedRun } from '../checks/run-durations.ts'
import type { FlippedCheck } from '../incidents/follow.ts'
import { writePingSilence } from '../incidents/silences.ts'
import type { Arrival, ArrivalOutcome, CommittedPings, TargetState } from '../interface/pings.ts'
import type { Rules } from '../interface/rules.ts'
import { type Mark, markLogs } from '../overgrown.ts'
import { type Changing, NO_CHANGES, touch } from '../revisions/revisions.ts'
import { counterValues, statusValues, toWatchedCheck, type WatchedRow } from '../sql/check-rows.ts'
import type { Sql, Value } from '../sql/database.ts'
import type { PingBatch } from '../sql/ping-tables.ts'
import { instantOrNull, microsecondsOrNull } from '../sql/rows.ts'
import { addRests, type RestOfPing } from './long-bodies.ts'

/** Number of entries by which a log may exceed its limit before it is marked for the retention loop. */
const PRUNE_EVERY = 100

/** A check while its batch of pings is being processed. */
interface Working {
  check: WatchedCheck
  lastPingId: number | null
  readonly projectId: string
  readonly counterId: number
  readonly eventsBefore: number
  readonly alertAfter: Instant | null
}

/**
 * Commits pings. This is the hot path: there is one call per batch, so that an engine can implement it in its own way. Signals are applied
 * in order, each to the state that resulted from the previous one. They write the check, the log entry, the flip and the deliveries.
 * Requested silences are written before all flips. If several silences are requested for a check, only the last one counts. There are no
 * gaps in the numbering of a check's pings and events. A signal with a missing or ambiguous target does not affect the others.
 * @param logBytes maximum size of the bodies in a log in bytes, not counting the newest entry
 * @throws Error if pieces of a long body are missing
 */
export async function commitPings(
  sql: Sql,
  arrivals: readonly Arrival[],
  rules: Rules,
  logBytes: number,
): Promise<Changing<CommittedPings>> {
  const addressed = await findTargets(sql, arrivals, rules)
  const { working, firstId } = await loadChecks(sql, addressed)
  const pings: Value[][] = []
  const flipped: FlippedCheck[] = []
  const runs: EndedRun[] = []
  const rests: RestOfPing[] = []
  const silences = new Map<string, AskedSilence>()
  const overgrown = new Map<string, Mark>()
  const touched = new Map<string, string[]>()
  const edited = new Map<string, string[]>()
  let isAnyCreated = false
  let prunable = false
  let id = firstId
  const outcomes = arrivals.map((arrival, index): ArrivalOutcome => {
    const target = addressed[index] ?? 'not-found'
    if (typeof target === 'string') return target
    const { signal, receivedAt, rest } = arrival
    const entry = working.get(target.checkId)
    if (!entry) return 'not-found'
    if (!signal) return 'rejected'
    const { check, ping, flip, run } = rules.receive(entry.check, signal, receivedAt)
    pings.push(pingValues(id, entry.lastPingId, ping))
    entry.check = check
    entry.lastPingId = id
    id += 1
    if (target.created) {
      isAnyCreated = true
      touch(edited, entry.projectId, check.id)
    }
    touch(touched, entry.projectId, check.id)
    if (flip) flipped.push({ flip, projectId: entry.projectId, lastSuccessAt: check.lastSuccessAt })
    if (run && run.duration !== null) runs.push({ checkId: check.id, duration: run.duration })
    const asked = silenceAskedFor(signal, ping.kind)
    if (asked !== null) {
      const { projectId } = entry
      const silence = asked === 'end' ? null : rules.silence({ id: check.id, projectId }, asked, receivedAt)
      silences.set(check.id, { projectId, silence })
      // The check counts as edited, because open pages show which checks are muted.
      touch(edited, projectId, check.id)
    }
    if (rest) rests.push({ id: rest.id, checkId: check.id, n: ping.n })
    const isLong = ping.body !== null && isLongBody(ping.body.length + (rest?.bytes ?? 0), logBytes)
    if (isLong || ping.n % PRUNE_EVERY === 0) overgrown.set(check.id, { checkId: check.id, n: ping.n })
    prunable ||= isLong
    return target.created ? 'created' : 'ok'
  })
  if (pings.length === 0) return { result: { outcomes, owed: false, prunable }, changes: NO_CHANGES }
  // Assigning the rests may fail, so no other statement may be in progress at that time.
  await addRests(sql, rests)
  await Promise.all([
    sql.pings.write({ entries: pings, ...statesOf(working, rules) }),
    countRuns(sql, runs),
    markLogs(sql, [...overgrown.values()]),
  ])
  const flips = flipped.map(({ flip }) => flip)
  const statuses = flips.length > 0 || isAnyCreated
  await writeSilences(sql, silences, flipped, rules.now())
  const { owed, added } = await insertFlips(sql, flipped, rules)
  await lookSoon(
    sql,
    flips.filter(({ oldStatus }) => oldStatus === 'paused').map(({ checkId }) => checkId),
  )
  const stateOf = (checkId: string) => countingAdded(working.get(checkId)?.check, added)
  const changed = new Set(flips.map(({ checkId }) => checkId))
  return { result: { outcomes, owed, prunable }, changes: { touched, edited, stateOf, flipped: changed, statuses } }
}

/** A silence requested through a ping URL. */
interface AskedSilence {
  readonly projectId: string
  /** null to end the current silence */
  readonly silence: Silence | null
}

/** @param asked requested silences by check @param flipped flips that the same transaction writes afterwards */
async function writeSilences(
  sql: Sql,
  asked: ReadonlyMap<string, AskedSilence>,
  flipped: readonly FlippedCheck[],
  now: Instant,
): Promise<void> {
  if (asked.size === 0) return
  // Takes all of the transaction's silence locks in one call, because two transactions that lock projects one by one could deadlock.
  const projects = new Set([...asked.values(), ...flipped].map(({ projectId }) => projectId))
  await sql.lock('silences', [...projects])
  for (const [checkId, { silence }] of asked) await writePingSilence(sql, checkId, silence, now)
}

type Addressed = { readonly checkId: string; readonly created: boolean } | 'not-found' | 'ambiguous' | 'rejected'

async function findTargets(sql: Sql, arrivals: readonly Arrival[], rules: Rules): Promise<Addressed[]> {
  const slugs = arrivals.flatMap(({ target }) => (target.kind === 'slug' ? [target] : []))
  const matched = slugs.length > 0 ? await matchSlugs(sql, slugs) : []
  let next = 0
  const addressed: Addressed[] = []
  /** projects in which pings create checks */
  const projectsToLock = new Set<string>()
  for (const { target, signal } of arrivals) {
    if (target.kind === 'id') {
      addressed.push({ checkId: target.id, created: false })
      continue
    }
    const matches = matched[next++] ?? NO_MATCHES
    const found = addressOf(matches)
    const willCreate = found === 'not-found' && matches.projectId !== null && target.create
    const mayCreate = signal !== null && target.timing !== 'unusable'
    if (willCreate && mayCreate) projectsToLock.add(matches.projectId)
    addressed.push(willCreate && !mayCreate ? 'rejected' : found)
  }
  if (projectsToLock.size > 0) await provision(sql, arrivals, addressed, [...projectsToLock], rules)
  return addressed
}

/**
 * Searches again while holding the lock, one target at a time, because a ping may be addressed to the check that the previous ping created.
 */
async function provision(
  sql: Sql,
  arrivals: readonly Arrival[],
  addressed: Addressed[],
  projectIds: readonly string[],
  rules: Rules,
): Promise<void> {
  await sql.lock('project', projectIds)
  for (const [index, { target, signal, receivedAt }] of arrivals.entries()) {
    if (target.kind === 'id' || addressed[index] !== 'not-found') continue
    const [matches = NO_MATCHES] = await matchSlugs(sql, [target])
    const found = addressOf(matches)
    addressed[index] = found
    const { create, slug, timing = {} } = target
    const isCreated = found === 'not-found' && create && signal !== null
    if (!isCreated || matches.projectId === null || timing === 'unusable') continue
    const check = rules.provision(matches.projectId, slug, receivedAt, timing)
    await insertCheck(sql, check, rules.alertAfter(check, null))
    await assignAllChannels(sql, check.id, check.projectId)
    addressed[index] = { checkId: check.id, created: true }
  }
}

const FIND_PING_KEY = `SELECT project_id FROM keys WHERE lookup = $1 AND kind = 'ping'`
// If several checks share the slug, reads only two of them.
const FIND_SLUG = `
  SELECT MIN(id) AS id, COUNT(*) AS count
  FROM (SELECT id FROM checks WHERE project_id = $1 AND slug = $2 LIMIT 2) AS matches`

type SlugTarget = Extract<SignalTarget, { kind: 'slug' }>

interface Matches {
  /** project to which the ping key belongs; null if the key is unknown */
  readonly projectId: string | null
  /** id of one of the checks; null if there is none */
  readonly checkId: string | null
  readonly isAmbiguous: boolean
}

const NO_MATCHES: Matches = { projectId: null, checkId: null, isAmbiguous: false }

/** Returns the matches in the order of the targets. */
async function matchSlugs(sql: Sql, targets: readonly SlugTarget[]): Promise<Matches[]> {
  const keys = await sql.getEach<{ project_id: string }>(
    FIND_PING_KEY,
    targets.map(({ pingKey }) => [pingKey]),
  )
  const found = await sql.getEach<{ id: string | null; count: number }>(
    FIND_SLUG,
    targets.map(({ slug }, index) => [keys[index]?.project_id ?? '', slug]),
  )
  return found.map((row, index) => ({
    projectId: keys[index]?.project_id ?? null,
    checkId: row?.id ?? null,
    isAmbiguous: row !== null && row.count > 1,
  }))
}

function addressOf({ checkId, isAmbiguous }: Matches): Addressed {
  if (isAmbiguous) return 'ambiguous'
  return checkId === null ? 'not-found' : { checkId, created: false }
}

// The list is limited, because no more checks than that are ever needed.
const FIND_SHARING = `
  SELECT checks.id FROM checks JOIN keys ON keys.project_id = checks.project_id AND keys.kind = 'ping'
  WHERE keys.lookup = $1 AND checks.slug = $2 LIMIT 20`

/** Returns the checks that each target names. Several checks may share a slug. A check named by its id may not exist. */
export async function namedChecks(sql: Sql, targets: readonly SignalTarget[]): Promise<(readonly string[])[]> {
  const matched = await matchSlugs(
    sql,
    targets.filter((target) => target.kind === 'slug'),
  )
  let next = 0
  const named: (readonly string[])[] = []
  for (const target of targets) {
    if (target.kind === 'id') {
      named.push([target.id])
      continue
    }
    const { checkId, isAmbiguous } = matched[next++] ?? NO_MATCHES
    const sharing = isAmbiguous ? await sql.all<{ id: string }>(FIND_SHARING, [target.pingKey, target.slug]) : []
    named.push(isAmbiguous || checkId === null ? sharing.map(({ id }) => id) : [checkId])
  }
  return named
}

/** Returns whether a ping to this target would find exactly one existing check. Ignores `create`. */
export async function findTarget(sql: Sql, target: SignalTarget): Promise<TargetState> {
  const matches =
    target.kind === 'id' ? { checkId: target.id, isAmbiguous: false } : (await matchSlugs(sql, [target]))[0]
  if (matches?.isAmbiguous) return 'ambiguous'
  const checkId = matches?.checkId ?? null
  const row = checkId === null ? null : await sql.get<Pick<WatchedRow, MailFilter>>(FIND_MAIL_FILTERS, [checkId])
  return row ? { filtersMail: row.filter_subject === 1 || row.filter_body === 1 } : 'not-found'
}

type MailFilter = 'filter_subject' | 'filter_body'
const FIND_MAIL_FILTERS = 'SELECT filter_subject, filter_body FROM checks WHERE id = $1'

interface Loaded {
  readonly working: Map<string, Working>
  readonly firstId: number
}

async function loadChecks(sql: Sql, addressed: readonly Addressed[]): Promise<Loaded> {
  const ids = new Set<string>()
  for (const target of addressed) if (typeof target !== 'string') ids.add(target.checkId)
  const { firstId, rows, counters } = await sql.pings.load([...ids], addressed.length)
  const working = new Map<string, Working>()
  for (const [index, row] of rows.entries()) {
    const counted = counters[index]
    if (!counted) continue
    working.set(row.id, {
      check: toWatchedCheck(row, counted),
      lastPingId: counted.last_ping_id,
      projectId: row.project_id,
      counterId: row.counter_id,
      eventsBefore: row.n_events,
      alertAfter: instantOrNull(row.alert_after),
    })
  }
  return { working, firstId }
}

/** Returns an entry's values, in the order of `PING_COLUMNS`. */
export function pingValues(id: number, previousId: number | null, ping: Ping): Value[] {
  return [
    id,
    previousId,
    ping.checkId,
    ping.n,
    toMicroseconds(ping.receivedAt),
    ping.kind,
    ping.exitStatus,
    ping.rid,
    ping.scheme,
    ping.method,
    ping.ua,
    ping.remoteAddr,
    ping.body,
    ping.contentType,
    ping.ignoredBy,
    microsecondsOrNull(ping.occurredAt),
  ]
}

/**
 * Returns the values to write. Counters change with every ping. Status and `alert_after` are indexed, so they are written only if they have
 * changed.
 */
function statesOf(working: ReadonlyMap<string, Working>, rules: Rules): Pick<PingBatch, 'counters' | 'statuses'> {
  const counters: Value[][] = []
  const statuses: Value[][] = []
  for (const { check, lastPingId, counterId, eventsBefore, alertAfter } of working.values()) {
    counters.push([...counterValues(check), lastPingId, counterId])
    const after = rules.alertAfter(check, alertAfter)
    // `alertAfter` returns the same object if the time is unchanged.
    if (check.nEvents !== eventsBefore || after !== alertAfter) statuses.push([...statusValues(check, after), check.id])
  }
  return { counters, statuses }
}
