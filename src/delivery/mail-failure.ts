/** Why an email did not reach the mail server, in words: what happened, after which step, and which setting may be wrong. */
import type { NodemailerError } from 'nodemailer'
import type { MailServer } from '../config/mail-server.ts'
import type { MailAnswer } from '../domain/carrier/mail.ts'
import { redact } from '../domain/redaction.ts'
import { oneLine } from '../lib/text/text.ts'
import { durationWords } from '../lib/time-words.ts'
import type { Progress } from './mail-dialogue.ts'

export interface Failed {
  /** what the library threw */
  readonly error: unknown
  /** of the connection that the email had */
  readonly progress: Progress
  readonly server: MailServer
  /** how long an email may take */
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
  const { encryption } = failed.server
  if (command === 'EHLO' && /STARTTLS/.test(message)) return NO_STARTTLS
  if (code === 'ETLS' && command === 'STARTTLS' && !/initiating/.test(message)) return NO_STARTTLS
  if (status !== undefined) return `The mail server rejected the connection: ${redacted(response)}`
  if (code === 'ETIMEDOUT' || code === 'EABORT') return silence(failed)
  if (code === 'EDNS') return 'Could not resolve the mail server: check EMAIL_HOST'
  if (code === 'EAUTH' || code === 'ENOAUTH') return NO_LOGIN
  if (/certificate/i.test(message)) return `The mail server's certificate is not valid: ${message}`
  if (/wrong version number|packet length|unknown protocol|SSL routines|ERR_SSL/i.test(message)) {
    return encryption === 'tls' ? NO_TLS : 'The mail server agreed to STARTTLS, but then did not speak TLS'
  }
  if (!failed.progress.isConnected) return 'Could not connect to the mail server'
  return closed(failed.progress)
}

const NO_STARTTLS =
  'The mail server does not offer STARTTLS: set EMAIL_USE_SSL=True if its port expects TLS from the first byte, or EMAIL_USE_TLS=False to send without encryption'
const NO_TLS =
  'The mail server does not speak TLS from the first byte at this port: set EMAIL_USE_SSL=False and EMAIL_USE_TLS=True for STARTTLS, or another EMAIL_PORT'
const NO_LOGIN =
  'The mail server offers no login that is supported: if it needs none, set neither EMAIL_HOST_USER nor EMAIL_HOST_PASSWORD'
const MAYBE_TLS = 'set EMAIL_USE_SSL=True if its port expects TLS from the first byte'

function silence({ progress, server, timeoutSeconds }: Failed): string {
  const within = `within ${durationWords(timeoutSeconds)}`
  const { isConnected, isClosed, awaited } = progress
  if (isClosed) return closed(progress)
  if (!isConnected) {
    const what = server.encryption === 'tls' ? 'open a TLS connection' : 'connect'
    return `Could not ${what} to the mail server ${within}: check EMAIL_HOST, EMAIL_PORT and firewalls`
  }
  const hint = awaited === 'greeting' && server.encryption !== 'tls' ? `: ${MAYBE_TLS}` : ''
  return `The mail server ${pastOf(progress)}, then ${silenceOf(awaited)} ${within}${hint}`
}

function silenceOf(awaited: Progress['awaited']): string {
  if (awaited === null) return 'did not go on'
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

/** The last step of the server, in words. */
function pastOf({ done }: Progress): string {
  if (done === null) return 'accepted the connection'
  if (done === 'greeting') return 'greeted'
  if (done === 'STARTTLS') return 'agreed to STARTTLS'
  return done === 'email' ? 'took an email' : `answered ${nameOf(done)}`
}

function nameOf(step: NonNullable<Progress['awaited']>): string {
  return step === 'login' || step === 'command' ? `the ${step}` : step
}

/** Redacted because servers repeat the address and more, and their reply is logged and shown. */
export function redacted(response: string): string {
  return redact(oneLine(response))
}
