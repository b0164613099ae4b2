/** The soak: loads the real program evenly for a given time and takes samples of it. Linux only (`/proc`). */
import { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { createHistogram, type Histogram } from '../../bench/support/histogram.ts'
import { cpuSeconds, memoryOf } from '../../bench/support/process-figures.ts'
import { folderOnDisk } from '../../test/support/folder.ts'
import { type Served, serve } from '../../test/support/served.ts'
import { answering, type Receiver } from '../support/receivers.ts'
import type { DatabaseState, Plan, Sample, Soak } from './criteria.ts'
import { openDescriptors } from './descriptors.ts'
import { call, pingRare } from './other-requests.ts'
import { MEAN_BODY_BYTES, plannedPing } from './pings.ts'
import { createSoakTarget, type SoakTarget } from './target.ts'

interface SoakOptions {
  readonly minutes: number
  /** number of pings, spread evenly over the time */
  readonly pings: number
  readonly checks: number
  /** ends the load early; the result then lacks pings */
  readonly signal?: AbortSignal
  /** called with each sample when it is taken */
  readonly onSample?: (sample: Sample) => void
}

export interface SoakResult extends Soak {
  /** durations from the request of a ping to its answer */
  readonly latency: Histogram
}

const LOG_LIMIT = 100
/** Number of pings in progress at which the load waits for the server. */
const MOST_PINGS_IN_PROGRESS = 200
const TICK_MS = 10
const CALL_EVERY_MS = 250
/** Interval of pings to the rare checks, which go down two minutes after each ping. */
const RARE_EVERY_MS = 300_000
const SAMPLES = 720
/** Multiple of its time after which a load ends early; the result then lacks pings. */
const TIME_LIMIT = 1.25
const DELIVERED_WITHIN_MS = 30_000
const MOST_WRONG_ANSWERS = 1_000

/** @throws when the server does not start, or does not stop when asked to */
export async function soak({ minutes, pings, checks, signal, onSample }: SoakOptions): Promise<SoakResult> {
  const receiver = answering(0)
  const folder = folderOnDisk()
  const path = folder.file('o.db')
  const served = await serve({
    DATABASE_URL: `sqlite:${path}`,
    INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True',
    PING_LOG_LIMIT: String(LOG_LIMIT),
  })
  try {
    const target = await createSoakTarget(served.databaseUrl, served.baseUrl, checks, receiver.url)
    const plan = {
      seconds: minutes * 60,
      pings,
      checks: checks + 1,
      logLimit: LOG_LIMIT,
      meanBodyBytes: MEAN_BODY_BYTES,
    }
    const logStart = served.logs().length
    const load = new Load(target, plan, signal)
    const samples = await watch(load, served, receiver, onSample)
    await delivered(path)
    return {
      plan,
      samples,
      pingsAnswered: load.pingsAnswered,
      callsAnswered: load.callsAnswered,
      wrongAnswers: load.wrongAnswers,
      latency: load.latency,
      logErrors: errorsIn(served.logs().slice(logStart)),
      database: stateOf(path),
      messages: new Set(receiver.arrivals.map(({ id }) => id)).size,
    }
  } finally {
    await served.stop()
    await receiver.stop()
    folder.remove()
  }
}

/** Sends the planned pings and the other requests, and counts the answers. */
class Load {
  readonly latency = createHistogram()
  readonly wrongAnswers: string[] = []
  pingsAnswered = 0
  callsAnswered = 0
  readonly #target: SoakTarget
  readonly #signal: AbortSignal | undefined
  readonly #began = performance.now()
  #isOver = false

  constructor(
    target: SoakTarget,
    readonly plan: Plan,
    signal?: AbortSignal,
  ) {
    this.#target = target
    this.#signal = signal
  }

  /** seconds since the load began */
  get seconds(): number {
    return (performance.now() - this.#began) / 1000
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Resolves when all pings are answered, or when the load was ended. */
  async run(): Promise<void> {
    const others = [
      this.#inTurn(CALL_EVERY_MS, (n) => call(this.#target, n)),
      this.#inTurn(RARE_EVERY_MS, () => pingRare(this.#target)),
    ]
    await this.#sendPings()
    this.#isOver = true
    await Promise.all(others)
  }

  end(): void {
    this.#isOver = true
  }

  get #mustEnd(): boolean {
    const isLate = this.seconds > TIME_LIMIT * this.plan.seconds
    return this.#isOver || isLate || (this.#signal?.aborted ?? false) || this.wrongAnswers.length >= MOST_WRONG_ANSWERS
  }

  async #sendPings(): Promise<void> {
    const { pings, seconds } = this.plan
    const inProgress = new Set<Promise<void>>()
    for (let sent = 0; sent < pings && !this.#mustEnd; await Bun.sleep(TICK_MS)) {
      const due = Math.min(pings, (this.seconds / seconds) * pings)
      for (; sent < due && inProgress.size < MOST_PINGS_IN_PROGRESS; sent += 1) {
        const ping = this.#ping(sent).finally(() => inProgress.delete(ping))
        inProgress.add(ping)
      }
    }
    await Promise.all(inProgress)
  }

  async #ping(n: number): Promise<void> {
    const { url, method, body } = plannedPing(this.#target, n)
    const sentAt = performance.now()
    try {
      const answer = await fetch(url, { method, body })
      const text = await answer.text()
      this.latency.add(performance.now() - sentAt)
      if (answer.status === 200 && text === 'OK') this.pingsAnswered += 1
      else this.wrongAnswers.push(`ping ${n}: ${answer.status} ${text}`)
    } catch (error) {
      this.wrongAnswers.push(`ping ${n}: ${error}`)
    }
  }

  async #inTurn(everyMs: number, work: (n: number) => Promise<void>): Promise<void> {
    let dueAt = performance.now()
    for (let n = 0; !this.#mustEnd; await Bun.sleep(TICK_MS)) {
      if (performance.now() < dueAt) continue
      dueAt += everyMs
      try {
        await work(n)
        this.callsAnswered += 1
      } catch (error) {
        this.wrongAnswers.push(`call ${n}: ${error}`)
      }
      n += 1
    }
  }
}

