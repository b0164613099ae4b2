/** The SMTP server for pings by email (RFC 5321). It accepts emails for checks and never relays. */
import type { SMTPServer, SMTPServerOptions } from 'smtp-server'
import { Refusal } from '../domain/errors.ts'
import { codeOf, reasonOf } from '../lib/errors.ts'
import { Admission } from './admission.ts'
import { type MailDoorDeps, Mails, type MessageLimits } from './mails.ts'

export interface MailDoorSettings {
  readonly host: string
  /** port on which to listen; 0 for any free port */
  readonly port: number
  /** domain of the checks' email addresses; emails to other domains are rejected */
  readonly domain: string
  /** certificate chain and private key in PEM format; null to disable STARTTLS */
  readonly tls: { readonly cert: string; readonly key: string } | null
}

export interface MailLimits extends MessageLimits {
  readonly connections: number
  /** maximum number of connections per client, which is an IPv4 address or a 64-bit IPv6 network */
  readonly connectionsOfClient: number
  /** maximum number of recipients per message */
  readonly recipients: number
  /** maximum idle time in milliseconds (RFC 5321, 4.5.3.2.7: five minutes) */
  readonly silenceMs: number
  /** time in milliseconds within which a client must name a check */
  readonly identifyWithinMs: number
  /** time in milliseconds within which a message must be complete */
  readonly messageMs: number
}

/**
 * The server's limits. They allow at most 50 MB of small messages and 128 MB of large ones in memory. The maximum message size is the same
 * as in Healthchecks.
 */
const LIMITS: MailLimits = {
  connections: 200,
  connectionsOfClient: 20,
  recipients: 100,
  messageBytes: 33_554_432,
  smallMessageBytes: 262_144,
  largeMessages: 4,
  copiedBytes: 67_108_864,
  silenceMs: 300_000,
  identifyWithinMs: 120_000,
  messageMs: 600_000,
}

const COMMAND_BYTES = 2_048
/** Commands that this server does not need. The last three are jokes in the library. */
const NO_COMMANDS = ['AUTH', 'XCLIENT', 'XFORWARD', 'WIZ', 'SHELL', 'KILL']

export interface MailDoor {
  readonly port: number
  /** Accepts no more email, disconnects idle clients, and waits up to `withinMs` milliseconds for messages in progress. */
  close(withinMs: number): Promise<void>
}

/** @throws Refusal `cannot-listen` if it can't listen on the port */
export async function openMailDoor(
  deps: MailDoorDeps,
  settings: MailDoorSettings,
  given: Partial<MailLimits> = {},
): Promise<MailDoor> {
  const limits = { ...LIMITS, ...given }
  const mails = new Mails(deps, settings.domain, limits)
  const { MailServer } = await import('./data-phase.ts')
  const admission = new Admission(limits, (id) => disconnect(server, (connection) => connection.id === id))
  const server = new MailServer(
    {
      ...serverOptions(settings, limits),
      onConnect: (session, done) => done(admission.enter(session, server.connections)),
      onClose: ({ id }) => admission.leave(id),
      onRcptTo(recipient, session, done) {
        const admitted = mails.admit(recipient, session).then(() => admission.identified(session.id))
        mails.answer(admitted, done)
      },
      onData(stream, session, done) {
        const tooSlow = setTimeout(() => disconnect(server, ({ id }) => id === session.id), limits.messageMs)
        mails.answer(
          mails.receive(stream, session, () => clearTimeout(tooSlow)),
          done,
        )
      },
    },
    deps.budget,
  )
  const port = await listen(server, settings)
  server.on('error', ({ message }) => deps.log('debug', 'SMTP connection lost', { reason: message }))
  return {
    port,
    async close(withinMs) {
      server.close()
      disconnect(server, ({ id }) => !mails.isUnderWay(id))
      await Promise.race([mails.drain(), Bun.sleep(withinMs)])
      disconnect(server, () => true)
    },
  }
}

function serverOptions({ domain, tls }: MailDoorSettings, limits: MailLimits): SMTPServerOptions {
  return {
    name: domain,
    heloResponse: '%s',
    size: limits.messageBytes,
    rejectOversized: true,
    maxClients: limits.connections,
    maxRecipients: limits.recipients,
    maxCommandLength: COMMAND_BYTES,
    socketTimeout: limits.silenceMs,
    disabledCommands: tls ? NO_COMMANDS : [...NO_COMMANDS, 'STARTTLS'],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    // Printers and routers send invalid sender addresses, so the library accepts them. Recipients are checked strictly elsewhere.
    lenientAddressParsing: true,
    logger: false,
    ...tls,
  }
}

function listen(server: SMTPServer, { host, port }: MailDoorSettings): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `cannot listen on ${host}:${port} for mail: ${reasonOf(cause)}`
      const data = { host, port, setting: 'SMTPD_PORT', isForbidden: codeOf(cause) === 'EACCES' }
      reject(new Refusal('cannot-listen', message, data, { cause }))
    })
    const listener = server.listen(port, host, () => {
      server.removeAllListeners('error')
      const address = listener.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

type Connection = SMTPServer['connections'] extends Set<infer Member> ? Member : never

function disconnect(server: SMTPServer, which: (connection: Connection) => boolean): void {
  for (const connection of server.connections) if (which(connection)) connection.send(421, 'closing the connection')
}
