/** Domain values for tests of the store, and a store with a project that is ready for pings. */
import type { Account, Member } from '../../src/domain/account/account.ts'
import type { Role } from '../../src/domain/account/role.ts'
import { type Session, tokenLookup } from '../../src/domain/account/session.ts'
import type { AttemptTrace } from '../../src/domain/alert/attempt.ts'
import type { Author } from '../../src/domain/author.ts'
import type { Channel } from '../../src/domain/channel/channel.ts'
import { type Check, newCheck } from '../../src/domain/check/check.ts'
import { makePublicId } from '../../src/domain/check/public-id.ts'
import { Refusal } from '../../src/domain/errors.ts'
import type { Signal } from '../../src/domain/ping/signal.ts'
import { makeKey, type Project, storedKey } from '../../src/domain/project.ts'
import { projectSlug } from '../../src/domain/project-slug.ts'
import type { Silence } from '../../src/domain/silence/silence.ts'
import { addSeconds, type Instant, Temporal } from '../../src/lib/time.ts'
import type { Random } from '../../src/services/common/deps.ts'
import { rules as rulesOf } from '../../src/services/common/rules.ts'
import type {
  Arrival,
  ArrivalOutcome,
  ClaimedOrder,
  ClaimRules,
  CommittedPings,
  Overdue,
  Rules,
  Store,
} from '../../src/store/store.ts'
import { registry } from '../../src/transports/index.ts'
import { aSilence } from './builders.ts'
import { type HandClock, handClock, MIDWEEK_NOON } from './clock.ts'

/** Initial time of every {@link StoreFixture}. */
export const NOON = Temporal.Instant.from(MIDWEEK_NOON)

/** Returns the time so long after noon. @param seconds exact to the microsecond */
export function after(seconds: number): Instant {
  return NOON.add({ microseconds: Math.round(seconds * 1_000_000) })
}

export const testRandom: Random = {
  uuid: () => crypto.randomUUID(),
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  fraction: () => 0.5,
}

export const SECRET = 'a secret for tests'

/** The author of a change by a command. Each call is another change. */
export function anAuthor(over: Partial<Author> = {}): Author {
  return { changeId: crypto.randomUUID(), kind: 'command', accountId: null, name: '', address: null, at: NOON, ...over }
}

/** A silence of all checks of the project for an hour from noon on, made by a command. */
export function aSilenceOf({ id: projectId }: Pick<Project, 'id'>, over: Partial<Silence> = {}): Silence {
  const createdBy = { kind: 'command', accountId: null, name: '' } as const
  const times = { startsAt: NOON, endsAt: after(3_600), createdAt: NOON }
  return aSilence({ id: crypto.randomUUID(), projectId, ...times, createdBy, ...over })
}

export function aProject(over: Partial<Project> = {}): Project {
  const id = crypto.randomUUID()
  const name = over.name ?? `Project ${id}`
  const slug = projectSlug(name, testRandom.bytes)
  return {
    id,
    name,
    badgeKey: crypto.randomUUID(),
    pingLogLimit: 100,
    createdAt: NOON,
    slug,
    isSearched: true,
    tz: null,
    ...over,
  }
}

/** An account without a password, in UTC. */
export function anAccount(over: Partial<Account> = {}): Account {
  const id = crypto.randomUUID()
  return {
    id,
    email: `${id}@example.org`,
    passwordHash: null,
    isAdministrator: false,
    tz: 'UTC',
    theme: 'system',
    hasShortcuts: true,
    morningMail: null,
    listRows: 'dense',
    listPicture: 'runs',
    createdAt: NOON,
    isSuspended: false,
    totp: null,
    lastSeenAt: null,
    isEmailConfirmed: true,
    ...over,
  }
}

export function aMember(
  account: Pick<Account, 'id'>,
  project: Pick<Project, 'id'>,
  role: Role = 'member',
  createdAt: Instant = NOON,
): Member {
  return { accountId: account.id, projectId: project.id, role, createdAt }
}

/** A session of a browser that has just signed in. */
export function aSession(account: Pick<Account, 'id'>, over: Partial<Session> = {}): Session {
  return {
    lookup: tokenLookup(crypto.randomUUID()),
    accountId: account.id,
    createdAt: NOON,
    lastSeenAt: NOON,
    address: '192.0.2.1',
    userAgent: 'Firefox',
    method: 'password',
    confirmedAt: null,
    ...over,
  }
}

/** A check expected every minute, with a minute of grace. */
export function aCheck(project: Project, over: Partial<Check> = {}): Check {
  const identity = {
    id: crypto.randomUUID(),
    projectId: project.id,
    badgeKey: crypto.randomUUID(),
    publicId: makePublicId(testRandom.bytes),
    createdAt: NOON,
  }
  return { ...newCheck(identity), timeoutSeconds: 60, graceSeconds: 60, ...over }
}

export function aSignal(over: Partial<Signal> = {}): Signal {
  return {
    action: 'success',
    exitStatus: null,
    occurredAt: null,
    rid: null,
    scheme: 'http',
    method: 'GET',
    ua: 'curl/8',
    remoteAddr: '192.0.2.1',
    body: null,
    contentType: null,
    searched: null,
    mail: null,
    ...over,
  }
}

