/** Made-up values of the domain, and a ground to stand on: a store with a project, ready to be pinged. */
import type { Channel } from '../../src/domain/channel.ts'
import { type Check, newCheck } from '../../src/domain/check.ts'
import type { DeliveryOrder } from '../../src/domain/delivery.ts'
import { makeKey, type Project, storedKey } from '../../src/domain/project.ts'
import type { Signal } from '../../src/domain/signal.ts'
import { addSeconds, type Instant, Temporal } from '../../src/domain/time.ts'
import type { Random } from '../../src/services/deps.ts'
import { rules as rulesOf } from '../../src/services/rules.ts'
import type {
  Arrival,
  ArrivalOutcome,
  ClaimRules,
  CommittedPings,
  Overdue,
  Rules,
  Store,
} from '../../src/store/store.ts'
import { registry } from '../../src/transports/index.ts'
import { type HandClock, handClock, MIDWEEK_NOON } from './clock.ts'

/** When every ground begins. */
export const NOON = Temporal.Instant.from(MIDWEEK_NOON)

/** @param seconds exact to the microsecond */
export function after(seconds: number): Instant {
  return NOON.add({ microseconds: Math.round(seconds * 1_000_000) })
}

export const testRandom: Random = {
  uuid: () => crypto.randomUUID(),
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  fraction: () => 0.5,
}

export const SECRET = 'a secret for tests'

export function aProject(over: Partial<Project> = {}): Project {
  const id = crypto.randomUUID()
  return { id, name: `Project ${id}`, badgeKey: crypto.randomUUID(), pingLogLimit: 100, createdAt: NOON, ...over }
}

/** Expected every minute, with a minute of grace. */
export function aCheck(project: Project, over: Partial<Check> = {}): Check {
  const identity = {
    id: crypto.randomUUID(),
    projectId: project.id,
    badgeKey: crypto.randomUUID(),
    createdAt: NOON,
  }
  return { ...newCheck(identity), timeoutSeconds: 60, graceSeconds: 60, ...over }
}

export function aSignal(over: Partial<Signal> = {}): Signal {
  return {
    action: 'success',
    exitStatus: null,
    rid: null,
    scheme: 'http',
    method: 'GET',
    ua: 'curl/8',
    remoteAddr: '192.0.2.1',
    body: null,
    searched: null,
    mail: null,
    ...over,
  }
}

/** Settings of a webhook; an empty URL asks for nothing. */
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

/** On a host of its own. */
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
    ...over,
  }
}

/** Instants as text: `toMatchObject` takes any two of them for equal. */
export function plain(value: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value))
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** An empty database, and how to come by further stores on it. */
export interface Opened {
  readonly store: Store
  /** Another store on the same database, as another process would have; null where that cannot be. */
  readonly another: ((logBytes?: number) => Promise<Store>) | null
  /** Closes what was opened and removes what is left. */
  close(): Promise<void>
}

/** @param logBytes that the bodies of a check's log may take beyond the newest entry's; the usual unless given */
export type OpenStore = (logBytes?: number) => Promise<Opened>

export interface Ground extends Opened {
  readonly clock: HandClock
  readonly project: Project
  readonly pingKey: string
  readonly rules: Rules
  /** Stores a check with its channels. */
  check(over?: Partial<Check>, channels?: readonly Channel[]): Promise<Check>
  channel(over?: Partial<Channel>): Promise<Channel>
  /** Commits one signal now. */
  ping(check: Pick<Check, 'id'>, over?: Partial<Signal>): Promise<ArrivalOutcome>
  /** An arrival at a check, now. */
  arrival(check: Pick<Check, 'id'>, over?: Partial<Signal>): Arrival
  commit(...arrivals: readonly Arrival[]): Promise<CommittedPings>
  /** Makes the flips that silence owes now. */
  judgeOverdue(limit?: number): Promise<Overdue>
  /** Takes what is due now, for a minute; of each channel one delivery unless told otherwise. */
  claim(rules?: Partial<ClaimRules>): Promise<DeliveryOrder[]>
  /** The check as it is stored. @throws when it is not */
  stored(check: Pick<Check, 'id'>): Promise<Check>
}

const LEASE_SECONDS = 60

/** The longest due delivery of each channel. */
export const TAKE_ALL: ClaimRules = {
  choose: (channels) => channels.map(({ channelId }) => channelId),
  admits: () => true,
}

export async function ground(open: OpenStore, over: Partial<Project> = {}): Promise<Ground> {
  const opened = await open()
  const { store } = opened
  const clock = handClock()
  const project = aProject(over)
  const pingKey = makeKey('ping', testRandom.bytes)
  await store.createProject(project, [storedKey(project, 'ping', pingKey, SECRET, NOON)])
  const rules = rulesOf({ now: clock.now, random: testRandom, transports: registry, log: () => {} })
  const arrival = (check: Pick<Check, 'id'>, signal: Partial<Signal> = {}): Arrival => ({
    target: { kind: 'id', id: check.id },
    signal: aSignal(signal),
    receivedAt: clock.now(),
  })
  const commit = (...arrivals: readonly Arrival[]) => store.commitPings(arrivals, rules)
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
      return (await store.upsertCheck(fresh, null, (check) => ({ check, channelIds }), rules)).check
    },
    async channel(given) {
      const channel = aChannel(project, given)
      await store.createChannel(channel)
      return channel
    },
    async ping(check, signal) {
      const { outcomes } = await commit(arrival(check, signal))
      return only(outcomes)
    },
    judgeOverdue: (limit = 100) => store.judgeOverdue(clock.now(), rules, limit),
    claim: (over) =>
      store.claimDeliveries(clock.now(), addSeconds(clock.now(), LEASE_SECONDS), { ...TAKE_ALL, ...over }),
    async stored({ id }) {
      const found = await store.findCheck(id)
      if (!found) throw new Error(`there is no check ${id}`)
      return found.check
    },
  }
}

/** The one element of a list. @throws when there is none, or another */
export function only<T>(list: readonly T[]): T {
  const [first, ...others] = list
  if (first === undefined || others.length > 0) throw new Error(`one expected, not ${list.length}`)
  return first
}

/** What a promise was rejected with. @throws when it was kept */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  let kept: unknown
  try {
    kept = await promise
  } catch (error) {
    return error
  }
  throw new Error(`a rejection was expected, not ${String(kept)}`)
}
