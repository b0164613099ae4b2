/** Builds the services' dependencies: the store, the carriers, the clock and the source of randomness. */
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import { notesOn } from '../config/notes.ts'
import { groupedSettings, SETTING_GROUPS } from '../config/setting-groups.ts'
import { createFollowedMail } from '../delivery/followed-mail.ts'
import { createHttpSender } from '../delivery/http.ts'
import { createMailSender } from '../delivery/mail.ts'
import { createOpenIdClient } from '../delivery/openid-client.ts'
import { createShellRunner } from '../delivery/shell.ts'
import { createSignalCaller } from '../delivery/signal-cli.ts'
import type { OpenIdClient } from '../domain/account/openid.ts'
import type { Carriers } from '../domain/carrier/carriers.ts'
import type { MailSender } from '../domain/carrier/mail.ts'
import type { ShellRunner } from '../domain/carrier/shell.ts'
import { engineName, isInFile, shownDatabase } from '../domain/database-address.ts'
import { Refusal } from '../domain/errors.ts'
import { redactedLog } from '../domain/redaction.ts'
import type { Log } from '../lib/log.ts'
import { type Argon2Cost, createPasswordHasher } from '../lib/secrets/password-hasher.ts'
import { createSealer } from '../lib/secrets/sealed-text.ts'
import type { Clock } from '../lib/time.ts'
import { createBackground } from '../lib/work/background.ts'
import { EventLoopBudget } from '../lib/work/event-loop-budget.ts'
import { EventLoopYield } from '../lib/work/event-loop-yield.ts'
import { NO_PROGRESS, type OnLongWork } from '../lib/work/long-work.ts'
import type { Deps, DiskSpace, Random } from '../services/common/deps.ts'
import { createMailboxLimits } from '../services/common/limits/mailbox-limits.ts'
import { createSignInLimits } from '../services/common/limits/sign-in-limits.ts'
import { MAIL_SERVER_SEAL, MailSetup } from '../services/common/mail-setup.ts'
import { Measurements, type Stopwatch } from '../services/common/ports/measurements.ts'
import { createSharedClock } from '../services/common/ports/shared-clock.ts'
import { getOrCreateSecret } from '../services/server/secret.ts'
import type { StepTiming } from '../store/sql/steps.ts'
import { createStore } from '../store/sql-store/sql-store.ts'
import { registry } from '../transports/index.ts'
import type { OperatorSettings } from '../transports/transport.ts'
import { openDatabase } from './engine.ts'
import { diskSpace, isInContainer, ownFigures, ownProgram } from './own-process.ts'
import { systemClock } from './system-clock.ts'

export interface Overrides {
  /** whether to create a missing database; if false, a missing database is an error */
  readonly create?: boolean
  /** whether to check the integrity of the database */
  readonly checkIntegrity?: boolean
  /** replaces this machine's clock */
  readonly now?: Clock
  /** replaces the database's clock, except for leases; `now` by default */
  readonly databaseClock?: Clock
  readonly random?: Random
  readonly stopwatch?: Stopwatch
  readonly carriers?: Partial<Carriers>
  readonly onWork?: OnLongWork
  readonly passwordCost?: Argon2Cost
}

/**
 * Limits on queued password hashes. Two cores compute about ten hashes a second, so nobody waits longer than a few seconds. Many visitors
 * may share one network, so a network may use the whole queue. An account may queue one hash, because a form may be submitted twice.
 */
const PASSWORDS_WAITING = { visitor: { waiting: 20, each: 20 }, account: { waiting: 10, each: 1 } }

/**
 * Milliseconds of each event loop turn that readers of long lists and incoming emails may use together, so that pings don't have to wait.
 */
const READ_MS_PER_TURN = 4

const systemRandom: Random = {
  uuid: () => crypto.randomUUID(),
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  fraction: Math.random,
}

const systemStopwatch: Stopwatch = () => performance.now() / 1000

