/**
 * Limits how often passwords and codes can be tried. There is a limit per pair of email address and network, so that one client does not
 * lock out others; a limit per network; and a limit per email address across all networks, because a client that can forge
 * `X-Forwarded-For` can pretend to be in any number of networks. Verifying a correct password is expensive too, so correct passwords are
 * also limited, per account.
 */
import { normalizeEmail } from '../../../domain/account/account.ts'
import type { Uses } from '../../../lib/limits/sliding-window.ts'
import type { Clock } from '../../../lib/time.ts'
import {
  type Counter,
  type CounterOf,
  createCounters,
  HOUR_SECONDS,
  type Limit,
  networkOf,
  take,
  waitOf,
} from './limit-windows.ts'

interface Limits {
  /** limit per pair of email address and network */
  readonly pair: Limit
  readonly network: Limit
  /** limit per email address, across all networks */
  readonly email: Limit
}

const PASSWORDS: Limits = {
  pair: { limit: 5, seconds: 900 },
  network: { limit: 20, seconds: HOUR_SECONDS },
  email: { limit: 50, seconds: HOUR_SECONDS },
}
/** Limits for codes. At any time, three of the million possible codes are valid. */
const CODES: Limits = { ...PASSWORDS, email: { limit: 20, seconds: HOUR_SECONDS } }
/** Limit for sign-ins through a provider from one network. A network may be an entire office. */
const ELSEWHERE: Limit = { limit: 300, seconds: 600 }
/** Limit for correct passwords. It is high enough for a monitoring program that signs in once a minute. */
const RIGHT: Limit = { limit: 100, seconds: HOUR_SECONDS }
const CHANGES: Limit = { limit: 10, seconds: HOUR_SECONDS }

export interface SignInLimits {
  /**
   * Counts an attempt before its password is checked, so that simultaneous attempts can't all pass. An attempt counts as failed until
   * `succeed` or `takeBack` is called.
   * @param email the email address as typed, whether or not it belongs to an account
   * @param address canonical address of the client; null if unknown; all unknown addresses count as one network
   */
  begin(email: string, address: string | null): Attempt
  /** Like {@link begin}, for a second-factor code. Codes are counted separately from passwords. */
  beginCode(email: string, address: string | null): Attempt
  /**
   * Counts a password change by a signed-in person.
   * @returns how many seconds to wait before the password may be changed; 0 if it may be changed now
   */
  changePassword(accountId: string): number
  /**
   * Counts the start of a sign-in through a provider. Such sign-ins are limited because each one is stored for a few minutes.
   * @returns how many seconds to wait; 0 if the sign-in may begin now
   */
  beginElsewhere(address: string | null): number
}

type Attempt = AllowedAttempt | { readonly isAllowed: false; readonly retryAfterSeconds: number }

/** An attempt in progress. Exactly one of its functions must be called, once. */
export interface AllowedAttempt {
  readonly isAllowed: true
  /** Counts the attempt as failed. */
  fail(): TriesLeft
  /**
   * Resets the failure count for this pair of email address and network. The network's other failures, and failures from other
   * networks, still count.
   */
  succeed(): void
  /** Removes the attempt from the counters if the password was not checked after all. */
  takeBack(): void
}

interface TriesLeft {
  readonly left: number
  /** seconds to wait if all remaining attempts are used up now */
  readonly waitSeconds: number
}

export function createSignInLimits(now: Clock): SignInLimits {
  const elsewhere = createCounters(now, ELSEWHERE)
  const changes = createCounters(now, CHANGES)
  return {
    begin: createAttempts(createWindows(now, PASSWORDS), createCounters(now, RIGHT)),
    beginCode: createAttempts(createWindows(now, CODES), null),
    changePassword: (accountId) => take([changes(accountId)]),
    beginElsewhere: (address) => take([elsewhere(networkOf(address))]),
  }
}

/** @param rightOf returns the counter of successful attempts for an email address; null if successful attempts are not limited */
function createAttempts(windows: Windows, rightOf: CounterOf | null): SignInLimits['begin'] {
  return (email, address) => {
    const { pair, others } = windows(email, address)
    const all = [pair, ...others]
    const right = rightOf === null ? [] : [rightOf(normalizeEmail(email))]
    const wait = waitOf([...all, ...right])
    if (wait > 0) return { isAllowed: false, retryAfterSeconds: wait }
    for (const one of all) one.count()
    return {
      isAllowed: true,
      fail: () => fewest(all.map((one) => one.look())),
      succeed() {
        pair.clear()
        for (const one of others) one.takeBack()
        for (const one of right) one.count()
      },
      takeBack() {
        for (const one of all) one.takeBack()
      },
    }
  }
}

type Windows = (
  email: string,
  address: string | null,
) => { readonly pair: Counter; readonly others: readonly Counter[] }

function createWindows(now: Clock, limits: Limits): Windows {
  const countersOf = (of: Limit) => createCounters(now, of)
  const [pairs, networks, emails] = [countersOf(limits.pair), countersOf(limits.network), countersOf(limits.email)]
  return (email, address) => {
    const network = networkOf(address)
    const normal = normalizeEmail(email)
    return { pair: pairs(`${network} ${normal}`), others: [networks(network), emails(normal)] }
  }
}

/** Returns the limit with the fewest remaining attempts. If several limits tie, returns the one with the longest wait. */
function fewest(all: readonly Uses[]): TriesLeft {
  const left = Math.min(...all.map((uses) => uses.left))
  const first = all.filter((uses) => uses.left === left)
  return { left, waitSeconds: Math.max(...first.map(({ oldestEndsSeconds }) => oldestEndsSeconds)) }
}
