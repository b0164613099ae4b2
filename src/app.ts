/**
 * The composition root: settings → store, services, doors. Building starts nothing; `start` opens the socket and mounts
 * the loops, `stop` drains them. Tests build the same app with a clock of their own.
 */
import type { Config } from './config.ts'
import { createHttpSender } from './delivery/http.ts'
import type { Carriers } from './domain/carriers.ts'
import { UserError } from './domain/errors.ts'
import type { Log } from './domain/log.ts'
import { type Clock, type Instant, isBefore, Temporal } from './domain/time.ts'
import { createClientReader } from './http/client.ts'
import { createHttp } from './http/index.ts'
import { type Jobs, type Loops, startLoops } from './loops/index.ts'
import { createJob, type Job } from './loops/job.ts'
import type { Deps, Random } from './services/deps.ts'
import { flipOverdue } from './services/flips.ts'
import { createCourier } from './services/notifications.ts'
import { createHeartbeat, sayGoodbye } from './services/outage.ts'
import { createPingReceiver } from './services/pings.ts'
import { createRateLimit } from './services/rate-limit.ts'
import { prune } from './services/retention.ts'
import { settleSecret } from './services/secret.ts'
import { createStore } from './store/sql-store.ts'
import { openSqlite } from './store/sqlite.ts'
import { registry } from './transports/index.ts'

/** What tests and commands replace. */
export interface Overrides {
  /** false: a database that does not exist is not made */
  readonly create?: boolean
  readonly now?: Clock
  readonly random?: Random
  readonly carriers?: Partial<Carriers>
}

export const systemClock: Clock = () => Temporal.Now.instant()

const systemRandom: Random = {
  uuid: () => crypto.randomUUID(),
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  fraction: Math.random,
}

/** Everything the services need, with an open store. @throws UserError when the database or the secret cannot be used */
export async function createDeps(config: Config, log: Log, overrides: Overrides = {}): Promise<Deps> {
  const { create = true } = overrides
  const store = createStore(await openSqlite({ path: config.databasePath, create }))
  const random = overrides.random ?? systemRandom
  const secret = await settleSecret({ store, random }, config.secretKey)
  return {
    store,
    random,
    log,
    now: overrides.now ?? systemClock,
    site: { name: config.siteName, links: config.links, secret },
    transports: registry,
    carriers: { ...createCarriers(config), ...overrides.carriers },
    operator: config.operator,
    pingBodyLimit: config.pingBodyLimit,
    pingLogLimit: config.pingLogLimit,
    onOwed: () => {},
  }
}

function createCarriers(config: Config): Carriers {
  return {
    http: createHttpSender({ allowPrivateAddresses: config.allowPrivateAddresses }),
    mail: async () => ({ kind: 'unreachable', error: 'TODO' }),
    shell: async () => ({ kind: 'aborted', error: 'TODO' }),
    signal: async () => ({ kind: 'unreachable', error: 'TODO' }),
  }
}

export interface App {
  readonly deps: Deps
  /** Answers a request without a socket. */
  handle(request: Request): Promise<Response>
  /** Runs a loop's job to its end, deliveries with what they send; for tests that wind the clock. */
  settle(job: keyof Jobs): Promise<void>
  /** @returns the port that is listened on */
  start(): Promise<number>
  /** Stops accepting, flushes what is pending, closes the store; within 5 seconds. */
  stop(): Promise<void>
}

/** Together less than 5 seconds. */
const DRAIN_MS = 1_500
const LAST_DELIVERIES_MS = 500

export function createApp(config: Config, given: Deps): App {
  const jobs: { deliveries?: Job } = {}
  const deps: Deps = { ...given, onOwed: () => jobs.deliveries?.run() }
  const { now, log } = deps
  const pings = createPingReceiver(deps)
  const courier = createCourier(deps)
  const clients = createClientReader(config.trustedProxies)
  const http = createHttp({ ...deps, pings, clients, rateLimit: createRateLimit(now, config.apiRateLimit) })
  const work = {
    overdue: () => flipOverdue(deps),
    deliveries: () => courier.deliverDue(),
    retention: () => prune(deps),
  }
  let loops: Loops | null = null

  const job = (name: keyof Jobs, run: () => Promise<Instant | null>) =>
    createJob({ now, work: run, onError: (error) => log('error', `the ${name} loop failed`, reason(error)) })

  return {
    deps,
    handle: (request) => http.handle(request),
    async settle(name) {
      let next: Instant | null
      do {
        next = await work[name]()
        await courier.drain()
      } while (next !== null && !isBefore(now(), next))
    },
    async start() {
      const port = listen(http, config)
      const deliveries = job('deliveries', work.deliveries)
      const heartbeat = createHeartbeat(deps)
      jobs.deliveries = deliveries
      loops = startLoops({
        overdue: job('overdue', () => heartbeat().then(work.overdue)),
        deliveries,
        retention: job('retention', work.retention),
      })
      return port
    },
    async stop() {
      // Requests under way are answered; connections that idle are not waited for.
      if (http.server) await Promise.race([http.server.stop(), Bun.sleep(DRAIN_MS)])
      // A lock that another process holds may keep a write waiting for longer than anybody waits for a program to end.
      const flushed = Promise.all([pings.drain(), loops?.stop()]).then(() => loops && sayGoodbye(deps))
      await Promise.race([flushed, Bun.sleep(DRAIN_MS)])
      // The answers to what was flushed last are on their way out.
      await Bun.sleep(0)
      await http.server?.stop(true)
      await Promise.race([courier.drain(), Bun.sleep(LAST_DELIVERIES_MS)])
      await Promise.race([deps.store.close(), Bun.sleep(LAST_DELIVERIES_MS)])
    },
  }
}

/** Beyond what is read anyway; the limits with words are in `http/body.ts`. */
const SOCKET_BODY_LIMIT = 16 * 1024 * 1024

function listen(http: ReturnType<typeof createHttp>, { host, port }: Config): number {
  try {
    http.listen({ hostname: host, port, maxRequestBodySize: SOCKET_BODY_LIMIT })
  } catch (error) {
    const hint = 'set PORT to a free one, or stop what listens there'
    throw new UserError(`cannot listen on ${host}:${port}: ${reason(error).reason}`, hint, { cause: error })
  }
  return http.server?.port ?? port
}

function reason(error: unknown) {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return { reason: `${error instanceof Error ? error.message : error}${cause}` }
}