/** Settings of a webhook. An event with an empty URL is not sent. */
export function webhook(urlDown = 'https://example.org/down', urlUp = 'https://example.org/up') {
  return {
    method_down: 'POST',
    url_down: urlDown,
    body_down: '$NAME is $STATUS',
    headers_down: {},
    method_up: 'POST',
    url_up: urlUp,
    body_up: '$NAME is $STATUS',
    headers_up: {},
  }
}

/** A webhook channel with a host of its own. */
export function aChannel(project: Project, over: Partial<Channel> = {}): Channel {
  const id = crypto.randomUUID()
  return {
    id,
    projectId: project.id,
    name: '',
    kind: 'webhook',
    settings: webhook(),
    createdAt: NOON,
    disabledReason: null,
    lastError: null,
    host: `${id}.example`,
    awaitsConfirmation: false,
    quietHours: null,
    ...over,
  }
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** An empty database, and a way to open further stores on it. */
export interface Opened {
  readonly store: Store
  /** Opens another store on the same database, as another process would; null where that isn't possible. */
  readonly another: ((logBytes?: number) => Promise<Store>) | null
  /** Closes all stores and removes the files. */
  close(): Promise<void>
}

/** @param logBytes limit for the bodies of a check's log, not counting the newest; by default that of the store */
export type OpenStore = (logBytes?: number) => Promise<Opened>

export interface StoreFixture extends Opened {
  readonly clock: HandClock
  readonly project: Project
  readonly pingKey: string
  readonly rules: Rules
  /** Stores a check with its channels. */
  check(over?: Partial<Check>, channels?: readonly Channel[]): Promise<Check>
  channel(over?: Partial<Channel>): Promise<Channel>
  /** Commits one signal now. */
  ping(check: Pick<Check, 'id'>, over?: Partial<Signal>): Promise<ArrivalOutcome>
  /** Makes an arrival of a signal at a check now. */
  arrival(check: Pick<Check, 'id'>, over?: Partial<Signal>): Arrival
  commit(...arrivals: readonly Arrival[]): Promise<CommittedPings>
  /** Makes the flips of checks that are overdue now. */
  judgeOverdue(limit?: number): Promise<Overdue>
  /** Claims deliveries that are due now, for a minute; one per channel unless `rules` differ. */
  claim(rules?: Partial<ClaimRules>): Promise<ClaimedOrder[]>
  /** Reads the stored check. @throws when it does not exist */
  stored(check: Pick<Check, 'id'>): Promise<Check>
}

const LEASE_SECONDS = 60

/** Chooses the longest due delivery of each channel. */
export const TAKE_ALL: ClaimRules = {
  choose: (channels) => channels.map(({ channelId }) => channelId),
  admits: () => true,
  joins: () => false,
}

export async function storeFixture(open: OpenStore, over: Partial<Project> = {}): Promise<StoreFixture> {
  const opened = await open()
  const { store } = opened
  const clock = handClock()
  const project = aProject(over)
  const pingKey = makeKey('ping', testRandom.bytes)
  await store.by(anAuthor()).projects.create(project, [storedKey(project, 'ping', pingKey, SECRET, NOON)])
  const rules = rulesOf({ now: clock.now, random: testRandom, transports: registry, log: () => {} })
  const arrival = (check: Pick<Check, 'id'>, signal: Partial<Signal> = {}): Arrival => ({
    target: { kind: 'id', id: check.id },
    signal: aSignal(signal),
    receivedAt: clock.now(),
  })
  const commit = (...arrivals: readonly Arrival[]) => store.pings.commit(arrivals, rules)
  return {
    ...opened,
    clock,
    project,
    pingKey,
    rules,
    arrival,
    commit,
    async check(given, channels = []) {
      const channelIds = channels.map(({ id }) => id)
      const fresh = aCheck(project, given)
      return (await store.by(anAuthor()).checks.upsert(fresh, null, (check) => ({ check, channelIds }), rules)).check
    },
    async channel(given) {
      const channel = aChannel(project, given)
      await store.by(anAuthor()).channels.create(channel)
      return channel
    },
    async ping(check, signal) {
      const { outcomes } = await commit(arrival(check, signal))
      return only(outcomes)
    },
    judgeOverdue: (limit = 100) => store.flips.judgeOverdue(clock.now(), rules, limit),
    claim: (over) =>
      store.deliveries.claim(clock.now(), addSeconds(clock.now(), LEASE_SECONDS), { ...TAKE_ALL, ...over }),
    async stored({ id }) {
      const found = await store.checks.find(id)
      if (!found) throw new Error(`there is no check ${id}`)
      return found.check
    },
  }
}

/** @returns the only element of a list @throws when it has none or more than one */
export function only<T>(list: readonly T[]): T {
  const [first, ...others] = list
  if (first === undefined || others.length > 0) throw new Error(`one expected, not ${list.length}`)
  return first
}

/** Returns the refusal that a promise was rejected with. @throws any other rejection; when the promise is fulfilled */
export async function refusalOf(promise: Promise<unknown>): Promise<Refusal> {
  const error = await rejection(promise)
  if (error instanceof Refusal) return error
  throw error
}

/** @returns the reason of a rejection @throws when the promise is fulfilled */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown
  try {
    value = await promise
  } catch (error) {
    return error
  }
  throw new Error(`a rejection was expected, not ${String(value)}`)
}

/** Trace of an attempt that began at noon and was answered. */
export const A_TRACE: AttemptTrace = {
  beganAt: NOON,
  duration: 64_000,
  answer: { status: '200 OK', headers: [], body: 'ok' },
}
