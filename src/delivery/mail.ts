/**
 * Sends emails through the operator's mail server: over a few kept connections, in bounded time, with every outcome as an
 * answer. The operator sets the address, so private ones are allowed.
 */
import { domainToASCII } from 'node:url'
import type { NodemailerError, SendMailOptions } from 'nodemailer'
import type { MailServer } from '../config/mail-server.ts'
import type { Mail, MailAnswer, MailSender } from '../domain/carrier/mail.ts'
import { domainOf, type Mailbox } from '../domain/mail/address.ts'
import { redact } from '../domain/redaction.ts'
import { createSemaphore } from '../lib/semaphore.ts'
import { oneLine } from '../lib/text.ts'

export interface MailSenderOptions {
  /** per email, from getting a connection to the server's final reply; 50 by default */
  readonly timeoutSeconds?: number
  /** PEM; additional trusted certificates */
  readonly trustedCertificates?: string
  /** Called with each line of the dialogue, prefixed with `C: ` or `S: `, without credentials. Connections are not kept then. */
  readonly onLine?: (line: string) => void
}

export interface MailClient {
  readonly send: MailSender
  /** Aborts emails under way and closes the connections. */
  close(): Promise<void>
}

interface Sending {
  readonly response?: string | undefined
}

interface Transporter {
  sendMail(options: SendMailOptions): Promise<Sending>
  /** Does the work of an email up to the connection. */
  make(options: SendMailOptions): Promise<Sending>
  close(options?: { readonly force?: boolean }): void
}

/** @param server null when none is configured; every email is unreachable then */
export function createMailSender(server: MailServer | null, options: MailSenderOptions = {}): MailClient {
  let opening: Promise<Transporter> | null = null
  // The library has a queue too, but an email's time-out would run in it.
  const connections = createSemaphore(CONNECTIONS, WAITING_LIMIT)
  return {
    async send(mail) {
      if (server === null) return unreachable('EMAIL_HOST is not set on this server')
      if (!(await connections.acquire())) return unreachable('All connections to the mail server were busy')
      try {
        opening ??= open(server, options)
        const { sendMail, make } = await opening
        const message = toMessage(mail, server, options)
        const { response = '' } = await (mail.goesNowhere ? make(message) : sendMail(message))
        return { kind: 'accepted', response: redacted(response) }
      } catch (error) {
        return toAnswer(error, server)
      } finally {
        connections.release()
      }
    },
    async close() {
      connections.close()
      const transporter = await opening
      transporter?.close({ force: true })
    },
  }
}

const CONNECTIONS = 4
/** More than the courier and the mailings ever send at once; what exceeds it is retried later. */
const WAITING_LIMIT = 500
const IDLE_SECONDS = 30
const TIMEOUT_SECONDS = 50

/** Loaded on first use, so that only the first email waits for the library. */
async function open(server: MailServer, options: MailSenderOptions): Promise<Transporter> {
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
    // Servers distrust clients that call themselves localhost, as a container would.
    name: senderDomain(from),
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    socketTimeout: milliseconds,
    allowInternalNetworkInterfaces: true,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(login ? { auth: { user: login.user, pass: login.password } } : {}),
    ...(trustedCertificates === undefined ? {} : { tls: { ca: trustedCertificates } }),
  }
  const transporter = onLine
    ? createTransport({ ...common, debug: true, logger: dialogueLogger(onLine) })
    : createTransport({ ...common, pool: true, maxConnections: CONNECTIONS, idleTimeout: IDLE_SECONDS * 1000 })
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

/** Addresses are passed in parts and never parsed. The library folds and encodes headers. */
function toMessage(mail: Mail, { from }: MailServer, { timeoutSeconds = TIMEOUT_SECONDS }: MailSenderOptions) {
  const { id, to, subject, text, html, unsubscribeUrl, attachments = [] } = mail
  return {
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    messageId: `<${id}@${senderDomain(from)}>`,
    subject,
    text,
    html,
    // Other encodings may break or join lines of preformatted text.
    textEncoding: 'quoted-printable',
    headers: {
      // RFC 3834: stops vacation responders from answering.
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

/** In ASCII, for headers and the dialogue. */
function senderDomain(from: Mailbox): string {
  return domainToASCII(domainOf(from.address)) || 'localhost'
}

type Stage = Extract<MailAnswer, { kind: 'refused' }>['stage']

function stageOf(command: string): Stage | null {
  if (command.startsWith('AUTH')) return 'login'
  if (command === 'MAIL FROM') return 'sender'
  if (command === 'RCPT TO') return 'recipient'
  return command === 'DATA' ? 'message' : null
}

function toAnswer(error: unknown, server: MailServer): MailAnswer {
  const failure: Partial<NodemailerError> = error instanceof Error ? error : {}
  const { code, command = '', responseCode: status, response = '' } = failure
  const stage = stageOf(command)
  if (stage !== null && status !== undefined && status >= 400) {
    return { kind: 'refused', stage, status, response: redacted(response) }
  }
  return unreachable(reasonOf(code, status, response, failure.message ?? '', server))
}

function unreachable(error: string): MailAnswer {
  return { kind: 'unreachable', error }
}

function reasonOf(
  code: string | undefined,
  status: number | undefined,
  response: string,
  message: string,
  { encryption }: MailServer,
): string {
  if (code === 'ETLS' && encryption === 'starttls') return 'The mail server does not offer STARTTLS'
  if (status !== undefined) return `The mail server rejected the connection: ${redacted(response)}`
  if (code === 'ETIMEDOUT' || code === 'EABORT') return 'The mail server did not answer in time'
  if (code === 'EDNS') return 'Could not resolve the mail server'
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'The mail server offers no supported login method'
  if (/certificate/i.test(message)) return `The mail server's certificate is not valid: ${message}`
  if (/ECONNREFUSED|connect/i.test(message)) return 'Could not connect to the mail server'
  return 'The connection to the mail server was lost'
}

/** Redacted because servers repeat the address and more, and their reply is logged and shown. */
function redacted(response: string): string {
  return redact(oneLine(response))
}

interface Entry {
  readonly tnx?: string
}

/** The library masks only passwords; this hides the whole login, including the base64 user name. */
function dialogueLogger(onLine: (line: string) => void) {
  let isChallenged = false
  const write = (who: string, text: string) => {
    for (const line of text.split(/\r?\n/)) onLine(`${who}: ${line}`)
  }
  const receive = ({ tnx }: Entry, text: string) => {
    if (tnx === 'server') {
      isChallenged = text.startsWith('334')
      write('S', text)
    } else if (tnx === 'client') {
      write('C', isChallenged ? '(hidden)' : text.replace(/^(AUTH \S+) .*/is, '$1 (hidden)'))
    }
  }
  const ignore = () => {}
  return { trace: ignore, debug: receive, info: ignore, warn: ignore, error: ignore, fatal: ignore }
}
