/** Implements Standard Webhooks (standardwebhooks.com): headers with which a receiver can verify the sender and detect replays. */
import { createHmac } from 'node:crypto'
import { Text } from '../../domain/schema.ts'
import type { Instant } from '../../lib/time.ts'

/** Schema for a signing secret: `whsec_` and 24 to 64 bytes in base64, as the standard requires. */
export const SigningSecret = Text({
  title: 'Signing secret',
  pattern: '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$',
  description: 'Signs each message. Format: whsec_ and at least 24 random bytes in base64.',
  means: 'whsec_ with at least 24 bytes in base64',
  isSecret: true,
  isAdvanced: true,
  docs: 'https://www.standardwebhooks.com/',
})

interface Signed {
  /** id of the message, which is the same for all attempts, so that a receiver can recognize a repeated message */
  readonly id: string
  /** time of this attempt */
  readonly at: Instant
  readonly body: Uint8Array
}

export function signatureHeaders(secret: string, { id, at, body }: Signed): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.epochMilliseconds / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
