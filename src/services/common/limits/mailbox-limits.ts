/**
 * Limits how many emails can be requested for an address whose owner has not agreed to receive them. There is a limit per pair of mailbox
 * and network, so that one client does not lock out others; a limit per network and per account, across all addresses; and a limit per
 * mailbox, across all networks and accounts.
 */
import { mailboxOf } from '../../../domain/email-address.ts'
import type { Clock } from '../../../lib/time.ts'
import { createCounters, HOUR_SECONDS, networkOf, take } from './limit-windows.ts'

const PAIR = { limit: 5, seconds: 900 }
const NETWORK = { limit: 20, seconds: HOUR_SECONDS }
const ACCOUNT = { limit: 20, seconds: HOUR_SECONDS }
const MAILBOX = { limit: 10, seconds: HOUR_SECONDS }
/**
 * Limit for test messages. It is higher than the limit for other emails, because users test an integration several times while setting it
 * up.
 */
const TESTS = { limit: 20, seconds: HOUR_SECONDS }

/** The person or API key that requests an email. */
export interface MailAsker {
  /** canonical address of the client; null if unknown */
  readonly address: string | null
  /** null for people without an account, API keys and the operator */
  readonly accountId: string | null
}

export interface MailboxLimits {
  /** Counts an email. @returns how many seconds to wait before the email may be sent; 0 if it may be sent now */
  ask(email: string, asker: MailAsker): number
  /** Counts a test message, separately from other emails. @returns the same value as `ask` */
  test(email: string): number
}

export function createMailboxLimits(now: Clock): MailboxLimits {
  const pairs = createCounters(now, PAIR)
  const networks = createCounters(now, NETWORK)
  const accounts = createCounters(now, ACCOUNT)
  const mailboxes = createCounters(now, MAILBOX)
  const tests = createCounters(now, TESTS)
  return {
    ask(email, { address, accountId }) {
      const [mailbox, network] = [mailboxOf(email), networkOf(address)]
      const own = accountId === null ? [] : [accounts(accountId)]
      return take([pairs(`${network} ${mailbox}`), networks(network), mailboxes(mailbox), ...own])
    },
    test: (email) => take([tests(mailboxOf(email))]),
  }
}
