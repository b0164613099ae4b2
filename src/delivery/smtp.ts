/**
 * Hands mails to the operator's mail server: a few connections that are kept between mails, bounded time, and every
 * outcome as an answer. The address is the operator's, so nothing guards against private ones.
 */
import { domainToASCII } from 'node:url'
import type { NodemailerError, SendMailOptions } from 'nodemailer'
import { withoutSecrets } from '../domain/discretion.ts'
import type { Mail, MailAnswer, MailSender } from '../domain/mail.ts'
import { domainOf, type Mailbox } from '../domain/mail-address.ts'
import type { MailServer } from '../domain/mail-server.ts'
import { oneLine } from '../domain/text.ts'
import { createLanes } from './lanes.ts'

export interface MailSenderOptions {
  /** from a mail's getting a connection to the server's last word about it; 50 by default */
  readonly timeoutSeconds?: number
  /** PEM; certificates that are trusted besides the usual ones */
  readonly trustedCertificates?: string
  /** Hears the dialogue, a line at a time, `C: ` or `S: ` first and without credentials. No connection is kept then. */
  readonly onLine?: (line: string) => void
}

export interface MailLine {
  readonly send: MailSender
  /** Gives up what is under way and hangs up. */
  close(): Promise<void>
}

interface Transporter {
  sendMail(options: SendMailOptions): Promise<{ readonly response?: string | undefined }>
  close(options?: { readonly force?: boolean }): void
}

/** @param server null when the operator has named none; no mail leaves then */
export function createMailSender(server: MailServer | null, options: MailSenderOptions = {}): MailLine {
  let opening: Promise<Transporter> | null = null
  // The library has a queue too, in which the time of a mail would run.
  const lanes = createLanes(CONNECTIONS, WAITING_LIMIT)
  return {
    async send(mail) {
      if (server === null) return unreachable('EMAIL_HOST is not set on this server')
      if (!(await lanes.enter())) return unreachable('No connection to the mail server was free')
      try {
        opening ??= open(server, options)
        const { sendMail } = await opening
        const { response = '' } = await sendMail(toMessage(mail, server, options))
        return { kind: 'accepted', response: discreet(response) }
      } catch (error) {
        return toAnswer(error, server)
      } finally {
        lanes.leave()
      }
    },
    async close() {
      lanes.close()
      const transporter = await opening
      transporter?.close({ force: true })
    },
  }
}

const CONNECTIONS = 4
/** More than the courier and the mailings ever have on their way; what is beyond is tried again later. */
const WAITING_LIMIT = 500
const IDLE_SECONDS = 30
const TIMEOUT_SECONDS = 50

/** Only who sends mail waits for the library. */
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
    // Servers are wary of who calls himself localhost, as a container would.
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
    ? createTransport({ ...common, debug: true, logger: eavesdropper(onLine) })
    : createTransport({ ...common, pool: true, maxConnections: CONNECTIONS, idleTimeout: IDLE_SECONDS * 1000 })
  return {
    sendMail: (message) => transporter.sendMail(message),
    close: (force) => transporter.close(force),
  }
}

/** Addresses are handed over in parts and never parsed; the library folds and encodes what becomes a header. */
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
    // Anything else may break or join lines of what is shown as it was written.
    textEncoding: 'quoted-printable',
    headers: {
      // RFC 3834: no vacation responder answers.
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

/** As it may stand in a header and in the dialogue, whatever its script. */
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
    return { kind: 'refused', stage, status, response: discreet(response) }
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
  if (code === 'ETLS' && encryption === 'starttls') return 'The mail server offers no encryption by STARTTLS'
  if (status !== undefined) return `The mail server turned us away: ${discreet(response)}`
  if (code === 'ETIMEDOUT' || code === 'EABORT') return 'The mail server did not answer in time'
  if (code === 'EDNS') return 'The mail server has no address'
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'The mail server offers no login that we could use'
  if (/certificate/i.test(message)) return `The certificate of the mail server is not valid: ${message}`
  if (/ECONNREFUSED|connect/i.test(message)) return 'Could not connect to the mail server'
  return 'The connection to the mail server broke off'
}

/** Servers repeat the address, and worse; what they say is logged and shown. */
function discreet(response: string): string {
  return withoutSecrets(oneLine(response))
}

interface Entry {
  readonly tnx?: string
}

/** The library masks passwords; here all of a login is hidden, also the name, which it shows in base64. */
function eavesdropper(onLine: (line: string) => void) {
  let isChallenged = false
  const tell = (who: string, text: string) => {
    for (const line of text.split(/\r?\n/)) onLine(`${who}: ${line}`)
  }
  const hear = ({ tnx }: Entry, text: string) => {
    if (tnx === 'server') {
      isChallenged = text.startsWith('334')
      tell('S', text)
    } else if (tnx === 'client') {
      tell('C', isChallenged ? '(hidden)' : text.replace(/^(AUTH \S+) .*/is, '$1 (hidden)'))
    }
  }
  const ignore = () => {}
  return { trace: ignore, debug: hear, info: ignore, warn: ignore, error: ignore, fatal: ignore }
}
