/** A receiver in place of all receivers of the company: it accepts every request and email, and reports each in a line. */
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface Receiver {
  /** address, `http://127.0.0.1:9000` */
  readonly url: string
  readonly smtpPort: number
  close(): Promise<void>
}

/** Keys with the name of the check, and with the reason of its failure, in messages of the kinds of integrations. */
const TITLE_KEYS = ['title', 'fallback', 'message', 'text']
const REASON_KEYS = ['sentence', 'message', 'text']
const LINE_LIMIT = 200

/** @param onLine gets lines such as `ops@example.org: DOWN | Backup`, without their end */
export async function openReceiver(onLine: (line: string) => void): Promise<Receiver> {
  const http = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      onLine(alertLine(pathname, titleOf(await request.text())))
      return Response.json({ id: 1 })
    },
  })
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const addresses = envelope.rcptTo.map(({ address }) => address).join(', ')
      new Response(stream)
        .bytes()
        .then((message) => PostalMime.parse(message))
        .then(({ subject = '', text = '' }) => onLine(alertLine(addresses, titleAndReason(subject, text))))
        .then(() => done(), done)
    },
  })
  // A client that hangs up is no failure of the receiver.
  smtp.on('error', () => {})
  const smtpPort = await new Promise<number>((resolve) => {
    const server = smtp.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(address !== null && typeof address === 'object' ? address.port : 0)
    })
  })
  return {
    url: `http://127.0.0.1:${http.port}`,
    smtpPort,
    async close() {
      await http.stop(true)
      await new Promise<void>((resolve) => smtp.close(() => resolve()))
    },
  }
}

/** Returns one line of at most 200 characters, without control characters. */
function alertLine(to: string, title: string): string {
  const line = `${to}: ${title}`.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return line.length > LINE_LIMIT ? `${line.slice(0, LINE_LIMIT - 1)}…` : line
}

/** Returns the beginning of an alert's body, in any form of integration: the check, and the reason. */
export function titleOf(body: string): string {
  try {
    const alert: unknown = JSON.parse(body)
    return titleAndReason(textIn(alert, TITLE_KEYS) ?? '', textIn(alert, REASON_KEYS) ?? '') || body
  } catch {
    return body
  }
}

function titleAndReason(title: string, text: string): string {
  const [reason = ''] = text.trim().split('\n')
  return [...new Set([title, reason])].filter((part) => part !== '').join(' | ')
}

/** Returns the first text at one of the keys, in this order, in an object or in those within it. */
function textIn(value: unknown, keys: readonly string[]): string | null {
  if (typeof value !== 'object' || value === null) return null
  const members = new Map<string, unknown>(Object.entries(value))
  const own = keys.map((key) => members.get(key)).find((text) => typeof text === 'string' && text.trim() !== '')
  if (typeof own === 'string') return own
  for (const inner of members.values()) {
    const text = textIn(inner, keys)
    if (text !== null) return text
  }
  return null
}
