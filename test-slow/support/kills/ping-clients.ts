/** Clients that send every kind of ping, and record sent and acknowledged pings. */
import type { SeededRandom } from '../../../test/support/seeded-random.ts'
import { FAILURES, LOG, type PingAction, SILENCES, START, SUCCESS } from './ping-actions.ts'
import type { CheckFound } from './snapshot.ts'
import type { SentPing } from './violations.ts'

const CONNECTIONS = 32
/** Number of checks that are pinged at the same time. */
const CHECKS = 30
/** Limit below the 1000 pings of a check that a project keeps, so every ping can be found. */
const MOST_PINGS_OF_A_CHECK = 950
const LONGEST_PAUSE_MS = 60
const LONG_BODY = 100

const ACTIONS: readonly PingAction[] = [
  ...Array.from({ length: 16 }, () => SUCCESS),
  ...Array.from({ length: 6 }, () => ({ ...SUCCESS, path: '/0', exitStatus: 0 })),
  ...Array.from({ length: 7 }, () => START),
  ...Array.from({ length: 6 }, () => LOG),
  // Rare, since each one causes alerts.
  ...FAILURES,
  ...SILENCES,
]
const METHODS = ['GET', 'GET', 'HEAD', 'POST', 'POST', 'PUT'] as const

export interface PingClients {
  readonly sent: readonly SentPing[]
  /** Pings checks, which the first ping creates, over many connections until `isOver`. */
  run(random: SeededRandom, isOver: () => boolean): Promise<void>
  /** Sends one success to a check that {@link PingClients.run} doesn't ping. */
  succeed(check: Pick<CheckFound, 'id' | 'name'>): Promise<void>
  /** Makes later pings use the UUIDs of these checks too. */
  learn(checks: readonly CheckFound[]): void
}

interface Target {
  readonly name: string
  sent: number
}

/** @param pingKey of a project that already has its channels, so that checks created by pings get them all */
export function createPingClients(baseUrl: string, pingKey: string): PingClients {
  const sent: SentPing[] = []
  const ids = new Map<string, string>()
  const targets: Target[] = []
  let made = 0

  const freshTarget = (): Target => {
    made += 1
    return { name: `pinged-${made}`, sent: 0 }
  }
  for (let index = 0; index < CHECKS; index += 1) targets.push(freshTarget())

  const send = async (url: string, ping: Omit<SentPing, 'sentAt' | 'answeredAt'>) => {
    const sentAt = performance.now()
    const index = sent.push({ ...ping, sentAt, answeredAt: null }) - 1
    const { method, agent, body } = ping
    const init = { method, headers: { 'User-Agent': agent }, ...(body === null ? {} : { body }) }
    const answer = await fetch(url, init)
      .then(async (response) => `${response.status} ${await response.text()}`)
      // The connection breaks when the server is killed.
      .catch(() => null)
    if (answer === null) return
    if (!isAcknowledgement(answer, method)) throw new Error(`a ping to ${url} was answered with ${answer}`)
    sent[index] = { ...ping, sentAt, answeredAt: performance.now() }
  }

  const urlOf = (random: SeededRandom, name: string): string => {
    const id = ids.get(name)
    if (id !== undefined && random.integer(1) === 0) return `/ping/${id}`
    return `/ping/${pingKey}/${name}`
  }

  const ping = (random: SeededRandom): Promise<void> => {
    const slot = random.integer(CHECKS - 1)
    const target = targets[slot]?.sent === MOST_PINGS_OF_A_CHECK ? freshTarget() : (targets[slot] ?? freshTarget())
    targets[slot] = target
    target.sent += 1
    const { name } = target
    const { path, ...action } = random.pick(ACTIONS)
    const agent = crypto.randomUUID()
    const method = random.pick(METHODS)
    const rid = random.integer(2) === 0 ? crypto.randomUUID() : null
    const url = new URL(`${baseUrl}${urlOf(random, name)}${path}`)
    if (!ids.has(name) || random.integer(1) === 0) url.searchParams.set('create', '1')
    if (rid !== null) url.searchParams.set('rid', rid)
    const body = bodyOf(random, method, agent)
    return send(url.href, { agent, check: name, ...action, rid, method, body })
  }

  return {
    sent,
    async run(random, isOver) {
      const connection = async () => {
        while (!isOver()) {
          await ping(random)
          await Bun.sleep(random.integer(LONGEST_PAUSE_MS))
        }
      }
      await Promise.all(Array.from({ length: CONNECTIONS }, connection))
    },
    succeed({ id, name }) {
      const { path: _, ...action } = SUCCESS
      const entry = { ...action, agent: crypto.randomUUID(), rid: null, method: 'GET', body: null }
      return send(`${baseUrl}/ping/${id}`, { ...entry, check: name })
    },
    learn(checks) {
      for (const { id, name } of checks) ids.set(name, id)
    },
  }
}

/** Whether the answer acknowledges the ping. An answer to `HEAD` has no body. */
function isAcknowledgement(answer: string, method: string): boolean {
  return method === 'HEAD' ? ['200 ', '201 '].includes(answer) : ['200 OK', '201 Created'].includes(answer)
}

function bodyOf(random: SeededRandom, method: string, agent: string): string | null {
  if (method === 'GET' || method === 'HEAD' || random.integer(2) === 0) return null
  return `output of ${agent}\n`.repeat(random.integer(20) === 0 ? LONG_BODY : 1)
}
