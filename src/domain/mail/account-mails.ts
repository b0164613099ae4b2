/**
 * Emails about accounts, invitations and addresses. Each email says why it was sent, has at most one link, and says what happens if it is
 * ignored.
 */
import { oneLine } from '../../lib/text/text.ts'
import type { Mail } from '../carrier/mail.ts'
import { foreignText } from './foreign-text.ts'
import { type MailBlock, mailParts } from './layout.ts'

/** The receiver and the sender of an email. */
export interface Addressed {
  /** see {@link Mail.id} */
  readonly id: string
  readonly address: string
  readonly siteName: string
}

interface LinkMail {
  readonly subject: string
  readonly lead: string
  readonly button?: { readonly label: string; readonly url: string }
  /** text for a receiver who did not expect this email */
  readonly ifNotYou?: string
}

/** @param say returns the words of the email, given the names of the site and the receiving address */
function linkMail(to: Addressed, say: (site: string, address: string) => LinkMail): Mail {
  const { subject, lead, button, ifNotYou } = say(oneLine(to.siteName), to.address)
  const blocks: MailBlock[] = [{ kind: 'paragraph', text: lead }]
  if (button) blocks.push({ kind: 'button', ...button })
  if (ifNotYou !== undefined) blocks.push({ kind: 'paragraph', text: ifNotYou })
  const parts = mailParts({ title: subject, tone: 'plain', blocks, footer: [] })
  return { id: to.id, to: to.address, subject, ...parts, unsubscribeUrl: null }
}

export function signInMail(to: Addressed, url: string): Mail {
  return linkMail(to, (site, address) => ({
    subject: `Sign in to ${site}`,
    lead: `This link signs ${address} in to ${site}. It works once, within an hour.`,
    button: { label: 'Sign in', url },
    ifNotYou: "If you didn't ask for this, ignore this email: nobody can sign in without the link.",
  }))
}

export function passwordMail(to: Addressed, url: string): Mail {
  return linkMail(to, (site, address) => ({
    subject: `Choose a password for ${site}`,
    lead: `This link lets you choose a password for the account ${address} on ${site}. It works once, within an hour.`,
    button: { label: 'Choose a password', url },
    ifNotYou: "If you didn't ask for this, ignore this email: nothing changes.",
  }))
}

export function signUpMail(to: Addressed, url: string): Mail {
  return linkMail(to, (site, address) => ({
    subject: `Your account on ${site}`,
    lead: `This link creates an account for ${address} on ${site}. It works once, within a day.`,
    button: { label: 'Create account', url },
    ifNotYou: "If you didn't ask for this, ignore this email: no account is created.",
  }))
}

/**
 * Answers a request for an account by a person who already has one. Only the owner of the address learns of the account.
 * @param url sign-in page
 */
export function knownAccountMail(to: Addressed, url: string): Mail {
  return linkMail(to, (site, address) => ({
    subject: `Your account on ${site}`,
    lead: `Somebody asked for an account for ${address} on ${site}. You already have one: sign in.`,
    button: { label: 'Sign in', url },
    ifNotYou: "If you didn't ask for this, ignore this email: nothing was changed.",
  }))
}

/** @param project its name @param by email of the inviting person; null for a command */
export function invitationMail(to: Addressed, project: string, by: string | null, url: string): Mail {
  const who = by === null ? 'Somebody' : foreignText(by)
  return linkMail(to, (site) => ({
    subject: `Invitation to ${site}`,
    lead: `${who} invites you to the project "${foreignText(project)}" on ${site}, which alerts people when a job did not run. The link works once, within seven days.`,
    button: { label: 'Join the project', url },
    ifNotYou: "If you don't know the sender, ignore this email: nothing happens.",
  }))
}

/** @param project its name @param owner email of the offering person @param url of the team's page */
export function ownershipOfferMail(to: Addressed, project: string, owner: string, url: string): Mail {
  return linkMail(to, (site) => ({
    subject: `A project is offered to you on ${site}`,
    lead: `${foreignText(owner)} wants you to own the project "${foreignText(project)}" on ${site}. Accept or decline on the team page of the project, within seven days.`,
    button: { label: 'See the offer', url },
    ifNotYou: 'Until you accept, nothing changes.',
  }))
}

/** Asks the owner of an address to confirm that alerts may be sent there. @param project its name */
export function confirmationMail(to: Addressed, project: string, url: string): Mail {
  return linkMail(to, (site, address) => ({
    subject: `Confirm alerts from ${site}`,
    lead: `Someone with access to the project "${foreignText(project)}" on ${site} wants to send its alerts to ${address}. Nothing is sent until you confirm.`,
    button: { label: 'Confirm this address', url },
    ifNotYou: "If you didn't expect this, ignore it: you won't get any alerts.",
  }))
}

/** Sent to the new address of an account. @param from the present address */
export function newEmailMail(to: Addressed, from: string, url: string): Mail {
  return linkMail(to, (site) => ({
    subject: `Your new address for ${site}`,
    lead: `Use the link to change the email of your account on ${site} from ${from} to this address. It works once, within an hour.`,
    button: { label: 'Use this address', url },
    ifNotYou: "If you didn't ask for this, ignore this email: nothing changes.",
  }))
}

/** Sent to the new address if it belongs to another account. @param from the present address of the person who requested the change */
export function emailTakenMail(to: Addressed, from: string): Mail {
  return linkMail(to, (site) => ({
    subject: `This address already has an account on ${site}`,
    lead: `The owner of the account ${from} on ${site} asked to change its email to this address. This address already has an account, so nothing was changed.`,
  }))
}

/** Sent to the former address of an account. @param email the current address */
export function emailChangedMail(to: Addressed, email: string): Mail {
  return linkMail(to, (site) => ({
    subject: `The email of your account on ${site} has changed`,
    lead: `The email of your account on ${site} is now ${email}. If you did not change it, ask the administrator of the server for help at once.`,
  }))
}
