/** *Unwatched*: the check looks watched and is not. */
import { addSeconds, type Instant, isBefore, later } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import { nextSlots } from '../check/slots.ts'
import type { Sentence } from '../words/sentence-parts.ts'

/** It was due and was never pinged. */
export interface Unwatched {
  readonly kind: 'unwatched'
  readonly variant: 'never'
  readonly createdAt: Instant
  /** its first run */
  readonly due: Instant
}

/** Whoever creates a check for a job that runs each minute needs a while to change the job. */
const SET_UP_SECONDS = 3_600

export function unwatched(check: Check, now: Instant): Unwatched | null {
  const { createdAt } = check
  // Most checks have pings, and the first slot of a schedule takes a while to find.
  if (!neverPinged(check) || isBefore(now, addSeconds(createdAt, SET_UP_SECONDS))) return null
  const [due] = nextSlots(check, createdAt, 1)
  if (due === undefined || isBefore(now, addSeconds(due, check.graceSeconds))) return null
  return { kind: 'unwatched', variant: 'never', createdAt, due }
}

/** Null for a check of which that is never said unless somebody changes it. */
export function unwatchedFrom(check: Check): Instant | null {
  const [due] = neverPinged(check) ? nextSlots(check, check.createdAt, 1) : []
  return due === undefined
    ? null
    : later(addSeconds(due, check.graceSeconds), addSeconds(check.createdAt, SET_UP_SECONDS))
}

/** A check that was resumed or cleared counts its former pings. */
function neverPinged({ status, nPings }: Check): boolean {
  return status === 'new' && nPings === 0
}

/** `Never pinged in 3 days, though its first run was due on 12 May at 03:00. A check that was never pinged never alerts.` */
export function unwatchedSentence({ createdAt, due }: Unwatched): Sentence {
  return [
    'Never pinged in ',
    { lasting: createdAt },
    ', though its first run was due ',
    { at: due },
    '. A check that was never pinged never alerts.',
  ]
}
