/** Signed links in emails. Each link makes a single change. Links are not stored. */
import { createHmac } from 'node:crypto'
import type { Links } from '../check/representation.ts'

/** Kinds of emails that a receiver can unsubscribe from separately. */
export type Subscription = 'alerts' | 'report' | 'reminder'

/** Returns a link that unsubscribes the receiver from one kind of email (RFC 8058). */
export function unsubscribeUrl({ siteRoot }: Links, channelId: string, what: Subscription, secret: string): string {
  const path = what === 'alerts' ? 'unsub' : `unsub/${what}`
  return `${siteRoot}/integrations/${channelId}/${path}/${unsubscribeToken(channelId, what, secret)}/`
}

/** Returns a link that confirms an email channel's address. */
export function confirmUrl({ siteRoot }: Links, channelId: string, address: string, secret: string): string {
  return `${siteRoot}/integrations/${channelId}/verify/${confirmToken(channelId, address, secret)}/`
}

/** The signature covers the kind of email, so that a link from a report can't unsubscribe from alerts. */
export function unsubscribeToken(channelId: string, what: Subscription, secret: string): string {
  return sign(`unsubscribe ${what} ${channelId}`, secret)
}

/** The signature covers the address, so that a link sent to an old address can't confirm a new one. */
export function confirmToken(channelId: string, address: string, secret: string): string {
  return sign(`confirm ${channelId} ${address}`, secret)
}

/**
 * Changes that a link in a morning mail can make. `off`: stops morning mails. `trouble`: sends them only after a night in which something
 * went wrong.
 */
export type MorningLinkPurpose = 'off' | 'trouble'

/** Returns a link for a morning mail. The link for `off` also works as an unsubscribe link (RFC 8058). */
export function morningUrl(
  { siteRoot }: Links,
  accountId: string,
  email: string,
  purpose: MorningLinkPurpose,
  secret: string,
): string {
  return `${siteRoot}/morning-mail/${accountId}/${purpose}/${morningToken(accountId, email, purpose, secret)}/`
}

/** The signature covers the address, so that a link sent to an old address has no effect. */
export function morningToken(accountId: string, email: string, purpose: MorningLinkPurpose, secret: string): string {
  return sign(`morning ${purpose} ${accountId} ${email}`, secret)
}

/** Returns 32 characters of base64url, which encode 192 bits. */
function sign(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 32)
}
