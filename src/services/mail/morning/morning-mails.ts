/** Claims due morning mails, composes and sends them, and records the results. */
import { keptError } from '../../../domain/alert/delivery.ts'
import {
  isTooLate,
  type MorningResult,
  morningSlot,
  nextMorning,
  retryMorningAt,
} from '../../../domain/morning/morning-mail.ts'
import { messageOf } from '../../../lib/errors.ts'
import { addSeconds, type Instant, isBefore, isoSeconds } from '../../../lib/time.ts'
import type { MorningOrder } from '../../../store/store.ts'
import { MissingSetting } from '../../../transports/transport.ts'
import type { Deps } from '../../common/deps.ts'
import { sendMessage } from '../../courier/send-message.ts'
import { NightRows } from '../../overview/night-rows.ts'
import { type LetterDeps, writeLetter } from './letter.ts'

/**
 * Number of emails to send simultaneously. It is small, so that alerts don't have to wait until morning mails free a connection to
 * the mail server.
 */
const CONCURRENCY_LIMIT = 2
/**
 * Duration of a lease, in seconds. Sending a mail never takes this long. Composing a mail may take longer, so the lease is renewed once
 * it is composed.
 */
const LEASE_SECONDS = 300

type Needs = Omit<LetterDeps, 'nights'> & Pick<Deps, 'random' | 'transports' | 'carriers' | 'operator'>
type AttemptDeps = Needs & Pick<LetterDeps, 'nights'>

/**
 * Creates a job that sends a few due mails. Each mail is claimed before it is sent, and its result is recorded afterwards. If the process
 * crashes in between, the mail is sent again with the same id. If nothing is due, the cost of a run is a single indexed query.
 * @returns the job; it returns when to run again: now if more mails are due, or null if no mail is planned
 */
export function createMorningMails(deps: Needs): () => Promise<Instant | null> {
  const { store, now } = deps
  /** The rows are cached while mails are due, because many recipients see the same checks. */
  let nights: NightRows | null = null
  return async () => {
    const due = await store.morningMails.nextAt()
    if (due === null || isBefore(now(), due)) {
      nights = null
      return due
    }
    nights ??= new NightRows(deps)
    const attemptDeps = { ...deps, nights }
    const orders = await store.morningMails.claim(now(), addSeconds(now(), LEASE_SECONDS), CONCURRENCY_LIMIT)
    await Promise.all(orders.map((order) => carryOut(attemptDeps, order)))
    return store.morningMails.nextAt()
  }
}

async function carryOut(deps: AttemptDeps, order: MorningOrder): Promise<void> {
  const details = { account: order.account.id, attempts: order.mail.attempts }
  try {
    const result = await attempt(deps, order, details)
    if (result === null) return
    await deps.store.morningMails.record(order, result)
    const { state, error } = result
    if (state === 'pending') {
      const next_attempt = isoSeconds(result.nextAttemptAt)
      deps.log('warning', 'morning mail will be tried again', { ...details, error, next_attempt })
    } else if (error !== null) deps.log('warning', 'morning mail failed', { ...details, error })
  } catch (error) {
    deps.log('error', 'morning mail could not be finished', { ...details, reason: messageOf(error) })
  }
}

/** @returns null if the account no longer wants the mail, or if the mail has been rescheduled or claimed again */
async function attempt(
  deps: AttemptDeps,
  { mail, account }: MorningOrder,
  details: Readonly<Record<string, unknown>>,
): Promise<MorningResult | null> {
  const { morningMail, tz } = account
  if (morningMail === null) return null
  const slot = morningSlot(mail.dueAt, morningMail.hour, tz, deps.now())
  const ended = (error: string | null): MorningResult => ({
    state: 'ended',
    nextDueAt: nextMorning(morningMail.hour, tz, slot),
    error,
  })
  const isSilent = account.isSuspended || !account.isEmailConfirmed || isTooLate(slot, deps.now())
  const transport = deps.transports.get('email')
  if (isSilent || !transport) return ended(null)
  if (!deps.operator.EMAIL_HOST) return ended(new MissingSetting('EMAIL_HOST').message)
  const letter = await writeLetter(deps, { account, wish: morningMail.wish, slot })
  if (letter === null) return ended(null)
  if (!(await deps.store.morningMails.renew(mail, addSeconds(deps.now(), LEASE_SECONDS)))) return null
  const { conclusion } = await sendMessage(deps, transport, { message: letter, details })
  if (conclusion.kind === 'sent') {
    deps.log('info', 'morning mail sent', details)
    return ended(null)
  }
  const error = keptError(conclusion.error)
  if (conclusion.kind !== 'retry') return ended(error)
  const retry = { attempts: mail.attempts, retryAfterSeconds: conclusion.retryAfterSeconds }
  const nextAttemptAt = retryMorningAt(retry, slot, deps.now(), deps.random.fraction())
  return nextAttemptAt === null ? ended(error) : { state: 'pending', error, nextAttemptAt }
}
