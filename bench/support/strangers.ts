/**
 * Clients that use a new connection for each request, as a process of its own: `bun bench/support/strangers.ts`. Its input is a
 * {@link StrangersJob}, its output a {@link StrangersResult}, both as JSON.
 */
import { connect } from 'node:net'
import { print } from './figures.ts'

export interface StrangersJob {
  /** port on 127.0.0.1 */
  readonly port: number
  readonly connections: number
  readonly seconds: number
  readonly request: StrangersRequest
}

export interface StrangersRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface StrangersResult {
  /** number of answers by status; '' represents connections that were closed without one */
  readonly answers: Readonly<Record<string, number>>
}

/** Requests of strangers: without a key and without an account. */
export const STRANGERS_REQUESTS: Readonly<Record<string, StrangersRequest>> = {
  'forms of 16 KiB': signIn(16_384),
  'forms of 64 KiB': signIn(65_536),
  'JSON without a key': {
    method: 'POST',
    path: '/api/v3/checks/',
    headers: {},
    body: JSON.stringify({ name: 'x', tags: Array.from({ length: 10_000 }, () => 'a') }),
  },
  callbacks: {
    method: 'POST',
    path: '/api/v3/notifications/57fcbb62-8a1c-41de-8309-5a1f4cf19a0e/status',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: fields(16_384),
  },
  'searches in the documents': { method: 'GET', path: '/docs/search?q=postgres', headers: {}, body: '' },
}

function signIn(bytes: number): StrangersRequest {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return { method: 'POST', path: '/sign-in', headers, body: fields(bytes) }
}

/** Returns a form of as many field names as fit. */
function fields(bytes: number): string {
  return 'a&'.repeat(bytes / 2)
}

function written({ port, request: { method, path, headers, body } }: StrangersJob): string {
  const host = `127.0.0.1:${port}`
  const given = Object.entries({
    Host: host,
    Origin: `http://${host}`,
    'Content-Length': String(body.length),
    ...headers,
  })
  return `${method} ${path} HTTP/1.1\r\n${given.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

async function run(job: StrangersJob): Promise<StrangersResult> {
  const answers: Record<string, number> = {}
  const text = written(job)
  const until = performance.now() + job.seconds * 1000
  const stranger = async () => {
    while (performance.now() < until) {
      const status = await ask(job.port, text)
      answers[status] = (answers[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: job.connections }, stranger))
  return { answers }
}

/** @returns the status, or '' */
function ask(port: number, text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(text))
  socket.once('data', (bytes) => {
    resolve(bytes.toString('latin1').split(' ', 2)[1] ?? '')
    socket.destroy()
  })
  socket.once('error', () => resolve(''))
  socket.once('close', () => resolve(''))
  return promise
}

if (import.meta.main) {
  print(JSON.stringify(await run((await Bun.stdin.json()) as StrangersJob)))
  // A connection that the server never closes would keep the process.
  process.exit(0)
}
