/**
 * Limits how many emails a person may cause to an address whose owner has not agreed to them: by mailbox and network, so that nobody else
 * is locked out; by network and by account, for all addresses; and by mailbox over all networks and accounts.
 */
import { mailboxOf } from '../../../domain/email-address.ts'
import type { Clock } from '../../../lib/time.ts'
import { createCounters, HOUR_SECONDS, networkOf, take } from './limit-windows.ts'

const PAIR = { limit: 5, seconds: 900 }
const NETWORK = { limit: 20, seconds: HOUR_SECONDS }
const ACCOUNT = { limit: 20, seconds: HOUR_SECONDS }
const MAILBOX = { limit: 10, seconds: HOUR_SECONDS }
/** Limit of tests: people who set up an integration test it repeatedly. */
const TESTS = { limit: 20, seconds: HOUR_SECONDS }

/** The person who requests an email. */
export interface MailAsker {
  /** canonical address of the client; null if unknown */
  readonly address: string | null
  /** null for a stranger, a key and the operator */
  readonly accountId: string | null
}

export interface MailboxLimits {
  /** Counts an email. @returns how many seconds to wait before it may be sent; 0 if it may */
  ask(email: string, asker: MailAsker): number
  /** Counts a test message, separately from other emails. @returns as `ask` does */
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
