/**
 * The composition root: settings → store, services, doors. Building starts nothing; `start` opens the socket and mounts
 * the loops, `stop` drains them. Tests build the same app with a clock of their own.
 */
import { lookup } from 'node:dns/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { version } from '../package.json'
import type { Config } from './config.ts'
import { createHttpSender } from './delivery/http.ts'
import { createShellRunner } from './delivery/shell.ts'
import { createSignalCaller } from './delivery/signal-cli.ts'
import { createMailSender, type MailLine } from './delivery/smtp.ts'
import { fileStamp } from './domain/backup.ts'
import type { Carriers } from './domain/carriers.ts'
import { discreetLog } from './domain/discretion.ts'
import { Refusal, UserError } from './domain/errors.ts'
import type { Log } from './domain/log.ts'
import { type OnLongWork, UNTOLD } from './domain/long-work.ts'
import type { MailSender } from './domain/mail.ts'
import type { ShellRunner } from './domain/shell.ts'
import { type Clock, type Instant, isBefore, Temporal } from './domain/time.ts'
import { createClientReader } from './http/client.ts'
import { createHttp } from './http/index.ts'
import { type Jobs, type Loops, startLoops } from './loops/index.ts'
import { createJob, type Job } from './loops/job.ts'
import { createBackups, identifyDatabase } from './services/backups.ts'
import type { Deps, ProcessFigures, Random } from './services/deps.ts'
import { createDescriptorWatch } from './services/descriptors.ts'
import { flipOverdue } from './services/flips.ts'
import { LongReads } from './services/long-reads.ts'
import { sendMailings } from './services/mailings.ts'
import { BackupFigures, Measurements, type Stopwatch } from './services/measurements.ts'
import { createCourier } from './services/notifications.ts'
import { createHeartbeat, sayGoodbye } from './services/outage.ts'
import { Pace } from './services/pace.ts'
import { createPingReceiver } from './services/pings.ts'
import { createRateLimit } from './services/rate-limit.ts'
import { createReadiness } from './services/readiness.ts'
import { prune } from './services/retention.ts'
import { settleSecret } from './services/secret.ts'
import { type MailDoor, openMailDoor } from './smtp/server.ts'
import { type Backup, backUp } from './store/backup.ts'
import { createBackupFolder } from './store/backup-folder.ts'
import { realPathOf } from './store/real-path.ts'
import { type Restored, restore } from './store/restore.ts'
import { createStore } from './store/sql-store.ts'
import { openSqlite } from './store/sqlite.ts'
import type { StepTiming } from './store/steps.ts'
import type { Telemetry } from './telemetry/index.ts'
import type { LoopTracer } from './telemetry/loops.ts'
import { registry } from './transports/index.ts'

/** What tests and commands replace. */
export interface Overrides {
  /** false: a database that does not exist is not made */
  readonly create?: boolean
  readonly now?: Clock
  readonly random?: Random
  readonly stopwatch?: Stopwatch
  readonly carriers?: Partial<Carriers>
  readonly onWork?: OnLongWork
}

export const systemClock: Clock = () => Temporal.Now.instant()

const systemRandom: Random = {
  uuid: () => crypto.randomUUID(),
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  fraction: Math.random,
}

const systemStopwatch: Stopwatch = () => performance.now() / 1000

function ownFigures(startedAt: Instant): ProcessFigures {
  return {
    version,
    startedAt,
    residentMemory: () => process.memoryUsage.rss(),
    cpuSeconds() {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1_000_000
    },
    descriptors: createDescriptorCount(),
  }
}

/** Only Linux has these files; reading them takes a descriptor too. */
function createDescriptorCount(): ProcessFigures['descriptors'] {
  let limit = 0
  return () => {
    try {
      limit = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
      return { open: readdirSync('/proc/self/fd').length, limit }
    } catch (error) {
      const isNoneLeft = error instanceof Error && 'code' in error && error.code === 'EMFILE'
      return isNoneLeft ? { open: limit, limit } : null
    }
  }
}

/** Everything the services need, with an open store. @throws UserError when the database or the secret cannot be used */
export async function createDeps(config: Config, log: Log, overrides: Overrides = {}): Promise<Deps> {
  const { create = true, onWork = UNTOLD } = overrides
  const stopwatch = overrides.stopwatch ?? systemStopwatch
  const pace = new Pace()
  const timing: StepTiming = { step: (work) => pace.step(work), stopwatch }
  const onFault = (words: string | null) =>
    words === null ? log('info', 'the database can be used again') : log('error', words)
  const database = await openSqlite({ path: config.databasePath, create, onFault, onWork, stopwatch })
  const store = createStore(database, timing, config.pingLogBytes)
  const random = overrides.random ?? systemRandom
  const now = overrides.now ?? systemClock
  const mail = createMailSender(config.mail)
  const shell = createShellRunner({ environment: config.commandEnvironment })
  const secret = await settleSecret({ store, random }, config.secretKey)
  return {
    store,
    random,
    log: discreetLog(log),
    now,
    site: { name: config.siteName, badgeLabel: config.badgeLabel, links: config.links, secret },
    transports: registry,
    carriers: { ...createCarriers(config, mail.send, shell.run), ...overrides.carriers },
    async hangUp() {
      shell.close()
      await mail.close()
    },
    operator: { ...config.operator, ...(config.mail ? { EMAIL_HOST: config.mail.host } : {}) },
    confirmAddresses: config.confirmAddresses,
    pingBodyLimit: config.pingBodyLimit,
    pingLogLimit: config.pingLogLimit,
    pingLogBytes: config.pingLogBytes,
    v3Flips: config.v3Flips,
    metricsKey: config.metricsKey,
    prometheusEnabled: config.prometheusEnabled,
    measurements: new Measurements(),
    stopwatch,
    pace,
    process: ownFigures(now()),
    onOwed: () => {},
    onPrunable: () => {},
  }
}

