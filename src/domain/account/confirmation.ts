/** Recent proofs of identity. Actions that could be used to take over an account require one. */
import { addSeconds, type Instant, isBefore } from '../../lib/time.ts'
import type { Session } from './session.ts'

const CONFIRMED_SECONDS = 1_800

/** Ways for a signed-in user to prove their identity again. */
const CONFIRMATION_MEANS = ['password', 'totp', 'passkey', 'oidc'] as const
export type ConfirmationMeans = (typeof CONFIRMATION_MEANS)[number]

/** @param means ways for the account's user to prove their identity; if empty, a sign-in within the last half hour is enough */
export function isConfirmed(
  { confirmedAt, createdAt }: Pick<Session, 'confirmedAt' | 'createdAt'>,
  means: readonly ConfirmationMeans[],
  now: Instant,
): boolean {
  const at = means.length === 0 ? (confirmedAt ?? createdAt) : confirmedAt
  return at !== null && isBefore(now, addSeconds(at, CONFIRMED_SECONDS))
}
