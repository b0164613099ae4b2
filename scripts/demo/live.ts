/** Continues the jobs of the demo: each ping is a request to the server, or an email, at its time. */
import { createTransport } from 'nodemailer'
import type { LiveJob } from './history.ts'
import type { PlannedPing } from './plan.ts'
import { pathOf } from './signal.ts'

interface LiveServer {
  /** address of the server, `http://127.0.0.1:8000` */
  readonly url: string
  /** port at which it receives emails for checks */
  readonly mailPort: number
  readonly mailDomain: string
}

interface Live {
  /** Resolves when no ping is in progress. */
  stop(): Promise<void>
}

/** Longest delay of a timer. One that doesn't fit into 31 bits fires at once, so a longer one is cut. */
const LONGEST_DELAY_MS = 86_400_000

export function startLive(server: LiveServer, jobs: readonly LiveJob[], onError: (message: string) => void): Live {
  const over = new AbortController()
  const running = jobs.map(async ({ checkId, rest }) => {
    for (const ping of rest) {
      await untilTime(ping.at, over.signal)
      if (over.signal.aborted) return
      await send(server, checkId, ping).catch((error) => onError(`${ping.job.spec.name}: ${String(error)}`))
    }
  })
  return {
    async stop() {
      over.abort()
      await Promise.all(running)
    },
  }
}

async function untilTime(at: number, over: AbortSignal): Promise<void> {
  for (let left = at - Date.now(); left > 0 && !over.aborted; left = at - Date.now()) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, Math.min(left, LONGEST_DELAY_MS))
    over.addEventListener('abort', () => resolve(), { once: true })
    await promise
    clearTimeout(timer)
  }
}

async function send(server: LiveServer, checkId: string, ping: PlannedPing): Promise<void> {
  const { sender } = ping.job
  if (sender.kind === 'mail') {
    const transport = createTransport({ host: '127.0.0.1', port: server.mailPort, ignoreTLS: true })
    const envelope = { from: sender.from, to: `${checkId}@${server.mailDomain}` }
    await transport.sendMail({ envelope, raw: ping.text ?? '' })
    return
  }
  const method = ping.text === null ? sender.method : 'POST'
  const answer = await fetch(`${server.url}/ping/${checkId}${pathOf(ping)}`, {
    method,
    // The server trusts a proxy on this machine, so the pages show the addresses of the jobs.
    headers: { 'user-agent': sender.agent, 'x-forwarded-for': sender.address },
    ...(ping.text === null ? {} : { body: ping.text }),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`)
}