function createCarriers(config: Config, mail: MailSender, shell: ShellRunner): Carriers {
  return {
    http: createHttpSender({ allowPrivateAddresses: config.allowPrivateAddresses }),
    mail,
    shell,
    signal: createSignalCaller(),
  }
}

/** For trying out the mail server: a line of its own, of which every word of the dialogue is told. */
export function createMailProbe({ mail }: Config, onLine: (line: string) => void): MailLine {
  return createMailSender(mail, { onLine })
}

/** What commands do with the database as a file; paths are absolute. @throws UserError */
export interface DatabaseFiles {
  /** @param replace true: a file of that name gives way */
  backUp(file: string, replace: boolean): Promise<Backup>
  /** @param replace true: the database that is there gives way, and is kept under another name */
  restore(file: string, replace: boolean, now: Instant): Promise<Restored>
}

export function databaseFiles({ databasePath }: Pick<Config, 'databasePath'>, onWork = UNTOLD): DatabaseFiles {
  const database = databasePath === ':memory:' ? databasePath : realPathOf(resolve(databasePath))
  return {
    backUp: (file, replace) => backUp({ database, file, replace, onWork }),
    restore: (file, replace, now) => restore({ database, file, replace, onWork, keepAs: `before-${fileStamp(now)}` }),
  }
}

/** How this program is run once more: from its source by the same Bun, or as the executable that it is. */
function ownProgram(): string[] {
  const isCompiled = import.meta.path.startsWith('/$bunfs/')
  return isCompiled ? [process.execPath] : [process.execPath, join(import.meta.dir, 'main.ts')]
}

export interface App {
  readonly deps: Deps
  /** Answers a request without a socket. */
  handle(request: Request): Promise<Response>
  /** Runs a loop's job to its end, deliveries with what they send; for tests that wind the clock. */
  settle(job: keyof Jobs): Promise<void>
  /** @returns the port that is listened on */
  start(): Promise<number>
  /** The port on which mail is taken; null when none is, or not yet. */
  mailPort(): number | null
  /** Stops accepting, flushes what is pending, closes the store; within 5 seconds. */
  stop(): Promise<void>
}

/** A loop without a successful run for that long does not work: many ticks, and the longest that one run may take. */
const LOOP_PATIENCE_SECONDS: Readonly<Record<keyof Jobs, number>> = {
  overdue: 30,
  deliveries: 30,
  mailings: 300,
  retention: 300,
  // A copy is ended after an hour, and one that fails is no reason to turn anybody away.
  backups: 7_200,
}

/** Together less than 5 seconds. */
const DRAIN_MS = 1_500
const LAST_DELIVERIES_MS = 500

/** Loaded only where the settings ask for traces, since its libraries are half as big as the rest. */
export async function openTelemetry({ tracing }: Config, log: Log): Promise<Telemetry | null> {
  if (tracing === null) return null
  const { startTelemetry } = await import('./telemetry/index.ts')
  return startTelemetry(tracing, log, version)
}

