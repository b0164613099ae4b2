/** The server of the demo: a temporary database with a month of history, an alert receiver, and jobs that continue. */
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../../src/app/app.ts'
import { createDeps, type Overrides } from '../../src/app/deps.ts'
import { systemClock } from '../../src/app/system-clock.ts'
import { type Config, readConfig } from '../../src/config/config.ts'
import { Temporal } from '../../src/lib/time.ts'
import { issueLink } from '../../src/services/accounts/one-time-links.ts'
import { OWNER, STATUS_BOARD } from './company.ts'
import { makeHistory, type WoundClock, woundClock } from './history.ts'
import { startLive } from './live.ts'
import { HOUR_MS } from './plan.ts'
import { createChance } from './random.ts'
import { openReceiver, type Receiver } from './receiver.ts'

interface DemoOptions {
  /** number of a port, as in the setting PORT; 0: any free port */
  readonly port: string
  /** the clock stays at this instant, no job continues, and all ids are the same each time; null: real time */
  readonly frozenAt: string | null
  /** settings of the server, by the names of environment variables */
  readonly settings?: Readonly<Record<string, string>>
  /** receives events, in lines without their end */
  readonly onLine: (line: string) => void
  /** when aborted, the start fails with its reason, and leaves no files */
  readonly signal?: AbortSignal
}

interface DemoCheck {
  /** address of its page */
  readonly url: string
  /** number of its newest ping */
  readonly newestPing: number
}

export interface Demo {
  /** `http://127.0.0.1:8000` */
  readonly url: string
  /** DATABASE_URL of the demo, for commands */
  readonly databaseUrl: string
  /** link that signs in the owner of the company; works once, for an hour */
  readonly signInLink: string
  /** @param slug of a check */
  findCheck(slug: string): Promise<DemoCheck>
  /** @param name of a project */
  findSlug(name: string): Promise<string>
  /** @returns the address of its page @param name of an integration */
  findIntegration(name: string): Promise<string>
  /** Ends everything and removes the database. */
  stop(): Promise<void>
}

const MAIL_DOMAIN = 'ping.localhost'
const MEGABYTES_NEEDED = 512

/** @throws Refusal for a port that is taken or invalid */
export async function startDemo({ port: wanted, frozenAt, settings, onLine, signal }: DemoOptions): Promise<Demo> {
  const folder = await mkdtemp(join(await fastFolder(), 'overdue-demo-'))
  const receiver = await openReceiver((line) => onLine(`alert to ${line}`))
  const removeAll = async () => {
    await receiver.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const all = { ...demoSettings(folder, receiver, wanted), ...settings }
    const config = readConfig(all)
    const present = frozenAt === null ? null : Temporal.Instant.from(frozenAt)
    const overrides: Overrides = present === null ? {} : { now: () => present, random: sameRandom() }
    const until = (overrides.now ?? systemClock)().epochMilliseconds
    const jobs = await withHistory(config, overrides, until, (past, clock) =>
      makeHistory({ app: past, clock, receiver: receiver.url, until, signal }),
    )
    const app = await open(config, overrides, onLine)
    await app.start()
    const url = config.links.siteRoot
    const account = await app.deps.store.accounts.find(OWNER)
    const { url: signInLink } = await issueLink(app.deps, 'sign-in', account?.id ?? null)
    const server = { url, mailPort: app.mailPort() ?? 0, mailDomain: MAIL_DOMAIN }
    const live = startLive(server, frozenAt === null ? jobs : [], onLine)
    return {
      url,
      databaseUrl: all.DATABASE_URL,
      signInLink,
      async findCheck(slug) {
        const checkId = jobs.find(({ job }) => job.spec.slug === slug)?.checkId ?? ''
        const found = await app.deps.store.checks.find(checkId)
        const project = found && (await app.deps.store.projects.find(found.check.projectId))
        if (!project) throw new Error(`the demo has no check "${slug}"`)
        const { publicId, nPings } = found.check
        return { url: `${url}/p/${project.slug}/checks/${publicId}`, newestPing: nPings }
      },
      async findSlug(name) {
        const [project] = await app.deps.store.projects.findByIdOrName(name)
        if (!project) throw new Error(`the demo has no project "${name}"`)
        return project.slug
      },
      async findIntegration(name) {
        for (const project of await app.deps.store.projects.list()) {
          const found = (await app.deps.store.channels.list(project.id)).find((channel) => channel.name === name)
          if (found) return `${url}/p/${project.slug}/integrations/${found.id}`
        }
        throw new Error(`the demo has no integration "${name}"`)
      },
      async stop() {
        await live.stop()
        await app.stop()
        await removeAll()
      },
    }
  } catch (error) {
    await removeAll()
    throw error
  }
}

function demoSettings(folder: string, receiver: Receiver, port: string) {
  const given = port === '0' ? String(freePort()) : port
  return {
    DATABASE_URL: `sqlite:${join(folder, 'demo.db')}`,
    PORT: given,
    SITE_ROOT: `http://127.0.0.1:${given}`,
    PING_LOG_LIMIT: '1000',
    EMAIL_HOST: '127.0.0.1',
    EMAIL_PORT: String(receiver.smtpPort),
    EMAIL_USE_TLS: 'False',
    DEFAULT_FROM_EMAIL: 'Overdue <overdue@harbourbooks.example>',
    SMTPD_PORT: '0',
    PING_EMAIL_DOMAIN: MAIL_DOMAIN,
    INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True',
  }
}

/** Hours before the start in which one receiver was out of order. */
const BOARD_BROKEN = { from: 26, to: 21 }

/** Runs the work on a server whose clock is set by hand, and whose alerts are discarded. */
async function withHistory<Result>(
  config: Config,
  overrides: Overrides,
  until: number,
  work: (app: App, clock: WoundClock) => Promise<Result>,
): Promise<Result> {
  const clock = woundClock()
  const isBroken = () => {
    const hoursAgo = (until - clock.now().epochMilliseconds) / HOUR_MS
    return hoursAgo < BOARD_BROKEN.from && hoursAgo > BOARD_BROKEN.to
  }
  const deps = await createDeps(config, () => {}, {
    ...overrides,
    now: clock.now,
    carriers: {
      http: async ({ url }) => {
        const status = isBroken() && new URL(url).pathname === STATUS_BOARD ? 503 : 200
        return { kind: 'answered', status, headers: new Headers(), body: '{"id": 1}' }
      },
      mail: async () => ({ kind: 'accepted', response: '250 OK' }),
    },
  })
  const app = createApp(config, deps)
  try {
    return await work(app, clock)
  } finally {
    await app.stop()
  }
}

async function open(config: Config, overrides: Overrides, onLine: (line: string) => void): Promise<App> {
  const log = (level: string, message: string) => {
    if (level === 'error') onLine(`error: ${message}`)
  }
  return createApp(config, await createDeps(config, log, overrides))
}

/** Returns the same ids in each run. Never use it for a server that others can reach: its links are predictable. */
function sameRandom(): NonNullable<Overrides['random']> {
  const chance = createChance('Harbour Books')
  const bytes = (length: number) => Uint8Array.from({ length }, () => chance.between(0, 255))
  return {
    fraction: chance.fraction,
    bytes,
    uuid() {
      const hex = bytes(16).toHex()
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
    },
  }
}

/** Returns a folder in memory if the system offers enough: nothing here has to survive, and disks sync slowly. */
async function fastFolder(): Promise<string> {
  const memory = '/dev/shm'
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > MEGABYTES_NEEDED * 2 ** 20 ? memory : tmpdir()
}

function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  listener.stop(true)
  return listener.port
}
