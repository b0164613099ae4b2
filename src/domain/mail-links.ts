/** The links in our mails that do something, so they are signed; nothing about them is stored. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Links } from './representation.ts'

/** Where the receiver ends the mails of a channel (RFC 8058). */
export function unsubscribeUrl({ siteRoot }: Links, channelId: string, secret: string): string {
  return `${siteRoot}/integrations/${channelId}/unsub/${unsubscribeToken(channelId, secret)}/`
}

/** Where the receiver says that mails of a channel may come to this address. */
export function confirmUrl({ siteRoot }: Links, channelId: string, address: string, secret: string): string {
  return `${siteRoot}/integrations/${channelId}/verify/${confirmToken(channelId, address, secret)}/`
}

export function unsubscribeToken(channelId: string, secret: string): string {
  return sign(`unsubscribe ${channelId}`, secret)
}

/** Of the address too, so that a link that was sent to an earlier one confirms nothing. */
export function confirmToken(channelId: string, address: string, secret: string): string {
  return sign(`confirm ${channelId} ${address}`, secret)
}

/** In a time that tells nothing about how much of a guess is right. */
export function isSameToken(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** 32 characters of base64url: 192 bits. */
function sign(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 32)
}
