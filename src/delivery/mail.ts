/**
 * Sends emails through one mail server over a few reusable connections. Each email has a time limit, and every outcome is reported as an
 * answer. The operator or an administrator sets the server's address, so private addresses are allowed: many mail servers have one.
 */
import { domainToASCII } from 'node:url'
import type { SendMailOptions } from 'nodemailer'
import type { Mail, MailAnswer, MailSender } from '../domain/carrier/mail.ts'
import { type Masker, maskerOf } from '../domain/carrier/mask-secrets.ts'
import { domainOf, type Mailbox } from '../domain/email-address.ts'
import type { MailInUse, MailServer } from '../domain/mail/mail-server.ts'
import { createSemaphore } from '../lib/work/semaphore.ts'
import { createDialogue, type Dialogue } from './mail-dialogue.ts'
import { failureAnswer, redacted, unreachable } from './mail-failure.ts'

export interface MailSenderOptions {
  /** time limit of each email in seconds, from getting a connection to the server's final reply; 50 by default */
  readonly timeoutSeconds?: number
  /** additional trusted certificates in PEM format */
  readonly trustedCertificates?: string
  /** Called with each line of the dialogue, prefixed with `C: ` or `S: `, without credentials. If set, connections are not reused. */
  readonly onLine?: (line: string) => void
}

export interface MailClient {
  readonly send: MailSender
  /** Aborts emails in progress and closes the connections. */
  close(): Promise<void>
}

export function createMailSender(inUse: MailInUse, options: MailSenderOptions = {}): MailClient {
  // The library has a queue too, but time spent in that queue would count towards an email's time limit.
  const connections = createSemaphore(CONNECTIONS, WAITING_LIMIT)
  const lines = Array.from({ length: CONNECTIONS }, () => createLine(inUse, options))
  /** Uses the most recently used line first, so that the idle connections of the other lines can close. */
  const free = [...lines]
  return {
    async send(mail) {
      const line = (await connections.acquire()) ? free.pop() : undefined
      if (line === undefined) return unreachable('All connections to the mail server were busy')
      try {
        return await line.send(mail)
      } finally {
        free.push(line)
        connections.release()
      }
    },
    async close() {
      connections.close()
      await Promise.all(lines.map((line) => line.close()))
    },
  }
}

const CONNECTIONS = 4
/**
 * Maximum number of waiting emails. The courier and the mailings never send that many at once. Emails beyond the limit are retried later.
 */
const WAITING_LIMIT = 500
const IDLE_SECONDS = 30
const TIMEOUT_SECONDS = 50

/** Creates a line: a connection that is kept open for a while, and its dialogue. A line sends one email at a time. */
function createLine(inUse: MailInUse, options: MailSenderOptions): MailClient {
  const { server } = inUse
  // A server's reply may repeat the password.
  const mask = maskerOf(server.login === null ? [] : [server.login.password])
  const dialogue = createDialogue((line) => options.onLine?.(mask(line)))
  const { timeoutSeconds = TIMEOUT_SECONDS } = options
  let opening: Promise<Transporter> | null = null
  return {
    async send(mail) {
      try {
        opening ??= open(server, options, dialogue)
        const { sendMail, make } = await opening
        const message = toMessage(mail, server, timeoutSeconds)
        const { response = '' } = await (mail.goesNowhere ? make(message) : sendMail(message))
        return { kind: 'accepted', response: mask(redacted(response)) }
      } catch (error) {
        return masked(mask, failureAnswer({ error, progress: dialogue.progress(), inUse, timeoutSeconds }))
      }
    },
    async close() {
      const transporter = await opening
      transporter?.close({ force: true })
    },
  }
}

function masked(mask: Masker, answer: MailAnswer): MailAnswer {
  return answer.kind === 'unreachable'
    ? { ...answer, error: mask(answer.error) }
    : { ...answer, response: mask(answer.response) }
}

interface Sending {
  readonly response?: string | undefined
}

interface Transporter {
  sendMail(options: SendMailOptions): Promise<Sending>
  /** Composes an email, and does all other work that needs no connection. */
  make(options: SendMailOptions): Promise<Sending>
  close(options?: { readonly force?: boolean }): void
}

/** Imports the library on first use, so that only the first email waits for the import. */
async function open(server: MailServer, options: MailSenderOptions, { logger }: Dialogue): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const { host, port, encryption, login, from } = server
  const { timeoutSeconds = TIMEOUT_SECONDS, trustedCertificates, onLine } = options
  const milliseconds = timeoutSeconds * 1000
  const common = {
    host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    // Mail servers distrust clients that identify themselves as localhost, as a client in a container would.
    name: senderDomain(from),
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    socketTimeout: milliseconds,
    allowInternalNetworkInterfaces: true,
    disableFileAccess: true,
    disableUrlAccess: true,
    // Logs the dialogue without the content of emails.
    transactionLog: true,
    logger,
    ...(login ? { auth: { user: login.user, pass: login.password } } : {}),
    ...(trustedCertificates === undefined ? {} : { tls: { ca: trustedCertificates } }),
  }
  // The server may close an idle connection at the moment when it is reused, so one retry is allowed.
  const transporter = onLine
    ? createTransport(common)
    : createTransport({ ...common, pool: true, maxConnections: 1, maxRequeues: 1, idleTimeout: IDLE_SECONDS * 1000 })
  const maker = createTransport({ streamTransport: true, buffer: true })
  return {
    sendMail: (message) => transporter.sendMail(message),
    make: async (message) => {
      await maker.sendMail(message)
      return {}
    },
    close: (force) => transporter.close(force),
  }
}

/** Converts an email for the library, which folds and encodes headers. Addresses are passed in parts, so the library never parses them. */
function toMessage(mail: Mail, { from }: MailServer, timeoutSeconds: number) {
  const { id, to, subject, text, html, unsubscribeUrl, attachments = [] } = mail
  return {
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    messageId: `<${id}@${senderDomain(from)}>`,
    subject,
    text,
    html,
    // Other encodings may break or join the lines of preformatted text.
    textEncoding: 'quoted-printable',
    headers: {
      // Stops vacation responders from answering (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl === null
        ? {}
        : {
            'List-Unsubscribe': { prepared: true, value: `<${new URL(unsubscribeUrl).href}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
    attachments: attachments.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      content: Buffer.from(content),
      contentDisposition: 'attachment',
    })),
    signal: AbortSignal.timeout(timeoutSeconds * 1000),
  } satisfies SendMailOptions
}

/** Returns the domain in ASCII, for headers and the dialogue. */
function senderDomain(from: Mailbox): string {
  return domainToASCII(domainOf(from.address)) || 'localhost'
}
