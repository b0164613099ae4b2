/** Signed links in emails, each of which makes one change. Links are not stored. */
import { createHmac } from 'node:crypto'
import type { Links } from '../check/representation.ts'

/** The emails of a channel that can be unsubscribed separately. */
export type Subscription = 'alerts' | 'report' | 'reminder'

/** Returns the link that unsubscribes the receiver from such emails (RFC 8058). */
export function unsubscribeUrl({ siteRoot }: Links, channelId: string, what: Subscription, secret: string): string {
  const path = what === 'alerts' ? 'unsub' : `unsub/${what}`
  return `${siteRoot}/integrations/${channelId}/${path}/${unsubscribeToken(channelId, what, secret)}/`
}

/** Returns the link that confirms the address of a channel. */
export function confirmUrl({ siteRoot }: Links, channelId: string, address: string, secret: string): string {
  return `${siteRoot}/integrations/${channelId}/verify/${confirmToken(channelId, address, secret)}/`
}

/** Signs the kind of email too, so that the link in a report can't end alerts. */
export function unsubscribeToken(channelId: string, what: Subscription, secret: string): string {
  return sign(`unsubscribe ${what} ${channelId}`, secret)
}

/** Signs the address too, so that a link sent to an earlier address confirms nothing. */
export function confirmToken(channelId: string, address: string, secret: string): string {
  return sign(`confirm ${channelId} ${address}`, secret)
}

/** The change that a link in a morning mail makes: no more mails, or only after a night in which something went wrong. */
export type MorningLinkPurpose = 'off' | 'trouble'

/** Returns the link in a morning mail; `off` also unsubscribes (RFC 8058). */
export function morningUrl(
  { siteRoot }: Links,
  accountId: string,
  email: string,
  purpose: MorningLinkPurpose,
  secret: string,
): string {
  return `${siteRoot}/morning-mail/${accountId}/${purpose}/${morningToken(accountId, email, purpose, secret)}/`
}

/** Signs the address too, so that a link sent to an earlier address changes nothing. */
export function morningToken(accountId: string, email: string, purpose: MorningLinkPurpose, secret: string): string {
  return sign(`morning ${purpose} ${accountId} ${email}`, secret)
}

/** 32 characters of base64url: 192 bits. */
function sign(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 32)
}
