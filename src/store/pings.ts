/** Pings: the hot path in, and the chained log out. */
import type { WatchedCheck } from '../domain/check.ts'
import type { Flip } from '../domain/flip.ts'
import { isLongBody } from '../domain/log-bytes.ts'
import type { Ping } from '../domain/ping.ts'
import type { SignalTarget } from '../domain/signal.ts'
import { type Instant, toMicroseconds } from '../domain/time.ts'
import { assignAllChannels } from './channels.ts'
import { insertCheck } from './checks.ts'
import type { Sql, Value } from './database.ts'
import { insertFlips } from './flips.ts'
import { type Mark, markLogs } from './overgrown.ts'
import { type Changing, NO_CHANGES, touch } from './revisions.ts'
import {
  assignments,
  COUNTER_COLUMNS,
  type CounterRow,
  counterValues,
  instantOrNull,
  toWatchedCheck,
  VERDICT_COLUMNS,
  verdictValues,
  WATCHED_COLUMNS,
  type WatchedRow,
} from './rows.ts'
import { countRuns, type EndedRun } from './run-durations.ts'
import type { Arrival, ArrivalOutcome, CommittedPings, Rules, TargetState } from './store.ts'

/** A log may outgrow its limit by as many entries before the retention loop is asked to shorten it. */
const PRUNE_EVERY = 100

/** A check while its batch is being decided. */
interface Working {
  check: WatchedCheck
  lastPingId: number | null
  readonly projectId: string
  readonly counterId: number
  readonly flipsBefore: number
  readonly alertAfter: Instant | null
}

/** @param logBytes that the bodies of a log may take beyond the newest entry's */
export async function commitPings(
  sql: Sql,
  arrivals: readonly Arrival[],
  rules: Rules,
  logBytes: number,
): Promise<Changing<CommittedPings>> {
  const addressed = await findTargets(sql, arrivals, rules)
  const working = await loadChecks(sql, addressed)
  const pings: Value[][] = []
  const flips: Flip[] = []
  const runs: EndedRun[] = []
  const overgrown = new Map<string, Mark>()
  const touched = new Map<string, string[]>()
  const edited = new Set<string>()
  let prunable = false
  let id = await newestPingId(sql)
  const outcomes = arrivals.map((arrival, index): ArrivalOutcome => {
    const target = addressed[index] ?? 'not-found'
    if (typeof target === 'string') return target
    const { signal, receivedAt } = arrival
    const entry = working.get(target.checkId)
    if (!entry) return 'not-found'
    if (!signal) return 'rejected'
    const { check, ping, flip, duration } = rules.receive(entry.check, signal, receivedAt)
    id += 1
    pings.push(pingValues(id, entry.lastPingId, ping))
    entry.check = check
    entry.lastPingId = id
    if (target.created) edited.add(entry.projectId)
    touch(touched, entry.projectId, check.id)
    if (flip) flips.push(flip)
    if (duration !== null) runs.push({ checkId: check.id, duration })
    const isLong = ping.body !== null && isLongBody(ping.body.length, logBytes)
    if (isLong || ping.n % PRUNE_EVERY === 0) overgrown.set(check.id, { checkId: check.id, n: ping.n })
    prunable ||= isLong
    return target.created ? 'created' : 'ok'
  })
  if (pings.length === 0) return { result: { outcomes, owed: false, prunable }, changes: NO_CHANGES }
  await sql.runEach(INSERT_PING, pings)
  await writeStates(sql, working, rules)
  await countRuns(sql, runs)
  await markLogs(sql, [...overgrown.values()])
  const statuses = flips.length > 0 || edited.size > 0
  const owed = await insertFlips(sql, flips, rules)
  return { result: { outcomes, owed, prunable }, changes: { touched, edited, statuses } }
}

type Addressed = { readonly checkId: string; readonly created: boolean } | 'not-found' | 'ambiguous' | 'rejected'

/** Turns each target into the id of a check. One by one, since a ping may name the check that the one before it made. */
async function findTargets(sql: Sql, arrivals: readonly Arrival[], rules: Rules): Promise<Addressed[]> {
  const addressed: Addressed[] = []
  for (const arrival of arrivals) {
    addressed.push(
      arrival.target.kind === 'id'
        ? { checkId: arrival.target.id, created: false }
        : await findBySlug(sql, arrival.target, arrival, rules),
    )
  }
  return addressed
}

const FIND_PING_KEY = `SELECT project_id FROM keys WHERE lookup = $1 AND kind = 'ping'`
const FIND_SLUG = 'SELECT id FROM checks WHERE project_id = $1 AND slug = $2 LIMIT 2'

type SlugTarget = Extract<SignalTarget, { kind: 'slug' }>

/** The project is null when nothing is known by that ping key. */
interface Matches {
  readonly projectId: string | null
  readonly checkIds: readonly string[]
}

