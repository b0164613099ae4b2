/**
 * The composition root: builds the store, the services, HTTP, SMTP and the loops from the settings. Building starts nothing:
 * `start` opens the ports and starts the loops, `stop` drains them. Tests build the same app with their own clock.
 */
import { version } from '../package.json'
import type { Config } from './config/config.ts'
import { createHttpSender } from './delivery/http.ts'
import { createMailSender, type MailClient } from './delivery/mail.ts'
import { createShellRunner } from './delivery/shell.ts'
import { createSignalCaller } from './delivery/signal-cli.ts'
import type { Carriers } from './domain/carrier/carriers.ts'
import type { MailSender } from './domain/carrier/mail.ts'
import type { ShellRunner } from './domain/carrier/shell.ts'
import { engineName, shownDatabase } from './domain/database-address.ts'
import { Refusal } from './domain/errors.ts'
import { redactedLog } from './domain/redaction.ts'
import { databaseFile, openDatabase } from './engine.ts'
import { createClientReader } from './http/client.ts'
import { createHttp } from './http/index.ts'
import { listen } from './http/listen.ts'
import { createBackground } from './lib/background.ts'
import { messageWithCause } from './lib/errors.ts'
import { EventLoopYield } from './lib/event-loop-yield.ts'
import type { Log } from './lib/log.ts'
import { NO_PROGRESS, type OnLongWork } from './lib/long-work.ts'
import { type Argon2Cost, createPasswordHasher } from './lib/password-hasher.ts'
import { createRateLimit } from './lib/rate-limit.ts'
import { type Clock, type Instant, isBefore, Temporal } from './lib/time.ts'
import { type Jobs, type Loops, startLoops } from './loops/index.ts'
import { createJob } from './loops/job.ts'
import { ownFigures, ownProgram } from './own-process.ts'
import { createSignInLimits } from './services/accounts/sign-in-limits.ts'
import { createCourier } from './services/courier/courier.ts'
import type { Deps, Random } from './services/deps.ts'
import { flipOverdue } from './services/flips.ts'
import { Hub } from './services/live/hub.ts'
import { LongReads } from './services/long-reads.ts'
import { sendMailings } from './services/mail/mailings.ts'
import { createPingReceiver } from './services/pings.ts'
import { prune } from './services/retention.ts'
import { createSearchIndex } from './services/search-index.ts'
import { createBackups, identifyDatabase } from './services/server/backups.ts'
import { createSharedClock } from './services/server/clock.ts'
import { createDescriptorWatch } from './services/server/descriptors.ts'
import { createLease, underLease } from './services/server/leases.ts'
import { BackupFigures, Measurements, type Stopwatch } from './services/server/measurements.ts'
import { createHeartbeat, recordStop } from './services/server/outage.ts'
import { createReadiness } from './services/server/readiness.ts'
import { getOrCreateSecret } from './services/server/secret.ts'
import { type MailDoor, openMailDoor } from './smtp/server.ts'
import { createBackupFolder } from './store/backup/backup-folder.ts'
import type { StepTiming } from './store/retention/steps.ts'
import { createStore } from './store/sql-store.ts'
import type { NoticeListener } from './store/store.ts'
import type { Telemetry } from './telemetry/index.ts'
import type { LoopTracer } from './telemetry/loops.ts'
import { registry } from './transports/index.ts'

export interface Overrides {
  /** false: fails if the database does not exist */
  readonly create?: boolean
  /** false: the database is not looked through before it is used */
  readonly checkIntegrity?: boolean
  /** in place of the clock of this machine */
  readonly now?: Clock
  /** in place of the clock of the database, but for leases; `now` by default */
  readonly databaseClock?: Clock
  readonly random?: Random
  readonly stopwatch?: Stopwatch
  readonly carriers?: Partial<Carriers>
  readonly onWork?: OnLongWork
  readonly passwordCost?: Argon2Cost
}

/** Two cores hash about ten passwords a second, so nobody waits for longer than a few seconds. */
const PASSWORDS_WAITING = 20

export const systemClock: Clock = () => Temporal.Now.instant()

const systemRandom: Random = {
  uuid: () => crypto.randomUUID(),
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  fraction: Math.random,
}

const systemStopwatch: Stopwatch = () => performance.now() / 1000