/** Runs the load and samples the server until the load is over or the server has ended. */
async function watch(load: Load, served: Served, receiver: Receiver, onSample?: (sample: Sample) => void) {
  const samples: Sample[] = []
  const path = served.databaseUrl.replace('sqlite:', '')
  const running = load.run()
  for (let dueAt = 0; !load.isOver; await Bun.sleep(TICK_MS)) {
    if (load.seconds < dueAt) continue
    dueAt += Math.max(0.5, load.plan.seconds / SAMPLES)
    try {
      const sample = takeSample(load, served, path, receiver)
      samples.push(sample)
      onSample?.(sample)
    } catch (error) {
      load.wrongAnswers.push(`the server has ended: ${error}`)
      load.end()
    }
  }
  await running
  return samples
}

function takeSample(load: Load, { pid, baseUrl }: Served, path: string, { arrivals }: Receiver): Sample {
  const bytes = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return {
    at: load.seconds,
    residentMegabytes: memoryOf(pid).residentMegabytes,
    mainBytes: bytes(path),
    walBytes: bytes(`${path}-wal`),
    cpuSeconds: cpuSeconds(pid),
    descriptors: openDescriptors(pid, Number(new URL(baseUrl).port)),
    pings: load.pingsAnswered,
    calls: load.callsAnswered,
    messages: arrivals.length,
  }
}

/** Waits until no delivery is pending, at most for a while; deliveries that still are make a criterion fail. */
async function delivered(path: string): Promise<void> {
  const until = performance.now() + DELIVERED_WITHIN_MS
  while (performance.now() < until && stateOf(path, []).deliveriesNotSent > 0) await Bun.sleep(200)
}

function stateOf(path: string, checks = ['integrity_check', 'foreign_key_check']): DatabaseState {
  using database = new Database(path, { readonly: true })
  const figure = (statement: string) => Number(database.query(statement).values()[0]?.[0])
  const pageBytes = figure('PRAGMA page_size')
  return {
    faults: checks
      .flatMap((check) => database.query(`PRAGMA ${check}`).values().map(String))
      .filter((line) => line !== 'ok'),
    logEntries: figure('SELECT COUNT(*) FROM pings'),
    flips: figure('SELECT COUNT(*) FROM events'),
    deliveriesSent: figure("SELECT COUNT(*) FROM deliveries WHERE state = 'sent'"),
    deliveriesNotSent: figure("SELECT COUNT(*) FROM deliveries WHERE state <> 'sent'"),
    bytes: pageBytes * figure('PRAGMA page_count'),
    freeBytes: pageBytes * figure('PRAGMA freelist_count'),
  }
}

/** Returns log lines of level error, and lines that aren't log lines, such as a stack trace. */
function errorsIn(log: string): string[] {
  return log.split('\n').filter((line) => line !== '' && !/"level":"(DEBUG|INFO|WARN|WARNING)"/.test(line))
}
