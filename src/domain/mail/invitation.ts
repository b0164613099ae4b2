/** The emails with links for people who have no account yet, or join a project. */
import { oneLine } from '../../lib/text/text.ts'
import type { Mail } from '../carrier/mail.ts'
import { foreignText } from './foreign-text.ts'
import { type Addressed, plainMail } from './layout.ts'

interface InvitationWords extends Addressed {
  readonly siteName: string
  readonly projectName: string
  /** email of who invites; '' for a command */
  readonly invitedBy: string
  readonly url: string
}

export function invitationMail(words: InvitationWords): Mail {
  const { siteName, projectName, invitedBy, url } = words
  const site = oneLine(siteName)
  const who = invitedBy === '' ? 'Somebody' : foreignText(invitedBy)
  const what = `${who} invites you to the project "${foreignText(projectName)}" on ${site}, which alerts people when a job did not run.`
  return plainMail(words, `Invitation to ${site}`, [
    { kind: 'paragraph', text: `${what} The link works once, within seven days.` },
    { kind: 'button', label: 'Join the project', url },
    { kind: 'paragraph', text: "If you don't know the sender, ignore this email: nothing happens." },
  ])
}

interface SignUpWords extends Addressed {
  readonly siteName: string
  /** of the page on which the account is made, or where its owner signs in */
  readonly url: string
}

export function signUpMail(words: SignUpWords): Mail {
  const { address, siteName, url } = words
  const site = oneLine(siteName)
  return plainMail(words, `Your account on ${site}`, [
    { kind: 'paragraph', text: `This link creates an account for ${address} on ${site}. It works once, within a day.` },
    { kind: 'button', label: 'Create account', url },
    { kind: 'paragraph', text: "If you didn't ask for this, ignore this email: no account is created." },
  ])
}

/** To who has asked for an account and has one already, which nobody but the owner of the address learns. */
export function knownAccountMail(words: SignUpWords): Mail {
  const { address, siteName, url } = words
  const site = oneLine(siteName)
  return plainMail(words, `Your account on ${site}`, [
    {
      kind: 'paragraph',
      text: `Somebody asked for an account for ${address} on ${site}. You already have one: sign in.`,
    },
    { kind: 'button', label: 'Sign in', url },
    { kind: 'paragraph', text: "If you didn't ask for this, ignore this email: nothing was changed." },
  ])
}
