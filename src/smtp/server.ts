/** The door for mail: SMTP on a port of its own (RFC 5321). Takes mail for checks and passes none on. */
import type { SMTPServer, SMTPServerOptions } from 'smtp-server'
import { UserError } from '../domain/errors.ts'
import { Admission } from './admission.ts'
import { type MailDoorDeps, Mails, type MessageLimits } from './mails.ts'

export interface MailDoorSettings {
  readonly host: string
  /** 0 takes any free one */
  readonly port: number
  /** what the addresses of checks end with; only mail for it is taken */
  readonly domain: string
  /** certificate chain and private key, PEM; null: no STARTTLS */
  readonly tls: { readonly cert: string; readonly key: string } | null
}

export interface MailLimits extends MessageLimits {
  readonly connections: number
  /** of one client's address; of IPv6 that is a network of 64 bits */
  readonly connectionsOfClient: number
  /** per message */
  readonly recipients: number
  /** a client that says nothing for so long is sent away (RFC 5321, 4.5.3.2.7: five minutes) */
  readonly silenceMs: number
  /** and so is one that has named no check for so long, whatever else it says */
  readonly strangerMs: number
  /** and one that sends a message for so long */
  readonly messageMs: number
}

/** At most 50 MB of small messages and 128 MB of large ones in memory; the size is the peer's. */
const LIMITS: MailLimits = {
  connections: 200,
  connectionsOfClient: 20,
  recipients: 100,
  messageBytes: 33_554_432,
  smallMessageBytes: 262_144,
  largeMessages: 4,
  copiedBytes: 67_108_864,
  silenceMs: 300_000,
  strangerMs: 120_000,
  messageMs: 600_000,
}

const COMMAND_BYTES = 2_048
/** None of these does anything here; the last ones are jokes of an old library. */
const NO_COMMANDS = ['AUTH', 'XCLIENT', 'XFORWARD', 'WIZ', 'SHELL', 'KILL']

export interface MailDoor {
  readonly port: number
  /** Takes no more mail, sends idle clients away, and gives messages under way so long to be finished. */
  close(withinMs: number): Promise<void>
}

/** @throws UserError when the port cannot be had */
export async function openMailDoor(
  deps: MailDoorDeps,
  settings: MailDoorSettings,
  given: Partial<MailLimits> = {},
): Promise<MailDoor> {
  const limits = { ...LIMITS, ...given }
  const mails = new Mails(deps, settings.domain, limits)
  const { MailServer } = await import('./smtp-server.ts')
  const admission = new Admission(limits, (id) => sendAway(server, (connection) => connection.id === id))
  const server = new MailServer({
    ...serverOptions(settings, limits),
    onConnect: (session, done) => done(admission.enter(session, server.connections)),
    onClose: ({ id }) => admission.leave(id),
    onRcptTo({ address }, session, done) {
      const admitted = mails.admit(address, session).then(() => admission.welcome(session.id))
      mails.answer(admitted, done)
    },
    onData(stream, session, done) {
      const tooSlow = setTimeout(() => sendAway(server, ({ id }) => id === session.id), limits.messageMs)
      mails.answer(
        mails.receive(stream, session, () => clearTimeout(tooSlow)),
        done,
      )
    },
  })
  const port = await listen(server, settings)
  server.on('error', ({ message }) => deps.log('debug', 'a mail connection broke off', { reason: message }))
  return {
    port,
    async close(withinMs) {
      server.close()
      sendAway(server, ({ id }) => !mails.isUnderWay(id))
      await Promise.race([mails.drain(), Bun.sleep(withinMs)])
      sendAway(server, () => true)
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
    // Printers and routers write senders that no standard knows; recipients are looked at closely anyway.
    lenientAddressParsing: true,
    logger: false,
    ...tls,
  }
}

function listen(server: SMTPServer, { host, port }: MailDoorSettings): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const hint = 'set SMTPD_PORT to a free one (below 1024 takes a right of its own), or stop what listens there'
      reject(new UserError(`cannot listen on ${host}:${port} for mail: ${cause.message}`, hint, { cause }))
    })
    const listener = server.listen(port, host, () => {
      server.removeAllListeners('error')
      const address = listener.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

type Connection = SMTPServer['connections'] extends Set<infer Member> ? Member : never

function sendAway(server: SMTPServer, which: (connection: Connection) => boolean): void {
  for (const connection of server.connections) if (which(connection)) connection.send(421, 'closing the connection')
}
