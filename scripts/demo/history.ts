/**
 * Creates the past of the demo: the pings of a month go through the store's own commit, and the loops run whenever something is due, by a
 * clock set by hand. So states, flips, alerts and logs are those of a server that has run all the time.
 */
import type { App } from '../../src/app/app.ts'
import type { Check } from '../../src/domain/check/check.ts'
import { type Instant, later, Temporal } from '../../src/lib/time.ts'
import { pauseCheck, upsertCheck } from '../../src/services/checks/checks.ts'
import type { Deps } from '../../src/services/common/deps.ts'
import { rules } from '../../src/services/common/rules.ts'
import type { Arrival } from '../../src/store/store.ts'
import { type Company, found, OWNER } from './company.ts'
import type { Job } from './job.ts'
import { JOBS } from './jobs/index.ts'
import { planMaintenance } from './maintenance.ts'
import { DAY_MS, HOUR_MS, madeAt, type PlannedPing, planPings } from './plan.ts'
import { signalOf } from './signal.ts'
import { makeStatusPage } from './status-page.ts'

export interface WoundClock {
  readonly now: () => Instant
  /** Sets the clock, never back. @param at milliseconds since the epoch */
  set(at: number): void
}

export function woundClock(): WoundClock {
  let present = Temporal.Instant.fromEpochMilliseconds(0)
  return {
    now: () => present,
    set(at) {
      present = later(present, Temporal.Instant.fromEpochMilliseconds(Math.floor(at)))
    },
  }
}

/** A job with its future pings. */
export interface LiveJob {
  readonly job: Job
  readonly checkId: string
  readonly rest: Iterable<PlannedPing>
}

type Step = { readonly at: number } & (
  | { readonly kind: 'ping'; readonly ping: PlannedPing }
  | { readonly kind: 'act'; readonly act: () => Promise<void> }
)

/** Batch size, small enough that the rules about a batch fit into a transaction of a few milliseconds. */
const BATCH_LIMIT = 500
const ROUNDS_PER_TURN = 50

interface HistoryOptions {
  /** app on an empty database, with the clock */
  readonly app: App
  readonly clock: WoundClock
  /** target of integrations, `http://127.0.0.1:9000` */
  readonly receiver: string
  /** start of the demo, in milliseconds since the epoch */
  readonly until: number
  /** when aborted, the history fails with its reason */
  readonly signal: AbortSignal | undefined
}

/** @returns jobs that continue from there */
export async function makeHistory({ app, clock, receiver, until, signal }: HistoryOptions): Promise<LiveJob[]> {
  const { deps } = app
  clock.set(Math.min(...JOBS.map((job) => madeAt(job, until))) - HOUR_MS)
  const company = await found(deps, receiver)
  const checks = new Map<Job, Check>()
  const { past, rests } = splitAt(until)
  const steps = [...past, ...acts(app, company, checks, until)].sort((a, b) => a.at - b.at)
  await play({ app, clock, signal }, steps, checks)
  const books = company.project('Harbour Books')
  const owner = await company.actor(OWNER, books)
  await makeStatusPage(deps, owner, [...checks.values()])
  clock.set(until)
  await planMaintenance(deps, owner)
  for (const job of ['overdue', 'deliveries', 'retention', 'search', 'advice'] as const) await app.settle(job)
  await deps.store.server.recordAlive(deps.now())
  return JOBS.map((job) => ({ job, checkId: idOf(checks, job), rest: rests.get(job) ?? [] }))
}

/** Divides the pings into those before and after an instant. */
function splitAt(until: number): { readonly past: Step[]; readonly rests: Map<Job, Iterable<PlannedPing>> } {
  const past: Step[] = []
  const rests = new Map<Job, Iterable<PlannedPing>>()
  for (const job of JOBS) {
    const pings = planPings(job, until)
    let next = pings.next()
    for (; !next.done && next.value.at < until; next = pings.next()) {
      past.push({ kind: 'ping', at: next.value.at, ping: next.value })
    }
    rests.set(job, next.done ? [] : beginningWith(next.value, pings))
  }
  return { past, rests }
}

function* beginningWith<Item>(first: Item, rest: Iterable<Item>): Generator<Item, void> {
  yield first
  yield* rest
}

