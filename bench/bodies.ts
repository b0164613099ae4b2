/** Large emails and pings: the delay of other pings while one arrives. */
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { freePort } from '../test/support/free-port.ts'
import type { Bench } from './support/bench.ts'
import { startChild, stopChild } from './support/children.ts'
import { progress } from './support/figures.ts'
import { LARGE_BODIES, type LargeBodyJob } from './support/large-body.ts'
import { longestPing, warmUp } from './support/pinging.ts'
import { type App, startApp, stopServer } from './support/servers.ts'
import { below, type Row, ratios } from './support/table.ts'

const DOMAIN = 'ping.example'
const LONGEST_PING_MS = 50
const SETTLE_MS = 300

export async function measureBodies(bench: Bench): Promise<Row[]> {
  const { directory, paths, apiKey } = await bench.database(10)
  const mailPort = freePort()
  const app = await startApp(directory, {
    SMTPD_PORT: String(mailPort),
    PING_EMAIL_DOMAIN: DOMAIN,
    PING_BODY_LIMIT: 'None',
  })
  const [pinged = '', path = ''] = paths
  const pingUrl = `http://127.0.0.1:${app.port}${pinged}`
  await searchEmails(app, apiKey, path)
  await warmUp(pingUrl)
  const rows: Row[] = []
  for (const body of Object.keys(LARGE_BODIES)) {
    const sender = await startSender({ body, port: app.port, mailPort, path, domain: DOMAIN })
    await sender.send()
    const [longest, alone]: [number[], number[]] = [[], []]
    for (let round = 1; round <= bench.options.rounds; round += 1) {
      alone.push(await longestPing(pingUrl, () => Bun.sleep(SETTLE_MS), SETTLE_MS))
      longest.push(await longestPing(pingUrl, () => sender.send(), SETTLE_MS))
    }
    await sender.stop()
    progress(
      `beside ${body} the longest ping took ${longest.map((it) => it.toFixed(0)).join(' ')} ms, alone ${alone.map((it) => it.toFixed(0)).join(' ')} ms`,
    )
    rows.push({
      what: `longest ping beside ${body}`,
      figures: [{ name: '', values: longest, digits: 0, unit: ' ms' }],
      ratio: { values: ratios(longest, alone), to: 'alone', digits: 1 },
      aim: below(longest, LONGEST_PING_MS, 'longest', ' ms'),
    })
  }
  await stopServer(app)
  return rows
}

/** Enables the search in emails to this check, so that they are decoded. */
async function searchEmails({ port }: App, apiKey: string, path: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path.replace('/ping/', '/api/v3/checks/')}`, {
    method: 'POST',
    headers: { 'X-Api-Key': apiKey },
    body: JSON.stringify({ filter_subject: true, filter_body: true, failure_kw: 'FAILED' }),
  })
  if (!answer.ok) throw new Error(`the check was not changed: ${await answer.text()}`)
}

async function startSender(job: LargeBodyJob) {
  const child = startChild(['bench/support/large-body.ts'])
  const lines = createInterface({ input: Readable.from(child.stdout) })[Symbol.asyncIterator]()
  const write = (line: string) => typeof child.stdin === 'object' && child.stdin.write(`${line}\n`)
  write(JSON.stringify(job))
  await lines.next()
  return {
    async send() {
      write('')
      const { value = '' } = await lines.next()
      if (!/^OK$|^250 /.test(value)) throw new Error(`${job.body} was answered with ${value}`)
    },
    stop: () => stopChild(child),
  }
}
