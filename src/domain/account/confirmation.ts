/** Recent proofs of identity. Actions that could take over an account ask for one, unless the person gave one a short time ago. */
import { addSeconds, type Instant, isBefore } from '../../lib/time.ts'
import type { Session } from './session.ts'

const CONFIRMED_SECONDS = 1_800

/** Ways to prove one's identity again after signing in. */
const CONFIRMATION_MEANS = ['password', 'totp', 'passkey', 'oidc'] as const
export type ConfirmationMeans = (typeof CONFIRMATION_MEANS)[number]

/** @param means ways to prove identity that the account has; an account with none needs only a sign-in within the last half hour */
export function isConfirmed(
  { confirmedAt, createdAt }: Pick<Session, 'confirmedAt' | 'createdAt'>,
  means: readonly ConfirmationMeans[],
  now: Instant,
): boolean {
  const at = means.length === 0 ? (confirmedAt ?? createdAt) : confirmedAt
  return at !== null && isBefore(now, addSeconds(at, CONFIRMED_SECONDS))
}
