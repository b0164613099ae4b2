/** The emails with a link to sign in, and with one to choose a password. */
import { oneLine } from '../../lib/text.ts'
import type { Mail } from '../carrier/mail.ts'
import { mailParts } from './layout.ts'

export interface SignInRequest {
  /** see {@link Mail.id} */
  readonly id: string
  readonly address: string
  readonly siteName: string
  readonly url: string
}

export function signInMail({ id, address, siteName, url }: SignInRequest): Mail {
  const site = oneLine(siteName)
  const parts = mailParts({
    title: `Sign in to ${site}`,
    tone: 'plain',
    blocks: [
      { kind: 'paragraph', text: `This link signs ${address} in to ${site}. It works once, within an hour.` },
      { kind: 'button', label: 'Sign in', url },
      { kind: 'paragraph', text: "If you didn't ask for it, ignore it: nobody is signed in without it." },
    ],
    footer: [],
  })
  return { id, to: address, subject: `Sign in to ${site}`, ...parts, unsubscribeUrl: null }
}

export function passwordMail({ id, address, siteName, url }: SignInRequest): Mail {
  const site = oneLine(siteName)
  const title = `Choose a password for ${site}`
  const words = `This link lets you choose a password for the account of ${address} at ${site}. It works once, within an hour.`
  const parts = mailParts({
    title,
    tone: 'plain',
    blocks: [
      { kind: 'paragraph', text: words },
      { kind: 'button', label: 'Choose a password', url },
      { kind: 'paragraph', text: "If you didn't ask for it, ignore it: nothing changes without it." },
    ],
    footer: [],
  })
  return { id, to: address, subject: title, ...parts, unsubscribeUrl: null }
}
