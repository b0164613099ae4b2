/**
 * Receivers of all kinds of integrations on this machine: an HTTP server in place of every vendor's, a mail server, a signal-cli
 * daemon, and a file that commands write. The carriers are the real ones; only the hosts of requests are replaced.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { createHttpSender } from '../../../src/delivery/http.ts'
import { createMailSender } from '../../../src/delivery/mail.ts'
import type { Carriers } from '../../../src/domain/carrier/carriers.ts'

interface Arrived {
  /** receiver: `POST api.twilio.com/2010-04-01/…`, `mail to <address>`, `signal` */
  readonly at: string
  /** text as a receiver reads it, without percent-encoding */
  readonly text: string
  /** value of the header `webhook-id` */
  readonly id: string | null
}

export interface Receivers {
  readonly carriers: Partial<Carriers>
  readonly signalSocket: string
  /** file to which commands write; it does not exist before the first one */
  readonly file: string
  /** oldest first */
  readonly arrived: Arrived[]
  /** Answers 500 to requests to this host. */
  refuse(host: string): void
  accept(host: string): void
  close(): Promise<void>
}

export async function openReceivers(): Promise<Receivers> {
  const arrived: Arrived[] = []
  const refused = new Set<string>()
  const folder = mkdtempSync(join(tmpdir(), 'overdue-receivers-'))
  const http = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const url = new URL(request.url)
      const [, host = ''] = url.pathname.split('/')
      const at = `${request.method} ${url.pathname.slice(1)}`
      const text = decodeURIComponent(
        `${url.search} ${await request.text()}`.replaceAll('+', ' ').replace(/%(?![\da-f]{2})/gi, '%25'),
      )
      arrived.push({ at, text, id: request.headers.get('webhook-id') })
      if (refused.has(host)) return new Response('out of order', { status: 500 })
      return Response.json({ result: 'success' })
    },
  })
  const mailPort = await openMailServer(arrived)
  const signal = await openSignalDaemon(arrived)
  const from = { name: 'Overdue', address: 'alerts@overdue.example' }
  const login = null
  const server = { host: '127.0.0.1', port: mailPort.port, encryption: 'none', login, from } as const
  const mail = createMailSender({ server, source: 'environment' })
  const send = createHttpSender({ allowPrivateAddresses: true })
  return {
    carriers: { http: (request) => send(routed(request, http.url)), mail: mail.send },
    signalSocket: `127.0.0.1:${signal.port}`,
    file: join(folder, 'commands'),
    arrived,
    refuse: (host) => void refused.add(host),
    accept: (host) => void refused.delete(host),
    async close() {
      await mail.close()
      await Promise.all([http.stop(true), mailPort.close(), signal.close()])
      rmSync(folder, { recursive: true })
    },
  }
}

/** Redirects a request to `receiver`, with the host as the first part of the path. */
function routed(request: Request, receiver: URL): Request {
  const { host, pathname, search, username, password } = new URL(request.url)
  const to = new URL(`/${host}${pathname}${search}`, receiver)
  to.username = username
  to.password = password
  return new Request(to.href, request)
}

interface Listening {
  readonly port: number
  close(): Promise<unknown>
}

async function openMailServer(arrived: Arrived[]): Promise<Listening> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onData(stream, { envelope }, done) {
      const chunks: Uint8Array[] = []
      stream.on('data', (chunk: Uint8Array) => chunks.push(chunk))
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address).join(' ')
        arrived.push({ at: `mail to ${to}`, text: Buffer.concat(chunks).toString(), id: null })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: portOf(server.server.address()),
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

async function openSignalDaemon(arrived: Arrived[]): Promise<Listening> {
  const server = createServer((socket) => {
    socket.setEncoding('utf8')
    socket.on('data', (line: string) => {
      const { id, params } = JSON.parse(line)
      arrived.push({ at: 'signal', text: params.message, id: null })
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { results: [{ type: 'SUCCESS' }] } })}\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: portOf(server.address()), close: () => new Promise((resolve) => server.close(resolve)) }
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  return typeof address === 'object' && address ? address.port : 0
}
