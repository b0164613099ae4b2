/** How often a password may be tried: by email and network, so that nobody else is locked out, and by network. */
import { createHash } from 'node:crypto'
import { normalizeEmail } from '../../domain/account/account.ts'
import { clientNetwork } from '../../lib/network.ts'
import { createSlidingWindow, type Uses } from '../../lib/sliding-window.ts'
import type { Clock } from '../../lib/time.ts'

const PER_EMAIL = { limit: 5, seconds: 900 } as const
const PER_NETWORK = { limit: 20, seconds: 3_600 } as const

export interface SignInLimits {
  /**
   * Counts a try before its password is checked, so that many tries at once don't all pass. A try that neither fails, succeeds
   * nor is taken back counts as failed.
   * @param email as given; whether an account has it makes no difference
   * @param address of the client, canonical; null when it is unknown: all of these are one network
   */
  begin(email: string, address: string | null): Attempt
}

export type Attempt = AllowedAttempt | { readonly isAllowed: false; readonly retryAfterSeconds: number }

/** A try that is under way. Call one of its functions, once. */
export interface AllowedAttempt {
  readonly isAllowed: true
  /** Leaves the try counted. */
  fail(): TriesLeft
  /** Forgets the failures of this email in this network. Those of other emails still count for the network. */
  succeed(): void
  /** The password was not checked after all. */
  takeBack(): void
}

export interface TriesLeft {
  readonly left: number
  /** how long the wait is if these are used up now */
  readonly waitSeconds: number
}

export function createSignInLimits(now: Clock): SignInLimits {
  const emails = createSlidingWindow(now, PER_EMAIL.limit, PER_EMAIL.seconds)
  const networks = createSlidingWindow(now, PER_NETWORK.limit, PER_NETWORK.seconds)
  return {
    begin(email, address) {
      const network = address === null ? 'unknown' : clientNetwork(address)
      const pair = pairKey(email, network)
      const wait = Math.max(waitOf(emails.look(pair)), waitOf(networks.look(network)))
      if (wait > 0) return { isAllowed: false, retryAfterSeconds: wait }
      emails.count(pair)
      networks.count(network)
      return {
        isAllowed: true,
        fail: () => fewest(emails.look(pair), networks.look(network)),
        succeed() {
          emails.clear(pair)
          networks.takeBack(network)
        },
        takeBack() {
          emails.takeBack(pair)
          networks.takeBack(network)
        },
      }
    },
  }
}

/** A digest, because the email may be any text of any length. */
function pairKey(email: string, network: string): string {
  return createHash('sha256')
    .update(`${network} ${normalizeEmail(email)}`)
    .digest('base64')
}

function waitOf({ left, oldestEndsSeconds }: Uses): number {
  return left > 0 ? 0 : oldestEndsSeconds
}

/** What is used up first; if both are, the longer wait. */
function fewest(one: Uses, other: Uses): TriesLeft {
  const left = Math.min(one.left, other.left)
  const first = [one, other].filter((uses) => uses.left === left)
  return { left, waitSeconds: Math.max(...first.map(({ oldestEndsSeconds }) => oldestEndsSeconds)) }
}
