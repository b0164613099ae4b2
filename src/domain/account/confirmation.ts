/** Fresh proofs of identity: actions that could take an account away require one, unless a proof was given recently. */
import { addSeconds, type Instant, isBefore } from '../../lib/time.ts'
import type { Session } from './session.ts'

const CONFIRMED_SECONDS = 1_800

/** Ways to prove one's identity again. */
const CONFIRMATION_MEANS = ['password', 'totp', 'passkey', 'oidc'] as const
export type ConfirmationMeans = (typeof CONFIRMATION_MEANS)[number]

/** @param means ways that the account has; without any, a sign-in within the last half hour is enough */
export function isConfirmed(
  { confirmedAt, createdAt }: Pick<Session, 'confirmedAt' | 'createdAt'>,
  means: readonly ConfirmationMeans[],
  now: Instant,
): boolean {
  const at = means.length === 0 ? (confirmedAt ?? createdAt) : confirmedAt
  return at !== null && isBefore(now, addSeconds(at, CONFIRMED_SECONDS))
}
