/** The links in our mails that do something, so they are signed; nothing about them is stored. */
import { createHmac } from 'node:crypto'
import type { Links } from './representation.ts'

/** What a channel sends to a mail address, as far as it can be ended apart from the rest. */
export type Subscription = 'alerts' | 'report' | 'reminder'

/** Where the receiver ends such mails of a channel (RFC 8058). */
export function unsubscribeUrl({ siteRoot }: Links, channelId: string, what: Subscription, secret: string): string {
  const path = what === 'alerts' ? 'unsub' : `unsub/${what}`
  return `${siteRoot}/integrations/${channelId}/${path}/${unsubscribeToken(channelId, what, secret)}/`
}

/** Where the receiver says that mails of a channel may come to this address. */
export function confirmUrl({ siteRoot }: Links, channelId: string, address: string, secret: string): string {
  return `${siteRoot}/integrations/${channelId}/verify/${confirmToken(channelId, address, secret)}/`
}

/** Of what it ends too, so that the link in a report ends no alerts. */
export function unsubscribeToken(channelId: string, what: Subscription, secret: string): string {
  return sign(`unsubscribe ${what} ${channelId}`, secret)
}

/** Of the address too, so that a link that was sent to an earlier one confirms nothing. */
export function confirmToken(channelId: string, address: string, secret: string): string {
  return sign(`confirm ${channelId} ${address}`, secret)
}

/** 32 characters of base64url: 192 bits. */
function sign(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 32)
}