/** Acts of people, and emails of the server. */
function acts(app: App, company: Company, checks: Map<Job, Check>, until: number): Step[] {
  const { deps } = app
  const made = JOBS.map((job): Step => {
    const act = async () => {
      const actor = await company.actor(OWNER, company.project(job.project))
      checks.set(job, (await upsertCheck(deps, actor, job.spec, false)).check)
    }
    return { kind: 'act', at: madeAt(job, until), act }
  })
  const paused = JOBS.flatMap((job): Step[] => {
    const { paused } = job
    if (!paused) return []
    const act = async () => {
      const actor = await company.actor(paused.by, company.project(job.project))
      await pauseCheck(deps, actor, await findCheck(deps, idOf(checks, job)))
    }
    return [{ kind: 'act', at: until - paused.hoursAgo * HOUR_MS, act }]
  })
  const first = Math.min(...made.map(({ at }) => at))
  const days = Array.from({ length: Math.floor((until - first) / DAY_MS) }, (_, day) => until - day * DAY_MS)
  return [...made, ...paused, ...days.map((at): Step => ({ kind: 'act', at, act: () => app.settle('mailings') }))]
}

async function findCheck({ store }: Deps, id: string): Promise<Check> {
  const found = await store.checks.find(id)
  if (!found) throw new Error('a check of the demo is gone')
  return found.check
}

function idOf(checks: ReadonlyMap<Job, Check>, job: Job): string {
  const check = checks.get(job)
  if (!check) throw new Error(`the check of "${job.spec.name}" was not made before its first ping`)
  return check.id
}

async function play(
  { app, clock, signal }: Pick<HistoryOptions, 'app' | 'clock' | 'signal'>,
  steps: readonly Step[],
  checks: ReadonlyMap<Job, Check>,
): Promise<void> {
  const { deps } = app
  const applied = rules(deps)
  let delivery = NEVER
  const deliver = async () => {
    await app.settle('deliveries')
    delivery = whenDue(await deps.store.deliveries.nextAt())
  }
  for (let from = 0, round = 0; from < steps.length; round++) {
    // Lets a signal of the system be delivered.
    if (round % ROUNDS_PER_TURN === 0) await Bun.sleep(0)
    signal?.throwIfAborted()
    const look = whenDue(await deps.store.flips.nextLookAt())
    const step = steps[from]
    if (step === undefined) break
    if (delivery <= Math.min(look, step.at)) {
      clock.set(delivery)
      await deliver()
    } else if (look <= step.at) {
      clock.set(look)
      await app.settle('overdue')
      delivery = whenDue(await deps.store.deliveries.nextAt())
    } else if (step.kind === 'act') {
      clock.set(step.at)
      await step.act()
      from += 1
    } else {
      const pings = together(steps, from, Math.min(look, delivery))
      from += pings.length
      const arrivals: Arrival[] = []
      for (const ping of pings) arrivals.push(await arrivalOf(deps, ping, idOf(checks, ping.job)))
      clock.set(pings.at(-1)?.at ?? step.at)
      const { owed } = await deps.store.pings.commit(arrivals, applied)
      if (owed) await deliver()
    }
  }
}

const NEVER = Number.POSITIVE_INFINITY

/** Returns milliseconds since the epoch, not before the given time, which is in microseconds. */
function whenDue(at: Instant | null): number {
  return at === null ? NEVER : at.epochMilliseconds + 1
}

/** Returns pings that form a batch: nothing else is due before the last of them, and only the last may send a check up or down. */
function together(steps: readonly Step[], from: number, due: number): PlannedPing[] {
  const pings: PlannedPing[] = []
  const deadlines = new Map<Job, number>()
  for (const step of steps.slice(from, from + BATCH_LIMIT)) {
    if (step.kind === 'act' || step.at >= Math.min(due, ...deadlines.values())) break
    const { ping } = step
    pings.push(ping)
    if (ping.turns) break
    deadlines.set(ping.job, step.at + leastWait(ping) * 1000)
  }
  return pings
}

/** Returns seconds in which the check does not go down, whatever follows the ping. */
function leastWait({ job: { spec }, action }: PlannedPing): number {
  const { grace = 0, timeout = 0, schedule } = spec
  return action === 'start' || schedule !== undefined ? grace : timeout + grace
}

async function arrivalOf(deps: Deps, ping: PlannedPing, id: string): Promise<Arrival> {
  return {
    target: { kind: 'id', id },
    signal: await signalOf(deps, ping),
    receivedAt: Temporal.Instant.fromEpochMilliseconds(ping.at),
  }
}
