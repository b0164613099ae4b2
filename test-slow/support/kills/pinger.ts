/** Clients that ping in every way there is, and remember what they sent and what was acknowledged. */
import type { Dice } from '../dice.ts'
import type { CheckFound } from './evidence.ts'
import type { SentPing } from './findings.ts'

const CONNECTIONS = 32
/** Checks that are pinged at the same time. */
const CHECKS = 30
/** A project keeps at most the last 1000 pings of a check, and every ping is to be found again. */
const MOST_PINGS_OF_A_CHECK = 950
const LONGEST_PAUSE_MS = 60
const LONG_BODY = 100

type Action = Pick<SentPing, 'kind' | 'exitStatus'> & { readonly path: string }

const SUCCESS: Action = { path: '', kind: 'success', exitStatus: null }
const ACTIONS: readonly Action[] = [
  ...Array.from({ length: 16 }, () => SUCCESS),
  ...Array.from({ length: 6 }, (): Action => ({ path: '/0', kind: 'success', exitStatus: 0 })),
  ...Array.from({ length: 7 }, (): Action => ({ path: '/start', kind: 'start', exitStatus: null })),
  ...Array.from({ length: 6 }, (): Action => ({ path: '/log', kind: 'log', exitStatus: null })),
  // Seldom, since receivers have to hear of every one.
  { path: '/fail', kind: 'fail', exitStatus: null },
  { path: '/37', kind: 'fail', exitStatus: 37 },
]
const METHODS = ['GET', 'GET', 'HEAD', 'POST', 'POST', 'PUT'] as const

export interface Pinger {
  readonly sent: readonly SentPing[]
  /** Pings checks that the first ping makes, over many connections, until told that it is over. */
  fire(dice: Dice, isOver: () => boolean): Promise<void>
  /** One success, to a check that the pings of {@link Pinger.fire} leave alone. */
  succeed(check: Pick<CheckFound, 'id' | 'name'>): Promise<void>
  /** From now on also pings by UUID. */
  learn(checks: readonly CheckFound[]): void
}

interface Target {
  readonly name: string
  sent: number
}

/** @param pingKey of a project whose channels are there already, so that every check that a ping makes has them all */
export function createPinger(baseUrl: string, pingKey: string): Pinger {
  const sent: SentPing[] = []
  const ids = new Map<string, string>()
  const targets: Target[] = []
  let made = 0
  let events = 0

  const freshTarget = (): Target => {
    made += 1
    return { name: `pinged-${made}`, sent: 0 }
  }
  for (let index = 0; index < CHECKS; index += 1) targets.push(freshTarget())

  const send = async (url: string, ping: Omit<SentPing, 'sentAt' | 'answeredAt'>) => {
    events += 1
    const sentAt = events
    const index = sent.push({ ...ping, sentAt, answeredAt: null }) - 1
    const { method, agent, body } = ping
    const init = { method, headers: { 'User-Agent': agent }, ...(body === null ? {} : { body }) }
    const answer = await fetch(url, init)
      .then(async (response) => `${response.status} ${await response.text()}`)
      // A broken connection is what a killed server leaves.
      .catch(() => null)
    if (answer === null) return
    if (!isAcknowledgement(answer, method)) throw new Error(`a ping to ${url} was answered with ${answer}`)
    events += 1
    sent[index] = { ...ping, sentAt, answeredAt: events }
  }

  const urlOf = (dice: Dice, name: string): string => {
    const id = ids.get(name)
    if (id !== undefined && dice.upTo(1) === 0) return `/ping/${id}`
    return `/ping/${pingKey}/${name}`
  }

  const ping = (dice: Dice): Promise<void> => {
    const slot = dice.upTo(CHECKS - 1)
    const target = targets[slot]?.sent === MOST_PINGS_OF_A_CHECK ? freshTarget() : (targets[slot] ?? freshTarget())
    targets[slot] = target
    target.sent += 1
    const { name } = target
    const { path, kind, exitStatus } = dice.one(ACTIONS)
    const agent = crypto.randomUUID()
    const method = dice.one(METHODS)
    const rid = dice.upTo(2) === 0 ? crypto.randomUUID() : null
    const url = new URL(`${baseUrl}${urlOf(dice, name)}${path}`)
    if (!ids.has(name) || dice.upTo(1) === 0) url.searchParams.set('create', '1')
    if (rid !== null) url.searchParams.set('rid', rid)
    const body = bodyOf(dice, method, agent)
    return send(url.href, { agent, check: name, kind, exitStatus, rid, method, body })
  }

  return {
    sent,
    async fire(dice, isOver) {
      const connection = async () => {
        while (!isOver()) {
          await ping(dice)
          await Bun.sleep(dice.upTo(LONGEST_PAUSE_MS))
        }
      }
      await Promise.all(Array.from({ length: CONNECTIONS }, connection))
    },
    succeed({ id, name }) {
      const { kind, exitStatus } = SUCCESS
      const entry = { kind, exitStatus, agent: crypto.randomUUID(), rid: null, method: 'GET', body: null }
      return send(`${baseUrl}/ping/${id}`, { ...entry, check: name })
    },
    learn(checks) {
      for (const { id, name } of checks) ids.set(name, id)
    },
  }
}

/** The answer to `HEAD` has no text. */
function isAcknowledgement(answer: string, method: string): boolean {
  return method === 'HEAD' ? ['200 ', '201 '].includes(answer) : ['200 OK', '201 Created'].includes(answer)
}

function bodyOf(dice: Dice, method: string, agent: string): string | null {
  if (method === 'GET' || method === 'HEAD' || dice.upTo(2) === 0) return null
  return `output of ${agent}\n`.repeat(dice.upTo(20) === 0 ? LONG_BODY : 1)
}
