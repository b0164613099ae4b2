/**
 * Limits how often a password and a code may be tried: by email and network, so that nobody else is locked out; by network; and by email
 * over all networks, because anyone who can forge `X-Forwarded-For` has any number of networks. A right password takes work too, so it
 * counts by account.
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
  /** tries of one email in one network */
  readonly pair: Limit
  readonly network: Limit
  /** tries of one email over all networks */
  readonly email: Limit
}

const PASSWORDS: Limits = {
  pair: { limit: 5, seconds: 900 },
  network: { limit: 20, seconds: HOUR_SECONDS },
  email: { limit: 50, seconds: HOUR_SECONDS },
}
/** Limits of codes: of a million codes, three are right at any time. */
const CODES: Limits = { ...PASSWORDS, email: { limit: 20, seconds: HOUR_SECONDS } }
/** Limit of a network, which may be a whole office. */
const ELSEWHERE: Limit = { limit: 300, seconds: 600 }
/** Limit of right passwords, more than a program needs that signs in every minute to test the server. */
const RIGHT: Limit = { limit: 100, seconds: HOUR_SECONDS }
const CHANGES: Limit = { limit: 10, seconds: HOUR_SECONDS }

export interface SignInLimits {
  /**
   * Counts a try before its password is checked, so that simultaneous tries don't all pass. A try that neither fails, succeeds nor is taken
   * back counts as failed.
   * @param email as typed; whether an account has it makes no difference
   * @param address canonical address of the client; null if unknown: all unknown addresses are one network
   */
  begin(email: string, address: string | null): Attempt
  /** Does the same as {@link begin}, for a code of a second factor. Codes count separately from passwords. */
  beginCode(email: string, address: string | null): Attempt
  /** Counts a change of the password by a signed-in person. @returns how many seconds to wait before it may be changed; 0 if it may */
  changePassword(accountId: string): number
  /**
   * Counts a sign-in that is begun elsewhere, each of which is stored for some minutes.
   * @returns how long to wait before one may be begun; 0 if this one is allowed
   */
  beginElsewhere(address: string | null): number
}

type Attempt = AllowedAttempt | { readonly isAllowed: false; readonly retryAfterSeconds: number }

/** A try in progress. Call one of its functions, once. */
export interface AllowedAttempt {
  readonly isAllowed: true
  /** Keeps the try counted. */
  fail(): TriesLeft
  /** Forgets the failures of this email in this network. The others still count for the network, and for the email. */
  succeed(): void
  /** Uncounts the try, because the password was not checked after all. */
  takeBack(): void
}

interface TriesLeft {
  readonly left: number
  /** how long the wait is if the remaining tries are used up now */
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

/** @param rightOf counts successful tries, by email; null: they need no limit */
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

/** Returns the limit that is used up first; of several, the longest wait. */
function fewest(all: readonly Uses[]): TriesLeft {
  const left = Math.min(...all.map((uses) => uses.left))
  const first = all.filter((uses) => uses.left === left)
  return { left, waitSeconds: Math.max(...first.map(({ oldestEndsSeconds }) => oldestEndsSeconds)) }
}