/** Everything the services need, with an open store. @throws Refusal when the database or the secret cannot be used */
export async function createDeps(config: Config, log: Log, overrides: Overrides = {}): Promise<Deps> {
  const { create = true, checkIntegrity = true, onWork = NO_PROGRESS } = overrides
  const stopwatch = overrides.stopwatch ?? systemStopwatch
  const eventLoop = new EventLoopYield()
  const timing: StepTiming = { step: (work) => eventLoop.step(work), stopwatch }
  const onFault = (words: string | null) =>
    words === null ? log('info', 'the database can be used again') : log('error', words)
  const database = await openDatabase(config.database, {
    connections: config.databaseConnections,
    create,
    checkIntegrity,
    onFault,
    onWork,
    stopwatch,
  })
  const created = createStore(database, timing, config.pingLogBytes)
  const databaseClock = overrides.databaseClock ?? overrides.now
  const store = databaseClock ? { ...created, readClock: async () => databaseClock() } : created
  const { now, read: readClock } = createSharedClock(store, overrides.now ?? systemClock)
  // A file has the clock of this machine.
  if (config.database.engine !== 'sqlite') await readClock()
  const random = overrides.random ?? systemRandom
  const mail = createMailSender(config.mail)
  const shell = createShellRunner({ environment: config.commandEnvironment })
  const secret = await getOrCreateSecret({ store, random }, config.secretKey)
  return {
    store,
    random,
    log: redactedLog(log),
    now,
    readClock,
    site: { name: config.siteName, badgeLabel: config.badgeLabel, links: config.links, secret },
    transports: registry,
    carriers: { ...createCarriers(config, mail.send, shell.run), ...overrides.carriers },
    async closeCarriers() {
      shell.close()
      await mail.close()
    },
    operator: { ...config.operator, ...(config.mail ? { EMAIL_HOST: config.mail.host } : {}) },
    confirmAddresses: config.confirmAddresses,
    pingBodyLimit: config.pingBodyLimit,
    pingLogLimit: config.pingLogLimit,
    pingLogBytes: config.pingLogBytes,
    v3Flips: config.v3Flips,
    place: {
      engine: engineName(config.database),
      database: shownDatabase(config.database),
      mailDomain: config.mailPings?.domain ?? null,
    },
    passwords: createPasswordHasher({
      waiting: PASSWORDS_WAITING,
      busy: () => new Refusal('busy', 'too many people sign in at the moment, try again in a few seconds'),
      ...(overrides.passwordCost ? { cost: overrides.passwordCost } : {}),
    }),
    signInLimits: createSignInLimits(now),
    remoteUserHeader: config.remoteUserHeader,
    background: createBackground(),
    metricsKey: config.metricsKey,
    prometheusEnabled: config.prometheusEnabled,
    measurements: new Measurements(config.backups && new BackupFigures()),
    stopwatch,
    eventLoop,
    process: ownFigures(now()),
    instance: { id: random.uuid(), name: config.instanceName },
    live: new Hub({ store, now, random, stopwatch, log: redactedLog(log) }),
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

/** A mail client with its own connection, for tests of the mail server. @param onLine gets each line of the dialogue */
export function createMailProbe({ mail }: Config, onLine: (line: string) => void): MailClient {
  return createMailSender(mail, { onLine })
}

export interface App {
  readonly deps: Deps
  /** Answers a request without a socket. */
  handle(request: Request): Promise<Response>
  /** Runs a loop's job until nothing is due, including what deliveries send; for tests with their own clock. */
  settle(job: keyof Jobs): Promise<void>
  /** @returns the port of HTTP */
  start(): Promise<number>
  /** The port that receives email; null when email is off or the app has not started. */
  mailPort(): number | null
  /** Stops accepting requests, flushes pending work and closes the store, within 5 seconds. */
  stop(): Promise<void>
}

/** A loop without a successful run for this long counts as broken: many ticks, and the longest run. */
const LOOP_PATIENCE_SECONDS: Readonly<Record<keyof Jobs, number>> = {
  overdue: 30,
  deliveries: 30,
  mailings: 300,
  retention: 300,
  search: 300,
  // A backup is stopped after an hour, and a failed one must not make the server count as not ready.
  backups: 7_200,
}

/** Less than a minute, so that at its next tick another instance replaces one that was killed. */
const RETENTION_LEASE_SECONDS = 50

/** Together less than 5 seconds. */
const DRAIN_MS = 1_500
const LAST_DELIVERIES_MS = 500

/** Loaded only when tracing is on, since its libraries are half as large as the rest. */
export async function openTelemetry({ tracing }: Config, log: Log): Promise<Telemetry | null> {
  if (tracing === null) return null
  const { startTelemetry } = await import('./telemetry/index.ts')
  return startTelemetry(tracing, log, version)
}

/** @param telemetry null: tracing is off */
export function createApp(config: Config, given: Deps, telemetry: Telemetry | null = null): App {
  const deps: Deps = {
    ...(telemetry?.deps(given) ?? given),
    onOwed: () => jobs.deliveries.run(),
    onPrunable: () => jobs.retention.run(),
  }
  const { now } = deps
  const receiver = createPingReceiver(deps)
  const pings = telemetry?.pings(receiver) ?? receiver
  const courier = createCourier(deps)
  const http = createHttp(
    {
      ...deps,
      pings,
      clients: createClientReader(config.trustedProxies),
      rateLimit: createRateLimit(now, config.apiRateLimit),
      publicLimit: createRateLimit(now, config.publicRateLimit),
      longReads: new LongReads(),
      readiness: createReadiness(deps),
    },
    telemetry?.requests,
  )
  const backups = scheduleBackups(config, deps)
  const loop: LoopTracer = telemetry?.loop ?? ((_name, work) => work)
  const work = {
    overdue: (at: Instant) => loop('overdue', () => flipOverdue(deps, at))(),
    deliveries: loop('deliveries', () => courier.deliverDue()),
    mailings: loop('mailings', () => sendMailings(deps)),
    retention: loop(
      'retention',
      underLease(createLease(deps, 'retention', RETENTION_LEASE_SECONDS), () => prune(deps)),
    ),
    search: loop('search', createSearchIndex(deps)),
    backups: loop('backups', backups?.work ?? (async () => null)),
  }
  const jobs: Jobs = {
    deliveries: watchedJob(deps, 'deliveries', work.deliveries),
    mailings: watchedJob(deps, 'mailings', work.mailings),
    backups: backups && watchedJob(deps, 'backups', work.backups),
    overdue: watchedJob(deps, 'overdue', afterHeartbeat(deps, work.overdue)),
    retention: watchedJob(deps, 'retention', work.retention),
    search: watchedJob(deps, 'search', work.search),
  }
  let loops: Loops | null = null
  let mailDoor: MailDoor | null = null
  let stopNotices = () => {}
  const noticed: NoticeListener = (changed) => {
    jobs.overdue.run()
    jobs.deliveries.run()
    void deps.live.noticeOthers(changed)
  }

  return {
    deps,
    handle: (request) => http.handle(request),
    async settle(name) {
      let next: Instant | null
      do {
        next = await work[name](now())
        await courier.drain()
      } while (next !== null && !isBefore(now(), next))
    },
    async start() {
      const { host, mailPings } = config
      const port = await listen(http, config)
      if (mailPings) mailDoor = await openMailDoor({ ...deps, pings }, { host, ...mailPings })
      loops = startLoops(jobs)
      stopNotices = deps.store.watchNotices(noticed)
      return port
    },
    mailPort: () => mailDoor?.port ?? null,
    async stop() {
      stopNotices()
      // Its streams are requests in progress.
      deps.live.close()
      // Takes connections that came until now. The kernel resets those that nobody has taken when the server stops listening.
      await Bun.sleep(0)
      // Waits for requests and emails in progress, but not for idle connections.
      const answered = Promise.all([http.server?.stop(), mailDoor?.close(DRAIN_MS)])
      await Promise.race([answered, Bun.sleep(DRAIN_MS)])
      // A lock of another process may delay a write for longer than a stop may take.
      const flushed = Promise.all([pings.drain(), loops?.stop(), backups?.stop()]).then(
        () => loops && recordStop(deps).catch(passIfLogged),
      )
      await Promise.race([flushed, Bun.sleep(DRAIN_MS)])
      // Lets the answers to the last flushed pings go out.
      await Bun.sleep(0)
      await http.server?.stop(true)
      await Promise.race([
        Promise.all([courier.drain(), jobs.mailings.stop(), deps.background.drain()]),
        Bun.sleep(LAST_DELIVERIES_MS),
      ])
      await deps.closeCarriers()
      await Promise.race([Promise.all([deps.store.close(), telemetry?.stop()]), Bun.sleep(LAST_DELIVERIES_MS)])
    },
  }
}

/** The heartbeat comes first: an outage must be known before checks go down. */
function afterHeartbeat(deps: Deps, work: (at: Instant) => Promise<Instant | null>): () => Promise<Instant | null> {
  const heartbeat = createHeartbeat(deps)
  const watchDescriptors = createDescriptorWatch(deps)
  return async () => {
    watchDescriptors()
    return work(await heartbeat())
  }
}

/** A job that measures its runs and logs its failures. */
function watchedJob(
  { now, stopwatch, log, measurements }: Deps,
  name: keyof Jobs,
  work: () => Promise<Instant | null>,
) {
  return createJob({
    now,
    work,
    onError: (error) => {
      if (!isLogged(error))
        log('error', `the ${name} loop failed`, {
          reason: error instanceof Refusal ? error.reason : messageWithCause(error),
        })
    },
    onStart: () => {
      const figures = measurements.startLoop(name, stopwatch(), LOOP_PATIENCE_SECONDS[name])
      return (run) => figures.record(run, stopwatch())
    },
  })
}

/** @returns null when the server takes no backups itself */
function scheduleBackups(config: Config, deps: Deps) {
  const { backups: plan } = config
  const { backups: figures } = deps.measurements
  if (!plan || !figures) return null
  const file = databaseFile(config.database)
  const folder = createBackupFolder({
    directory: plan.directory,
    database: file,
    identify: () => identifyDatabase(deps, file),
    program: ownProgram(),
    environment: config.commandEnvironment,
  })
  return { work: createBackups(deps, folder, plan, figures), stop: () => folder.close() }
}

function isLogged(error: unknown): boolean {
  return error instanceof Refusal && error.data.isLogged === true
}

/** A server must stop cleanly even if it cannot write to its database. */
function passIfLogged(error: unknown): void {
  if (!isLogged(error)) throw error
}
