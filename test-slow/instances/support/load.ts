/** A steady load of pings of several kinds, which records each ping and its answer. */

import type { SeededRandom } from '../../../test/support/seeded-random.ts'
import { FAILURES, LOG, type PingAction, SILENCES, START, SUCCESS } from '../../support/kills/ping-actions.ts'
import type { SentPing } from '../../support/kills/violations.ts'
import type { Target } from './filled.ts'

/** Time after which a ping is given up, long after the server must have answered. */
const GIVEN_UP_AFTER_MS = 20_000
/** Number of checks that get half of the pings, so that instances often write to the same check at the same time. */
export const BUSY_CHECKS = 200

const ACTIONS: readonly PingAction[] = [
  ...Array.from({ length: 20 }, () => SUCCESS),
  ...Array.from({ length: 4 }, () => START),
  ...Array.from({ length: 4 }, () => LOG),
  // Rare, since each one causes alerts.
  ...FAILURES,
  ...SILENCES,
]

export interface SentTo extends SentPing {
  /** the base URL */
  readonly to: string
  /** status and text of the answer; the error if there was none */
  readonly answer: string
}

export interface Load {
  /** Pings that were answered or given up. Times are those of `performance.now()`. */
  readonly sent: readonly SentTo[]
  /** Sends one success to each of these checks, which the load must not ping, and resolves when all are answered. */
  succeed(checks: readonly Target[]): Promise<void>
  /** Sends no more pings, and resolves when all are answered. */
  stop(): Promise<void>
}

interface LoadOptions {
  readonly checks: readonly Target[]
  readonly perSecond: number
  readonly random: SeededRandom
  /** @returns the base URL for the next ping */
  to(): string
}

/** Sends so many pings a second, whether or not earlier ones were answered. */
export function startLoad({ checks, perSecond, random, to }: LoadOptions): Load {
  const sent: SentTo[] = []
  const underWay = new Set<Promise<void>>()
  const began = performance.now()
  let begun = 0
  const send = (target: Target, action: PingAction) => {
    const rid = random.integer(2) === 0 ? crypto.randomUUID() : null
    const hasBody = random.integer(1) === 0
    const ping = sendPing(to(), target, { ...action, rid, hasBody }).then((done) => void sent.push(done))
    underWay.add(ping)
    ping.finally(() => underWay.delete(ping))
    return ping
  }
  const sendDue = () => {
    // A busy machine fires timers late.
    const due = Math.floor(((performance.now() - began) / 1_000) * perSecond)
    for (; begun < due; begun += 1) {
      const isBusy = random.integer(1) === 0
      const target = checks[isBusy ? random.integer(Math.min(BUSY_CHECKS, checks.length) - 1) : begun % checks.length]
      if (target === undefined) throw new Error('there is no check to ping')
      send(target, random.pick(ACTIONS))
    }
  }
  const timer = setInterval(sendDue, 5)
  return {
    sent,
    succeed: async (others) => void (await Promise.all(others.map((target) => send(target, SUCCESS)))),
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}

async function sendPing(
  to: string,
  { id, name }: Target,
  { path, rid, hasBody, ...action }: PingAction & { readonly rid: string | null; readonly hasBody: boolean },
): Promise<SentTo> {
  const agent = crypto.randomUUID()
  const body = hasBody ? `output of ${agent}\n`.repeat(10) : null
  const method = hasBody ? 'POST' : 'GET'
  const sentAt = performance.now()
  const url = new URL(`${to}/ping/${id}${path}`)
  if (rid !== null) url.searchParams.set('rid', rid)
  const answer = await fetch(url, {
    method,
    headers: { 'User-Agent': agent },
    body,
    signal: AbortSignal.timeout(GIVEN_UP_AFTER_MS),
  })
    .then(async (response) => `${response.status} ${await response.text()}`)
    .catch(String)
  const answeredAt = answer === '200 OK' ? performance.now() : null
  return { ...action, rid, method, body, agent, check: name, sentAt, answeredAt, to, answer }
}
