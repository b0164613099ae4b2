/** Explains why an email did not reach the mail server: what happened, after which step, and which setting to change. */
import type { NodemailerError } from 'nodemailer'
import type { MailAnswer } from '../domain/carrier/mail.ts'
import type { MailInUse, MailSource } from '../domain/mail/mail-server.ts'
import { redact } from '../domain/redaction.ts'
import { oneLine } from '../lib/text/text.ts'
import { durationWords } from '../lib/time-words.ts'
import type { Progress } from './mail-dialogue.ts'

export interface Failed {
  /** the library's error */
  readonly error: unknown
  /** progress of the connection that sent the email */
  readonly progress: Progress
  readonly inUse: MailInUse
  /** time limit of each email */
  readonly timeoutSeconds: number
}

type Stage = Extract<MailAnswer, { kind: 'refused' }>['stage']

function stageOf(command: string): Stage | null {
  if (command.startsWith('AUTH')) return 'login'
  if (command === 'MAIL FROM') return 'sender'
  if (command === 'RCPT TO') return 'recipient'
  return command === 'DATA' ? 'message' : null
}

export function failureAnswer(failed: Failed): MailAnswer {
  const { command = '', responseCode: status, response = '' } = errorOf(failed)
  const stage = stageOf(command)
  if (stage !== null && status !== undefined && status >= 400) {
    return { kind: 'refused', stage, status, response: redacted(response) }
  }
  return unreachable(reasonOf(failed))
}

export function unreachable(error: string): MailAnswer {
  return { kind: 'unreachable', error }
}

function errorOf({ error }: Failed): Partial<NodemailerError> {
  return error instanceof Error ? error : {}
}

function reasonOf(failed: Failed): string {
  const { code, command, responseCode: status, response = '', message = '' } = errorOf(failed)
  const { server, source } = failed.inUse
  const advice = ADVICE[source]
  const noStartTls = `The mail server does not offer STARTTLS: ${advice.otherTls}`
  if (command === 'EHLO' && /STARTTLS/.test(message)) return noStartTls
  if (code === 'ETLS' && command === 'STARTTLS' && !/initiating/.test(message)) return noStartTls
  if (status !== undefined) return `The mail server rejected the connection: ${redacted(response)}`
  if (code === 'ETIMEDOUT' || code === 'EABORT') return silence(failed)
  if (code === 'EDNS') return `Could not resolve the mail server: ${advice.host}`
  if (code === 'EAUTH' || code === 'ENOAUTH') return `The mail server offers no supported login method: ${advice.login}`
  if (/altname/i.test(message)) return `The mail server's certificate is not valid for ${server.host}: ${advice.name}`
  if (/certificate/i.test(message)) return `The mail server's certificate is not valid: ${message}`
  if (/wrong version number|packet length|unknown protocol|SSL routines|ERR_SSL/i.test(message)) {
    return server.encryption === 'tls'
      ? `The mail server does not use TLS from the first byte on this port: ${advice.startTls}`
      : 'The mail server agreed to STARTTLS, but then did not speak TLS'
  }
  if (!failed.progress.isConnected) return unconnected(message, advice)
  return closed(failed.progress)
}

function unconnected(message: string, advice: Advice): string {
  return /ECONNREFUSED/.test(message)
    ? `The mail server refused the connection, so nothing is listening on this port: ${advice.place}`
    : `Could not connect to the mail server: ${advice.place}`
}

type Advice = Readonly<Record<'host' | 'name' | 'place' | 'firstByte' | 'otherTls' | 'startTls' | 'login', string>>

/** Hints at possible causes, with the settings' names in the environment or on the page. */
const ADVICE: Readonly<Record<MailSource, Advice>> = {
  environment: {
    host: 'check EMAIL_HOST',
    name: 'set EMAIL_HOST to a name for which the certificate is valid',
    place: 'check EMAIL_HOST, EMAIL_PORT and firewalls',
    firstByte: 'set EMAIL_USE_SSL=True if its port expects TLS from the first byte',
    otherTls:
      'set EMAIL_USE_SSL=True if its port expects TLS from the first byte, or EMAIL_USE_TLS=False to send without encryption',
    startTls: 'set EMAIL_USE_SSL=False and EMAIL_USE_TLS=True for STARTTLS, or another EMAIL_PORT',
    login: 'if the server needs no login, set neither EMAIL_HOST_USER nor EMAIL_HOST_PASSWORD',
  },
  page: {
    host: 'check the name of the server',
    name: 'enter a name for which the certificate is valid',
    place: 'check the server, its port and firewalls',
    firstByte: 'choose TLS if its port expects TLS from the first byte, as port 465 does',
    otherTls: 'choose TLS if its port expects TLS from the first byte, as port 465 does, or no encryption',
    startTls: 'choose STARTTLS, or another port; port 587 is usually for STARTTLS and 465 for TLS',
    login: 'if the server needs no login, leave user and password empty',
  },
}

function silence({ progress, inUse: { server, source }, timeoutSeconds }: Failed): string {
  const within = `within ${durationWords(timeoutSeconds)}`
  const { isConnected, isClosed, awaited } = progress
  if (isClosed) return closed(progress)
  if (!isConnected) {
    const what = server.encryption === 'tls' ? 'open a TLS connection' : 'connect'
    return `Could not ${what} to the mail server ${within}: ${ADVICE[source].place}`
  }
  const hint = awaited === 'greeting' && server.encryption !== 'tls' ? `: ${ADVICE[source].firstByte}` : ''
  return `The mail server ${pastOf(progress)}, then ${silenceOf(awaited)} ${within}${hint}`
}

function silenceOf(awaited: Progress['awaited']): string {
  if (awaited === null) return 'sent nothing more'
  if (awaited === 'greeting') return 'sent no greeting'
  return awaited === 'email'
    ? 'did not confirm the email, which may have arrived,'
    : `did not answer ${nameOf(awaited)}`
}

function closed(progress: Progress): string {
  const { awaited } = progress
  const without =
    awaited === null
      ? ''
      : awaited === 'greeting'
        ? ' without a greeting'
        : awaited === 'email'
          ? ' without confirming the email, which may have arrived'
          : ` without an answer to ${nameOf(awaited)}`
  return `The mail server ${pastOf(progress)}, then closed the connection${without}`
}

/** Describes the last step that the server completed. */
function pastOf({ done }: Progress): string {
  if (done === null) return 'accepted the connection'
  if (done === 'greeting') return 'sent its greeting'
  if (done === 'STARTTLS') return 'agreed to STARTTLS'
  return done === 'email' ? 'accepted an email' : `answered ${nameOf(done)}`
}

function nameOf(step: NonNullable<Progress['awaited']>): string {
  return step === 'login' || step === 'command' ? `the ${step}` : step
}

/** Redacts a reply, because replies are logged and shown, and may contain the recipient's address and other private data. */
export function redacted(response: string): string {
  return redact(oneLine(response))
}
