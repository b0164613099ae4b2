/**
 * How often a password and a code may be tried, and a link to sign in asked for: by email and network, so that nobody else is locked out;
 * by network; and by email over all networks, because whoever can forge `X-Forwarded-For` has any number of networks.
 */
import { createHash } from 'node:crypto'
import { normalizeEmail } from '../../domain/account/account.ts'
import { clientNetwork } from '../../lib/network.ts'
import { createSlidingWindow, type SlidingWindow, type Uses } from '../../lib/sliding-window.ts'
import type { Clock } from '../../lib/time.ts'

interface Limit {
  readonly limit: number
  readonly seconds: number
}

interface Limits {
  /** of one email in one network */
  readonly pair: Limit
  readonly network: Limit
  /** over all networks */
  readonly email: Limit
}

const HOUR_SECONDS = 3_600
const PASSWORDS: Limits = {
  pair: { limit: 5, seconds: 900 },
  network: { limit: 20, seconds: HOUR_SECONDS },
  email: { limit: 50, seconds: HOUR_SECONDS },
}
/** Of a million codes three are right at any time. */
const CODES: Limits = { ...PASSWORDS, email: { limit: 20, seconds: HOUR_SECONDS } }
/** An office may be one network. */
const ELSEWHERE: Limit = { limit: 300, seconds: 600 }
const LINKS: Limits = { ...PASSWORDS, email: { limit: 10, seconds: HOUR_SECONDS } }

export interface SignInLimits {
  /**
   * Counts a try before its password is checked, so that many tries at once don't all pass. A try that neither fails, succeeds
   * nor is taken back counts as failed.
   * @param email as given; whether an account has it makes no difference
   * @param address of the client, canonical; null when it is unknown: all of these are one network
   */
  begin(email: string, address: string | null): Attempt
  /** As {@link begin}, for a code of a second factor, apart from passwords. */
  beginCode(email: string, address: string | null): Attempt
  /**
   * Counts a request for a link, apart from passwords. Parameters are those of {@link begin}.
   * @returns how long to wait before a link may be asked for; 0 when this one is allowed
   */
  askForLink(email: string, address: string | null): number
  /**
   * Counts a sign-in that is begun elsewhere, of which each is kept for some minutes.
   * @returns how long to wait before one may be begun; 0 when this one is allowed
   */
  beginElsewhere(address: string | null): number
}

export type Attempt = AllowedAttempt | { readonly isAllowed: false; readonly retryAfterSeconds: number }

/** A try that is under way. Call one of its functions, once. */
export interface AllowedAttempt {
  readonly isAllowed: true
  /** Leaves the try counted. */
  fail(): TriesLeft
  /** Forgets the failures of this email in this network. The others still count for the network, and for the email. */
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
  const links = createWindows(now, LINKS)
  const elsewhere = createSlidingWindow(now, ELSEWHERE.limit, ELSEWHERE.seconds)
  return {
    begin: createAttempts(createWindows(now, PASSWORDS)),
    beginCode: createAttempts(createWindows(now, CODES)),
    askForLink(email, address) {
      const { pair, others } = links(email, address)
      const all = [pair, ...others]
      const wait = waitOf(all)
      if (wait === 0) for (const one of all) one.count()
      return wait
    },
    beginElsewhere(address) {
      const network = networkOf(address)
      const wait = waitOf([counterOf(elsewhere, network)])
      if (wait === 0) elsewhere.count(network)
      return wait
    },
  }
}

function createAttempts(windows: Windows): SignInLimits['begin'] {
  return (email, address) => {
    const { pair, others } = windows(email, address)
    const all = [pair, ...others]
    const wait = waitOf(all)
    if (wait > 0) return { isAllowed: false, retryAfterSeconds: wait }
    for (const one of all) one.count()
    return {
      isAllowed: true,
      fail: () => fewest(all.map((one) => one.look())),
      succeed() {
        pair.clear()
        for (const one of others) one.takeBack()
      },
      takeBack() {
        for (const one of all) one.takeBack()
      },
    }
  }
}

/** A window with its key. */
interface Counter {
  look(): Uses
  count(): void
  takeBack(): void
  clear(): void
}

type Windows = (
  email: string,
  address: string | null,
) => { readonly pair: Counter; readonly others: readonly Counter[] }

function createWindows(now: Clock, limits: Limits): Windows {
  const windowOf = ({ limit, seconds }: Limit) => createSlidingWindow(now, limit, seconds)
  const [pairs, networks, emails] = [windowOf(limits.pair), windowOf(limits.network), windowOf(limits.email)]
  return (email, address) => {
    const network = networkOf(address)
    const normal = normalizeEmail(email)
    return {
      pair: counterOf(pairs, digest(`${network} ${normal}`)),
      others: [counterOf(networks, network), counterOf(emails, digest(normal))],
    }
  }
}

function counterOf(window: SlidingWindow, key: string): Counter {
  return {
    look: () => window.look(key),
    count: () => void window.count(key),
    takeBack: () => window.takeBack(key),
    clear: () => window.clear(key),
  }
}

function networkOf(address: string | null): string {
  return address === null ? 'unknown' : clientNetwork(address)
}

/** Because an email may be any text of any length. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

function waitOf(counters: readonly Counter[]): number {
  const full = counters.map((counter) => counter.look()).filter(({ left }) => left === 0)
  return Math.max(0, ...full.map(({ oldestEndsSeconds }) => oldestEndsSeconds))
}

/** What is used up first; of several, the longest wait. */
function fewest(all: readonly Uses[]): TriesLeft {
  const left = Math.min(...all.map((uses) => uses.left))
  const first = all.filter((uses) => uses.left === left)
  return { left, waitSeconds: Math.max(...first.map(({ oldestEndsSeconds }) => oldestEndsSeconds)) }
}
