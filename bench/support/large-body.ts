/**
 * Sends large emails and pings, as a process of its own: `bun bench/support/large-body.ts`. Its first input is a {@link LargeBodyJob} as
 * JSON. It makes the body, prints `ready`, and sends it once for each further line of its input. After each it prints a line with the
 * answer.
 */
import { argv } from 'node:process'
import { createInterface } from 'node:readline'
import { smtpClient } from '../../test/support/smtp-client.ts'
import { print } from './figures.ts'

export interface LargeBodyJob {
  /** name of one of {@link LARGE_BODIES} */
  readonly body: string
  /** port of the web server on 127.0.0.1, for a ping */
  readonly port: number
  /** port of the mail server, for an email */
  readonly mailPort: number
  /** path of a ping URL, `/ping/<uuid>` */
  readonly path: string
  readonly domain: string
}

interface LargeBody {
  readonly by: 'email' | 'ping' | 'chunked ping'
  /** @param bytes approximate number */
  readonly make: (bytes: number) => string
}

const BYTES = 16 * 1024 * 1024
const LINE = 'INFO backup of host 17 copied 4711 files, 0 errors, all is well\r\n'
const HEAD = 'Subject: Backup of host 17\r\n'

/** Large bodies, each for another reason. Characters represent bytes. */
export const LARGE_BODIES: Readonly<Record<string, LargeBody>> = {
  'an email of lines': { by: 'email', make: (bytes) => `${HEAD}\r\n${LINE.repeat(bytes / LINE.length)}` },
  'an email of one line': { by: 'email', make: (bytes) => `${HEAD}\r\n${'x'.repeat(bytes)}` },
  'an email of empty lines': { by: 'email', make: (bytes) => `${HEAD}\r\n${'\r\n'.repeat(bytes / 2)}` },
  'an email of lines that begin with a dot': {
    by: 'email',
    make: (bytes) => `${HEAD}\r\n${'.\r\n'.repeat(bytes / 3)}`,
  },
  'an email with an attachment': {
    by: 'email',
    make: (bytes) =>
      mixed(['text/plain', 'OK'], ['application/gzip\r\nContent-Transfer-Encoding: base64', base64(bytes)]),
  },
  'an email with a text in Base64': {
    by: 'email',
    make: (bytes) => mixed(['text/plain\r\nContent-Transfer-Encoding: base64', base64(bytes)]),
  },
  'an email in quoted-printable': {
    by: 'email',
    make: (bytes) =>
      mixed([
        'text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable',
        'gr=C3=BCn =3D\r\n'.repeat(bytes / 15),
      ]),
  },
  'an email in HTML': {
    by: 'email',
    make: (bytes) => mixed(['text/html', '<p class="a">a &amp; <b>b</b></p>\r\n'.repeat(bytes / 35)]),
  },
  'an email of many parts': {
    by: 'email',
    make: (bytes) => mixed(...Array.from({ length: bytes / 60 }, () => ['text/plain', 'All is well.'] as const)),
  },
  'an email of many header fields': {
    by: 'email',
    make: (bytes) => `${HEAD}${'X-Seen-By: host 17\r\n'.repeat(bytes / 20)}\r\nOK`,
  },
  'a ping of text': { by: 'ping', make: (bytes) => LINE.repeat(bytes / LINE.length) },
  'a ping of text in chunks': { by: 'chunked ping', make: (bytes) => LINE.repeat(bytes / LINE.length) },
  'a ping of zeros': { by: 'ping', make: (bytes) => '\0'.repeat(bytes) },
}

function mixed(...parts: readonly (readonly [type: string, text: string])[]): string {
  const written = parts.map(([type, text]) => `--b\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`)
  return `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${written.join('')}--b--\r\n`
}

function base64(bytes: number): string {
  const random = Buffer.alloc(Math.floor((bytes / 78) * 57))
  for (let at = 0; at < random.length; at += 65_536) crypto.getRandomValues(random.subarray(at, at + 65_536))
  return random.toString('base64').replace(/.{76}/g, '$&\r\n')
}

async function send(job: LargeBodyJob, { by }: LargeBody, bytes: Buffer): Promise<string> {
  const { port, mailPort, path, domain } = job
  if (by === 'email') {
    const client = await smtpClient(mailPort)
    const answer = await client.mail(bytes, `${path.slice('/ping/'.length)}@${domain}`)
    client.close()
    return answer
  }
  const body = by === 'ping' ? bytes : new Blob([bytes]).stream()
  return (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body })).text()
}

if (import.meta.main && argv.length === 2) {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const job: LargeBodyJob = JSON.parse((await lines.next()).value ?? '')
  const body = LARGE_BODIES[job.body]
  if (body === undefined) throw new Error(`there is no large body "${job.body}"`)
  const bytes = Buffer.from(body.make(BYTES), 'latin1')
  print('ready')
  for await (const _ of lines) print(await send(job, body, bytes))
  process.exit(0)
}
