/** The carriers that send messages to other systems, and the types of their messages and responses. */
import type { HttpAnswer } from './http-exchange.ts'
import type { Mail, MailAnswer } from './mail.ts'
import type { ShellAnswer, ShellCommand } from './shell.ts'
import type { SignalAnswer, SignalCall } from './signal-cli.ts'

export interface Exchanges {
  readonly http: { readonly message: Request; readonly answer: HttpAnswer }
  readonly mail: { readonly message: Mail; readonly answer: MailAnswer }
  readonly shell: { readonly message: ShellCommand; readonly answer: ShellAnswer }
  readonly signal: { readonly message: SignalCall; readonly answer: SignalAnswer }
}

export type CarrierName = keyof Exchanges

/** Sends a message. Failures are returned, never thrown. */
export type Carrier<Name extends CarrierName> = (
  message: Exchanges[Name]['message'],
) => Promise<Exchanges[Name]['answer']>

export type Carriers = { readonly [Name in CarrierName]: Carrier<Name> }

const ACCEPTED: { readonly [Name in CarrierName]: (answer: Exchanges[Name]['answer']) => boolean } = {
  http: (answer) => answer.kind === 'answered' && answer.status >= 200 && answer.status < 300,
  mail: ({ kind }) => kind === 'accepted',
  shell: (answer) => answer.kind === 'exited' && answer.status === 0,
  signal: (answer) => answer.kind === 'answered' && (answer.error ?? null) === null,
}

/** Whether the carrier reports that the message was accepted. The transport may still find an error in the response. */
export function isAccepted<Name extends CarrierName>(carrier: Name, answer: Exchanges[Name]['answer']): boolean {
  return ACCEPTED[carrier](answer)
}
