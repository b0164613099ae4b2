/** Explains the result of a test email: what happened, and what to try next. */
import { within } from '../../lib/text/text.ts'
import type { MailAnswer } from '../carrier/mail.ts'
import { type MailServer, mailboxWords } from './mail-server.ts'

export interface MailVerdict {
  readonly isAccepted: boolean
  /** a sentence about what happened */
  readonly said: string
  /** sentences that suggest what to try next; null: nothing needs to be done */
  readonly advice: string | null
}

interface Tested {
  readonly to: string
  readonly server: Pick<MailServer, 'from' | 'login'>
}

export function mailVerdict(answer: MailAnswer, tested: Tested): MailVerdict {
  switch (answer.kind) {
    case 'accepted':
      return {
        isAccepted: true,
        said: `The mail server accepted the email to ${tested.to}.`,
        advice: 'Look for it in that mailbox, and in the spam folder.',
      }
    case 'refused':
      return refused(answer, tested)
    case 'unreachable':
      return { isAccepted: false, said: `${quoted(answer.error)}.`, advice: null }
  }
}

type Refused = Extract<MailAnswer, { kind: 'refused' }>

/** Reply code of a server that requires authentication (RFC 4954). */
const LOGIN_NEEDED = 530

function refused(answer: Refused, { to, server }: Tested): MailVerdict {
  const { stage, status, response } = answer
  const what = {
    login: 'the login',
    sender: `the sender ${mailboxWords(server.from)}`,
    recipient: `the recipient ${to}`,
    message: 'the email itself',
  }[stage]
  const later = status < 500 && stage !== 'login' ? ' It may accept a later attempt.' : ''
  return {
    isAccepted: false,
    said: `The mail server rejected ${what}: ${quoted(response)}.`,
    advice: `${adviceOf(answer, server)}${later}`,
  }
}

/** Maximum number of characters to quote from a reply. A server can send a reply of any length. */
const QUOTED = 400

function quoted(words: string): string {
  return within(words, QUOTED).replace(/\.$/, '')
}

function adviceOf({ stage, status }: Refused, { login }: Tested['server']): string {
  if (status === LOGIN_NEEDED) return 'It requires a login: enter user and password.'
  switch (stage) {
    case 'login':
      return 'Check user and password. Many providers require an app password in place of your own.'
    case 'sender':
      return 'Use a sender that the mail server lets this user send from, often the address of the user.'
    case 'recipient':
      return login === null
        ? 'Check the address. Many servers accept other domains than their own only after a login.'
        : 'Check the address, and whether the mail server lets this user send to other domains.'
    case 'message':
      return 'Its answer says why. Often the domain of the sender does not allow this server to send for it (SPF, DKIM).'
  }
}