async function matchSlug(sql: Sql, { pingKey, slug }: SlugTarget): Promise<Matches> {
  const key = await sql.get<{ project_id: string }>(FIND_PING_KEY, [pingKey])
  if (!key) return { projectId: null, checkIds: [] }
  const rows = await sql.all<{ id: string }>(FIND_SLUG, [key.project_id, slug])
  return { projectId: key.project_id, checkIds: rows.map(({ id }) => id) }
}

async function findBySlug(sql: Sql, target: SlugTarget, arrival: Arrival, rules: Rules): Promise<Addressed> {
  const { projectId, checkIds } = await matchSlug(sql, target)
  const [checkId, ...others] = checkIds
  if (others.length > 0) return 'ambiguous'
  if (checkId !== undefined) return { checkId, created: false }
  if (projectId === null || !target.create) return 'not-found'
  if (!arrival.signal) return 'rejected'
  const check = rules.provision(projectId, target.slug, arrival.receivedAt)
  await insertCheck(sql, check, rules.alertAfter(check, null))
  await assignAllChannels(sql, check.id, check.projectId)
  return { checkId: check.id, created: true }
}

export async function findTarget(sql: Sql, target: SignalTarget): Promise<TargetState> {
  const checkIds = target.kind === 'id' ? [target.id] : (await matchSlug(sql, target)).checkIds
  const [checkId, ...others] = checkIds
  if (others.length > 0) return 'ambiguous'
  const row = checkId === undefined ? null : await sql.get<Pick<WatchedRow, MailFilter>>(FIND_MAIL_FILTERS, [checkId])
  return row ? { filtersMail: row.filter_subject === 1 || row.filter_body === 1 } : 'not-found'
}

type MailFilter = 'filter_subject' | 'filter_body'
const FIND_MAIL_FILTERS = 'SELECT filter_subject, filter_body FROM checks WHERE id = $1'

async function loadChecks(sql: Sql, addressed: readonly Addressed[]): Promise<Map<string, Working>> {
  const ids = new Set<string>()
  for (const target of addressed) if (typeof target !== 'string') ids.add(target.checkId)
  const found = await sql.getEach<WatchedRow>(
    FIND_WATCHED,
    Array.from(ids, (id) => [id]),
  )
  const rows = found.filter((row) => row !== null)
  // Not joined: to prepare a join costs the engine more than both look-ups, each time.
  const counters = await sql.getEach<CounterRow>(
    FIND_COUNTERS,
    rows.map((row) => [row.counter_id]),
  )
  const working = new Map<string, Working>()
  for (const [index, row] of rows.entries()) {
    const counted = counters[index]
    if (!counted) throw new Error(`check ${row.id} has no counters`)
    working.set(row.id, {
      check: toWatchedCheck(row, counted),
      lastPingId: counted.last_ping_id,
      projectId: row.project_id,
      counterId: row.counter_id,
      flipsBefore: row.n_flips,
      alertAfter: instantOrNull(row.alert_after),
    })
  }
  return working
}

const FIND_WATCHED = `SELECT ${WATCHED_COLUMNS} FROM checks WHERE id = $1`
const FIND_COUNTERS = 'SELECT * FROM counters WHERE counter_id = $1'

const PING_COLUMNS =
  'id, previous_id, check_id, n, received_at, kind, exit_status, rid, scheme, method, ua, remote_addr, body'
const INSERT_PING = `INSERT INTO pings (${PING_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`

function pingValues(id: number, previousId: number | null, ping: Ping): Value[] {
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
  ]
}

/** Ids only grow while an entry that points to an older one is kept, so a pointer never meets a stranger's entry. */
async function newestPingId(sql: Sql): Promise<number> {
  const row = await sql.get<{ id: number | null }>('SELECT MAX(id) AS id FROM pings', [])
  return row?.id ?? 0
}

const COUNTED = [...COUNTER_COLUMNS, 'last_ping_id']
const UPDATE_COUNTERS = `UPDATE counters SET ${assignments(COUNTED)} WHERE counter_id = $${COUNTED.length + 1}`
const UPDATE_VERDICT = `UPDATE checks SET ${assignments(VERDICT_COLUMNS)} WHERE id = $${VERDICT_COLUMNS.length + 1}`

/** Every ping changes the counters; status and `alert_after` stand in indexes, and are written only where they move. */
async function writeStates(sql: Sql, working: ReadonlyMap<string, Working>, rules: Rules): Promise<void> {
  const counted: Value[][] = []
  const moved: Value[][] = []
  for (const { check, lastPingId, counterId, flipsBefore, alertAfter } of working.values()) {
    counted.push([...counterValues(check), lastPingId, counterId])
    const after = rules.alertAfter(check, alertAfter)
    // The very instant is handed back where it stays.
    if (check.nFlips !== flipsBefore || after !== alertAfter) moved.push([...verdictValues(check, after), check.id])
  }
  await sql.runEach(UPDATE_COUNTERS, counted)
  if (moved.length > 0) await sql.runEach(UPDATE_VERDICT, moved)
}
