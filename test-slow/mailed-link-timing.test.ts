/**
 * Guesses whether an address has an account from the duration of the request after one for a link, on a real server with a real mail
 * server. Random guesses are right half of the time. Runs alone: it measures the duration of requests.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SMTPServer } from 'smtp-server'
import { type Served, serve } from '../test/support/served.ts'

const ACCOUNTS = 12
const LEARNED_FROM = 40
const GUESSES = 80
/** Limit of correct guesses. Of 80 coin flips, more come up one way in one of 10,000 tries. */
const MOST_RIGHT = 57

let mails: SMTPServer
let server: Served
beforeAll(async () => {
  mails = new SMTPServer({ disabledCommands: ['STARTTLS'], authOptional: true, logger: false })
  const port = await new Promise<number>((resolve) => {
    mails.listen(0, '127.0.0.1', () => {
      const address = mails.server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  server = await serve({ EMAIL_HOST: '127.0.0.1', EMAIL_PORT: String(port), EMAIL_USE_TLS: 'False' })
  for (let n = 0; n < ACCOUNTS; n += 1) await server.overdue('account', 'create', `known${n}@example.org`)
})
afterAll(async () => {
  await server?.stop()
  mails.close()
})

interface Asked {
  readonly isKnown: boolean
  /** duration of the next request, in milliseconds */
  readonly took: number
}

let asked = 0
/** Requests a link, each time from another network, and a page right after it. */
async function ask(isKnown: boolean): Promise<Asked> {
  asked += 1
  const email = isKnown ? `known${asked % ACCOUNTS}@example.org` : `unknown${asked}@example.org`
  const headers = { origin: server.baseUrl, 'x-forwarded-for': `10.${asked}.0.1` }
  const body = new URLSearchParams({ email })
  const answer = await fetch(`${server.baseUrl}/sign-in/link`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
  await answer.bytes()
  const start = performance.now()
  await (await fetch(`${server.baseUrl}/api/v3/status/`)).bytes()
  return { isKnown, took: performance.now() - start }
}

const ofEach = async (count: number): Promise<readonly Asked[]> => {
  const all: Asked[] = []
  for (let n = 0; n < count; n += 1) all.push(await ask(n % 2 === 0))
  return all
}

function median(all: readonly Asked[], isKnown: boolean): number {
  const times = all.filter((one) => one.isKnown === isKnown).map(({ took }) => took)
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0
}

test('the time of the next request does not tell whether a link was mailed', async () => {
  const learned = await ofEach(LEARNED_FROM)
  const [known, unknown] = [median(learned, true), median(learned, false)]
  const guess = ({ took }: Asked) => Math.abs(took - known) < Math.abs(took - unknown)
  const right = (await ofEach(GUESSES)).filter((one) => guess(one) === one.isKnown).length
  expect(right).toBeLessThanOrEqual(MOST_RIGHT)
})
