/** A steady load of pings that records the answer to each one. */

/** Time after which a ping is given up, long after the server must have answered. */
const GIVEN_UP_AFTER_MS = 20_000
/** The output of a job. */
const BODY = 'All files were copied.\n'.repeat(20)

export interface Ping {
  readonly check: string
  /** its user agent, which is unique */
  readonly agent: string
  /** milliseconds of `performance.now()` */
  readonly sentAt: number
  readonly answeredAt: number
  /** status and text of the answer; the error if there was none */
  readonly answer: string
  readonly retryAfter: string | null
}

export interface PingLoad {
  /** pings in the order of their answers */
  readonly pings: readonly Ping[]
  /** Sends no more pings, and resolves when all are answered. */
  stop(): Promise<void>
}

/** Sends so many pings a second to the checks in turn, whether or not earlier ones were answered. */
export function startPings(baseUrl: string, checks: readonly string[], perSecond: number): PingLoad {
  const pings: Ping[] = []
  const underWay = new Set<Promise<void>>()
  const began = performance.now()
  let sent = 0
  const send = () => {
    // A busy machine fires timers late.
    const due = Math.floor(((performance.now() - began) / 1_000) * perSecond)
    for (; sent < due; sent += 1) {
      const check = checks[sent % checks.length]
      if (check === undefined) throw new Error('there is no check to ping')
      const ping = sendPing(baseUrl, check).then((answered) => void pings.push(answered))
      underWay.add(ping)
      ping.finally(() => underWay.delete(ping))
    }
  }
  const timer = setInterval(send, 5)
  return {
    pings,
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}

async function sendPing(baseUrl: string, check: string): Promise<Ping> {
  const agent = crypto.randomUUID()
  const sentAt = performance.now()
  const [answer, retryAfter] = await fetch(`${baseUrl}/ping/${check}`, {
    method: 'POST',
    headers: { 'User-Agent': agent },
    body: BODY,
    signal: AbortSignal.timeout(GIVEN_UP_AFTER_MS),
  })
    .then(
      async (response) => [`${response.status} ${await response.text()}`, response.headers.get('retry-after')] as const,
    )
    .catch((error) => [String(error), null] as const)
  return { check, agent, sentAt, answeredAt: performance.now(), answer, retryAfter }
}
