/**
 * The composition root connects the services, HTTP, SMTP and the loops. Building the app starts nothing: `start` opens the ports and starts
 * the loops, and `stop` drains them. Tests build the same app with their own clock.
 */
import { tmpdir } from 'node:os'
import { version } from '../../package.json'
import type { Config } from '../config/config.ts'
import { isLogged } from '../domain/errors.ts'
import { createClientReader } from '../http/client.ts'
import { createHttp, type WebDeps } from '../http/index.ts'
import { listen } from '../http/listen.ts'
import { AdminImport } from '../import/engine/admin-import.ts'
import { createRateLimit } from '../lib/limits/rate-limit.ts'
import type { Log } from '../lib/log.ts'
import { type Instant, isBefore } from '../lib/time.ts'
import { type Jobs, type Loops, startLoops } from '../loops/index.ts'
import type { Deps, ServerDeps } from '../services/common/deps.ts'
import { LongReads } from '../services/common/long-reads.ts'
import { createCourier } from '../services/courier/courier.ts'
import { Hub } from '../services/live/hub.ts'
import { createPingReceiver } from '../services/pings/pings.ts'
import { RefusedNotes } from '../services/pings/refused-signals.ts'
import { recordStop } from '../services/server/outage.ts'
import { createReadiness } from '../services/server/readiness.ts'
import { type MailDoor, openMailDoor } from '../smtp/server.ts'
import type { NoticeListener } from '../store/store.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { openBackups } from './backups.ts'
import { folderOf } from './deps.ts'
import { createImportPlaces } from './import-places.ts'
import { createJobs } from './jobs.ts'

export interface App {
  readonly deps: ServerDeps
  /** Answers a request without a socket. */
  handle(request: Request): Promise<Response>
  /** Runs a loop's job until nothing is due, including the deliveries that it creates. Meant for tests with their own clock. */
  settle(job: keyof Jobs): Promise<void>
  /**
   * @param prepare called with the HTTP port once all ports are open; requests wait until it has finished. Not called if a port is taken
   * @returns the HTTP port
   */
  start(prepare?: (port: number) => Promise<void>): Promise<number>
  /** The port that receives email; null if email is off or the app has not started. */
  mailPort(): number | null
  /** Makes `/healthz` fail, so that load balancers send no more requests. Everything else keeps working until `stop`. */
  drain(): void
  /** Stops accepting requests, flushes pending work and closes the store, within 5 seconds. */
  stop(): Promise<void>
}

/** Time limit in milliseconds for each wait during a stop. The waits together take less than 5 seconds. */
const DRAIN_MS = 1_500
const LAST_DELIVERIES_MS = 500

/** Loads tracing only if it is on, because its libraries are half as large as the rest of the server. */
export async function openTelemetry({ tracing }: Config, log: Log): Promise<Telemetry | null> {
  if (tracing === null) return null
  const { startTelemetry } = await import('../telemetry/index.ts')
  return startTelemetry(tracing, log, version)
}

/** @param telemetry null if tracing is off */
export function createApp(config: Config, given: Deps, telemetry: Telemetry | null = null): App {
  const { now } = given
  const deps: ServerDeps = {
    ...(telemetry?.deps(given) ?? given),
    importPlaces: createImportPlaces({
      ...{ now, secret: given.site.secret, folder: folderOf(config.database) ?? tmpdir() },
      ...{ pingLogLimit: given.pingLogLimit, allowPrivateAddresses: given.allowPrivateAddresses },
    }),
    live: new Hub(given),
    onDeliveriesCreated: () => jobs.deliveries.run(),
    onPrunable: () => jobs.retention.run(),
  }
  const receiver = createPingReceiver(deps)
  const pings = telemetry?.pings(receiver) ?? receiver
  const courier = createCourier(deps)
  const refusedNotes = new RefusedNotes(deps)
  const adminImport = new AdminImport(deps)
  const backups = openBackups(config, deps)
  let isDraining = false
  const httpDeps: WebDeps = {
    ...deps,
    pings,
    refusedNotes,
    clients: createClientReader(config.trustedProxies),
    rateLimit: createRateLimit(now, config.apiRateLimit),
    publicLimit: createRateLimit(now, config.publicRateLimit),
    longReads: new LongReads(deps.store),
    adminImport,
    backups,
    readiness: createReadiness(deps),
    isDraining: () => isDraining,
  }
  let http: ReturnType<typeof createHttp> | null = null
  /**
   * Builds the HTTP server when the first request arrives, because building its hundreds of routes takes longer than the rest of the start.
   */
  const openHttp = () => {
    http ??= createHttp(httpDeps, telemetry?.requests)
    return http
  }
  const scheduledBackups = config.backups.schedule === null ? null : backups
  const { work, jobs } = createJobs(
    { ...deps, courier, refusedNotes, scheduledBackups },
    telemetry?.loop ?? ((_name, run) => run),
  )
  let loops: Loops | null = null
  let mailDoor: MailDoor | null = null
  let stopNotices = () => {}
  const noticed: NoticeListener = (changed) => {
    jobs.overdue.run()
    jobs.incidents.run()
    jobs.deliveries.run()
    jobs.retention.run()
    void deps.live.noticeOthers(changed)
  }

  return {
    deps,
    handle: (request) => openHttp().handle(request),
    async settle(name) {
      let next: Instant | null
      do {
        next = await work[name](now())
        await courier.drain()
      } while (next !== null && !isBefore(now(), next))
    },
    async start(prepare = async () => {}) {
      const { host, mailPings } = config
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const port = await listen(openHttp(), config, begun)
      if (mailPings) mailDoor = await openMailDoor({ ...deps, pings, refusedNotes }, { host, ...mailPings })
      await prepare(port)
      loops = startLoops(jobs)
      stopNotices = deps.store.changes.watchNotices(noticed)
      begin()
      return port
    },
    mailPort: () => mailDoor?.port ?? null,
    drain() {
      isDraining = true
    },
    async stop() {
      stopNotices()
      // Live streams count as requests in progress.
      deps.live.close()
      // Accepts the connections that clients have already made. The kernel resets connections that are not accepted when the server stops
      // listening.
      await Bun.sleep(0)
      // Waits for requests and emails in progress, but not for idle connections.
      const answered = Promise.all([http?.server?.stop(), mailDoor?.close(DRAIN_MS), adminImport.close()])
      await Promise.race([answered, Bun.sleep(DRAIN_MS)])
      // A lock that another process has may delay a write beyond the time limit of a stop.
      const flushed = Promise.all([pings.drain(), loops?.stop(), backups?.close()])
        .then(() => loops && refusedNotes.write().catch(passIfLogged))
        .then(() => loops && recordStop(deps).catch(passIfLogged))
      await Promise.race([flushed, Bun.sleep(DRAIN_MS)])
      // Waits until the answers to the last flushed pings are sent.
      await Bun.sleep(0)
      await http?.server?.stop(true)
      await Promise.race([
        Promise.all([courier.drain(), jobs.mailings.stop(), deps.background.drain()]),
        Bun.sleep(LAST_DELIVERIES_MS),
      ])
      await deps.closeCarriers()
      await Promise.race([Promise.all([deps.store.close(), telemetry?.stop()]), Bun.sleep(LAST_DELIVERIES_MS)])
    },
  }
}

/** A failed write must not keep the server from stopping cleanly. */
function passIfLogged(error: unknown): void {
  if (!isLogged(error)) throw error
}
