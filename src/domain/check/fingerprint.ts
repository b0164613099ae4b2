/**
 * A fingerprint of a project's checks: two numbers. Every instance calculates the same numbers for the same checks. Both are sums over all
 * checks, so when a check changes, its old values are subtracted and its new values added.
 */
import { hash32 } from '../../lib/hash.ts'
import type { CheckState, StoredStatus } from './check.ts'
import { FIELD_NAMES } from './fields.ts'
import type { CheckWithChannels } from './representation.ts'

export interface Fingerprint {
  /**
   * changes when a user edits a check, and when a check gets its first ping; of a long description, only the beginning and the length are
   * included
   */
  readonly settings: number
  /** increases with pings, with flips, and when a check gets additional time after an outage */
  readonly activity: number
}

export const NO_CHECKS: Fingerprint = { settings: 0, activity: 0 }

/**
 * Number of characters of a description to include in the fingerprint. A description can be megabytes long, and a list can contain
 * thousands of checks.
 */
const DESCRIPTION_CHARACTERS = 200

const FIELDS = ['publicId', ...FIELD_NAMES.filter((name) => name !== 'desc')] as const

/** Returns one check's fingerprint. */
export function fingerprintOf({ check, channelIds }: CheckWithChannels): Fingerprint {
  let text = `${settledStatus(check.status)}\n${check.desc.length} ${check.desc.slice(0, DESCRIPTION_CHARACTERS)}`
  for (const field of FIELDS) text += `\n${check[field]}`
  return { settings: hash32(`${text}\n${channelIds.toSorted()}`), activity: activityOf(check) }
}

/** Returns a check's new fingerprint after the check was changed by pings or by the passage of time. */
export function fingerprintAfter(
  fingerprint: Fingerprint,
  before: CheckWithChannels,
  after: CheckWithChannels,
): Fingerprint {
  if (settledStatus(before.check.status) !== settledStatus(after.check.status)) return fingerprintOf(after)
  return { settings: fingerprint.settings, activity: activityOf(after.check) }
}

export function plus(a: Fingerprint, b: Fingerprint): Fingerprint {
  return { settings: a.settings + b.settings, activity: a.activity + b.activity }
}

export function minus(a: Fingerprint, b: Fingerprint): Fingerprint {
  return { settings: a.settings - b.settings, activity: a.activity - b.activity }
}

/**
 * Returns the status if only a user can have caused it by pausing, resuming or clearing the check, because such changes don't affect the
 * number of pings. Returns '' for any other status.
 */
function settledStatus(status: StoredStatus): string {
  return status === 'new' || status === 'paused' ? status : ''
}

/**
 * Returns a number that is different after every change. Additional time after an outage adds 1. The ping that ends the additional time
 * removes that 1, but also adds 2.
 */
function activityOf({ nPings, nEvents, sparedUntil }: CheckState): number {
  return 2 * (nPings + nEvents) + (sparedUntil === null ? 0 : 1)
}
