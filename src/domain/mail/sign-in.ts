/** The emails with a link to sign in, and with one to choose a password. */
import { oneLine } from '../../lib/text/text.ts'
import type { Mail } from '../carrier/mail.ts'
import { type Addressed, plainMail } from './layout.ts'

interface SignInRequest extends Addressed {
  readonly siteName: string
  readonly url: string
}

export function signInMail(words: SignInRequest): Mail {
  const { address, siteName, url } = words
  const site = oneLine(siteName)
  return plainMail(words, `Sign in to ${site}`, [
    { kind: 'paragraph', text: `This link signs ${address} in to ${site}. It works once, within an hour.` },
    { kind: 'button', label: 'Sign in', url },
    { kind: 'paragraph', text: "If you didn't ask for this, ignore this email: nobody can sign in without the link." },
  ])
}

export function passwordMail(words: SignInRequest): Mail {
  const { address, siteName, url } = words
  const site = oneLine(siteName)
  const title = `Choose a password for ${site}`
  const text = `This link lets you choose a password for the account ${address} on ${site}. It works once, within an hour.`
  return plainMail(words, title, [
    { kind: 'paragraph', text },
    { kind: 'button', label: 'Choose a password', url },
    { kind: 'paragraph', text: "If you didn't ask for this, ignore this email: nothing changes." },
  ])
}