/** Builds everything that the services need, and opens the store. @throws Refusal if the database or the secret cannot be used */
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
  const store = databaseClock
    ? { ...created, server: { ...created.server, readClock: async () => databaseClock() } }
    : created
  const { now, read: readClock } = createSharedClock(store.server.readClock, overrides.now ?? systemClock)
  // A database in a file uses this machine's clock.
  if (config.database.engine !== 'sqlite') await readClock()
  const random = overrides.random ?? systemRandom
  const shell = createShellRunner({ environment: config.commandEnvironment })
  const secret = await getOrCreateSecret({ store, random }, config.secretKey)
  const sealer = createSealer(secret, MAIL_SERVER_SEAL, random.bytes)
  const mailSetup = new MailSetup({ environment: config.mail, store, sealer, now, log })
  await mailSetup.read()
  const mail = createFollowedMail(() => mailSetup.inUse)
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
    allowPrivateAddresses: config.allowPrivateAddresses,
    mailSetup,
    probeMail,
    operator: operatorSettings(config.operator, mailSetup),
    confirmAddresses: config.confirmAddresses,
    pingBodyLimit: config.pingBodyLimit,
    pingLogLimit: config.pingLogLimit,
    pingLogBytes: config.pingLogBytes,
    v3Flips: config.v3Flips,
    place: {
      engine: engineName(config.database),
      database: shownDatabase(config.database),
      hasOwnClock: config.database.engine !== 'sqlite',
      program: ownProgram(),
      isInContainer: isInContainer(),
      mailDomain: config.mailPings?.domain ?? null,
    },
    settings: { groups: SETTING_GROUPS, shown: groupedSettings(config.shown), notes: notesOn(config) },
    diskSpace: () => diskSpaceOf(config.database),
    passwords: createPasswordHasher({
      waiting: PASSWORDS_WAITING,
      busy: () => new Refusal('busy', 'too many passwords are being checked at the moment, try again in a few seconds'),
      ...(overrides.passwordCost ? { cost: overrides.passwordCost } : {}),
    }),
    signInLimits: createSignInLimits(now),
    mailboxLimits: createMailboxLimits(now),
    remoteUserHeader: config.remoteUserHeader,
    signInRules: config.signInRules,
    openId: openIdClient(config, now),
    background: createBackground(),
    metricsKey: config.metricsKey,
    prometheusEnabled: config.prometheusEnabled,
    measurements: new Measurements({ inFile: isInFile(config.database) }),
    stopwatch,
    eventLoop,
    budget: new EventLoopBudget(READ_MS_PER_TURN),
    ownProcess: ownFigures(now()),
    instance: { id: random.uuid(), name: config.instanceName },
    onDeliveriesCreated: () => {},
    onPrunable: () => {},
  }
}

/** @returns null for a database in memory or on a server */
async function diskSpaceOf(address: Config['database']): Promise<DiskSpace | null> {
  const folder = folderOf(address)
  return folder === null ? null : diskSpace(folder)
}

/** @returns null for a database in memory or on a server */
export function folderOf(address: Config['database']): string | null {
  return isInFile(address) ? dirname(address.path) : null
}

/** Builds the OpenID client. Its redirect URI must also be registered at the provider. */
function openIdClient({ signInRules, links }: Config, now: Clock): OpenIdClient | null {
  const { oidc: provider } = signInRules
  const redirectUri = `${links.siteRoot}/sign-in/oidc/callback`
  return provider && createOpenIdClient({ provider, redirectUri, now, machineNow: systemClock })
}

function createCarriers(config: Config, mail: MailSender, shell: ShellRunner): Carriers {
  return {
    http: createHttpSender({ allowPrivateAddresses: config.allowPrivateAddresses }),
    mail,
    shell,
    signal: createSignalCaller(),
  }
}

/** Returns the settings with an EMAIL_HOST that is reread on every access. */
function operatorSettings(given: OperatorSettings, mailSetup: MailSetup): OperatorSettings {
  return Object.defineProperty({ ...given }, 'EMAIL_HOST', {
    enumerable: true,
    get: () => mailSetup.inUse?.server.host,
  })
}

/** Time limit of a test email, in seconds. The limit is short because a user waits for the result. */
const PROBE_SECONDS = 20

export const probeMail: Deps['probeMail'] = async (inUse, mail, onLine) => {
  const client = createMailSender(inUse, { onLine, timeoutSeconds: PROBE_SECONDS })
  try {
    return await client.send(mail)
  } finally {
    await client.close()
  }
}
