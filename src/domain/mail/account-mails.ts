/**
 * Emails about accounts, invitations and addresses. Each email says why it was sent and what happens if the receiver ignores it. It has at
 * most one link.
 */
import { oneLine } from '../../lib/text/text.ts'
import type { Mail } from '../carrier/mail.ts'
import { foreignText } from './foreign-text.ts'
import { type MailBlock, mailParts } from './layout.ts'

/** The receiver and sender of an email. */
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
  /** a sentence for receivers who did not expect this email */
  readonly ifNotYou?: string
}

/** @param say returns the email's text; called with the site's name and the receiver's address */
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
    lead: `This link signs ${address} in to ${site}. It can be used once and expires after an hour.`,
    button: { label: 'Sign in', url },
    ifNotYou: "If you didn't ask for this, ignore this email: nobody can sign in without the link.",
  }))
}

export function passwordMail(to: Addressed, url: string): Mail {
  return linkMail(to, (site, address) => ({
    subject: `Choose a password for ${site}`,
    lead: `This link lets you choose a password for the account ${address} on ${site}. It can be used once and expires after an hour.`,
    button: { label: 'Choose a password', url },
    ifNotYou: "If you didn't ask for this, ignore this email: nothing changes.",
  }))
}

export function signUpMail(to: Addressed, url: string): Mail {
  return linkMail(to, (site, address) => ({
    subject: `Your account on ${site}`,
    lead: `This link creates an account for ${address} on ${site}. It can be used once and expires after a day.`,
    button: { label: 'Create account', url },
    ifNotYou: "If you didn't ask for this, ignore this email: no account is created.",
  }))
}

/**
 * The email to a user who requests an account but already has one, so that only the address's owner learns that the account exists.
 * @param url URL of the sign-in page
 */
export function knownAccountMail(to: Addressed, url: string): Mail {
  return linkMail(to, (site, address) => ({
    subject: `Your account on ${site}`,
    lead: `Somebody asked for an account for ${address} on ${site}. You already have one: sign in.`,
    button: { label: 'Sign in', url },
    ifNotYou: "If you didn't ask for this, ignore this email: nothing was changed.",
  }))
}

/**
 * @param project the project's name
 * @param by email of the user who sends the invitation; null for a command
 */
export function invitationMail(to: Addressed, project: string, by: string | null, url: string): Mail {
  const who = by === null ? 'Somebody' : foreignText(by)
  return linkMail(to, (site) => ({
    subject: `Invitation to ${site}`,
    lead: `${who} invites you to the project "${foreignText(project)}" on ${site}, which alerts people when a job does not run. The link can be used once and expires after seven days.`,
    button: { label: 'Join the project', url },
    ifNotYou: "If you don't know the sender, ignore this email: nothing happens.",
  }))
}

/**
 * @param project the project's name
 * @param owner email of the owner who makes the offer
 * @param url URL of the team page
 */
export function ownershipOfferMail(to: Addressed, project: string, owner: string, url: string): Mail {
  return linkMail(to, (site) => ({
    subject: `You were offered a project on ${site}`,
    lead: `${foreignText(owner)} wants to make you the owner of the project "${foreignText(project)}" on ${site}. Accept or decline on the team page of the project, within seven days.`,
    button: { label: 'See the offer', url },
    ifNotYou: 'Until you accept, nothing changes.',
  }))
}

/**
 * An email that asks the owner of an address to confirm that alerts may be sent there.
 * @param project the project's name
 */
export function confirmationMail(to: Addressed, project: string, url: string): Mail {
  return linkMail(to, (site, address) => ({
    subject: `Confirm alerts from ${site}`,
    lead: `Someone with access to the project "${foreignText(project)}" on ${site} wants to send its alerts to ${address}. Nothing is sent until you confirm.`,
    button: { label: 'Confirm this address', url },
    ifNotYou: "If you didn't expect this, ignore it: you won't get any alerts.",
  }))
}

/**
 * The email to an account's new address.
 * @param from current address
 */
export function newEmailMail(to: Addressed, from: string, url: string): Mail {
  return linkMail(to, (site) => ({
    subject: `Your new address for ${site}`,
    lead: `Use the link to change the email of your account on ${site} from ${from} to this address. It can be used once and expires after an hour.`,
    button: { label: 'Use this address', url },
    ifNotYou: "If you didn't ask for this, ignore this email: nothing changes.",
  }))
}

/**
 * The email to a new address that already belongs to another account.
 * @param from current address of the user who wants to change it
 */
export function emailTakenMail(to: Addressed, from: string): Mail {
  return linkMail(to, (site) => ({
    subject: `This address already has an account on ${site}`,
    lead: `The owner of the account ${from} on ${site} asked to change its email to this address. This address already has an account, so nothing was changed.`,
  }))
}

/**
 * The email to an account's previous address.
 * @param email the new address
 */
export function emailChangedMail(to: Addressed, email: string): Mail {
  return linkMail(to, (site) => ({
    subject: `The email of your account on ${site} has changed`,
    lead: `The email of your account on ${site} is now ${email}. If you did not change it, ask the administrator of the server for help at once.`,
  }))
}