/** @param telemetry null: nothing is traced, and nothing stands in between */
export function createApp(config: Config, given: Deps, telemetry: Telemetry | null = null): App {
  const jobs: { deliveries?: Job; mailings?: Job; retention?: Job } = {}
  const deps: Deps = {
    ...(telemetry?.deps(given) ?? given),
    onOwed: () => jobs.deliveries?.run(),
    onPrunable: () => jobs.retention?.run(),
  }
  const { now, stopwatch, log, measurements } = deps
  const receiver = createPingReceiver(deps)
  const pings = telemetry?.pings(receiver) ?? receiver
  const courier = createCourier(deps)
  const clients = createClientReader(config.trustedProxies)
  const rateLimit = createRateLimit(now, config.apiRateLimit)
  const publicLimit = createRateLimit(now, config.publicRateLimit)
  const longReads = new LongReads()
  const readiness = createReadiness(deps)
  const http = createHttp(
    { ...deps, pings, clients, rateLimit, publicLimit, longReads, readiness },
    telemetry?.requests,
  )
  const backups = config.backups && scheduleBackups(config, config.backups, deps)
  const loop: LoopTracer = telemetry?.loop ?? ((_name, work) => work)
  const work = {
    overdue: loop('overdue', () => flipOverdue(deps)),
    deliveries: loop('deliveries', () => courier.deliverDue()),
    mailings: loop('mailings', () => sendMailings(deps)),
    retention: loop('retention', () => prune(deps)),
    backups: loop('backups', backups?.work ?? (async () => null)),
  }
  let loops: Loops | null = null
  let mailDoor: MailDoor | null = null

  const job = (name: keyof Jobs, work: () => Promise<Instant | null>) => {
    const figures = measurements.startLoop(name, stopwatch(), LOOP_PATIENCE_SECONDS[name])
    const onError = (error: unknown) => {
      if (!isLogged(error)) log('error', `the ${name} loop failed`, reason(error))
    }
    return createJob({ now, work, onError, onRun: (run) => figures.record(run, stopwatch()) })
  }

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
      const port = await listen(http, config)
      const { host, mailPings } = config
      if (mailPings) mailDoor = await openMailDoor({ ...deps, pings }, { host, ...mailPings })
      const deliveries = job('deliveries', work.deliveries)
      const heartbeat = createHeartbeat(deps)
      const watchDescriptors = createDescriptorWatch(deps)
      const mailings = job('mailings', work.mailings)
      jobs.deliveries = deliveries
      jobs.mailings = mailings
      const backupJob = backups && job('backups', work.backups)
      const overdue = job('overdue', () => {
        watchDescriptors()
        return heartbeat().then(work.overdue)
      })
      const retention = job('retention', work.retention)
      jobs.retention = retention
      loops = startLoops({
        overdue,
        deliveries,
        mailings,
        retention,
        backups: backupJob,
      })
      // One that was missed need not wait for the next tick, and whoever has set it up sees at once whether it works.
      backupJob?.run()
      return port
    },
    mailPort: () => mailDoor?.port ?? null,
    async stop() {
      // Requests and mails under way are answered; connections that idle are not waited for.
      const answered = Promise.all([http.server?.stop(), mailDoor?.close(DRAIN_MS)])
      await Promise.race([answered, Bun.sleep(DRAIN_MS)])
      // A lock that another process holds may keep a write waiting for longer than anybody waits for a program to end.
      const flushed = Promise.all([pings.drain(), loops?.stop(), backups?.stop()]).then(
        () => loops && sayGoodbye(deps).catch(passIfLogged),
      )
      await Promise.race([flushed, Bun.sleep(DRAIN_MS)])
      // The answers to what was flushed last are on their way out.
      await Bun.sleep(0)
      await http.server?.stop(true)
      await Promise.race([Promise.all([courier.drain(), jobs.mailings?.stop()]), Bun.sleep(LAST_DELIVERIES_MS)])
      await deps.hangUp()
      await Promise.race([Promise.all([deps.store.close(), telemetry?.stop()]), Bun.sleep(LAST_DELIVERIES_MS)])
    },
  }
}

function scheduleBackups(config: Config, plan: NonNullable<Config['backups']>, deps: Deps) {
  const figures = new BackupFigures()
  deps.measurements.backups = figures
  const folder = createBackupFolder({
    directory: plan.directory,
    database: config.databasePath,
    identify: () => identifyDatabase(deps, realPathOf(resolve(config.databasePath))),
    program: ownProgram(),
    environment: config.commandEnvironment,
  })
  return { work: createBackups(deps, folder, plan, figures), stop: () => folder.close() }
}

/** The limits are in `http/body.ts`: what is not read waits in the client, so the socket needs none of its own. */
const SOCKET_BODY_LIMIT = Number.MAX_SAFE_INTEGER
/**
 * A connection that idles is closed after that time, and so is one whose request is not there by then: only a body that
 * arrives at 16 KiB a second or more goes on.
 */
const SOCKET_IDLE_SECONDS = 30

async function listen(http: ReturnType<typeof createHttp>, { host, port }: Config): Promise<number> {
  try {
    http.listen({ hostname: host, port, maxRequestBodySize: SOCKET_BODY_LIMIT, idleTimeout: SOCKET_IDLE_SECONDS })
  } catch (error) {
    const isPlace = error instanceof Error && 'code' in error && error.code === 'EADDRNOTAVAIL'
    const isHost = isPlace || !(await hasAddress(host))
    const hint = isHost
      ? `HOST=${host} is not an address of this machine: set HOST to one, such as 127.0.0.1, or 0.0.0.0 for all`
      : 'set PORT to a free one, or stop what listens there'
    throw new UserError(`cannot listen on ${host}:${port}: ${reason(error).reason}`, hint, { cause: error })
  }
  return http.server?.port ?? port
}

/** Bun says of a name without an address that the port is taken. */
async function hasAddress(host: string): Promise<boolean> {
  try {
    await lookup(host)
    return true
  } catch {
    return false
  }
}

function isLogged(error: unknown): boolean {
  return error instanceof Refusal && error.isLogged
}

/** A server ends in order also where its database cannot be written. */
function passIfLogged(error: unknown): void {
  if (!isLogged(error)) throw error
}

function reason(error: unknown) {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return { reason: `${error instanceof Error ? error.message : error}${cause}` }
}
