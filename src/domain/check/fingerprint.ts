/**
 * A fingerprint of a project's checks, which consists of two numbers. Every instance calculates the same numbers for the same checks. They
 * are sums over all checks, so after a change, the old check is subtracted and the new one added.
 */
import { hash32 } from '../../lib/hash.ts'
import type { CheckState, StoredStatus } from './check.ts'
import { FIELD_NAMES } from './fields.ts'
import type { CheckWithChannels } from './representation.ts'

export interface Fingerprint {
  /**
   * changes when people edit a check, and when the check gets its first ping; of a long description, only the beginning and the length
   * count
   */
  readonly settings: number
  /** increases with pings and flips, and with additional time after an outage */
  readonly activity: number
}

export const NO_CHECKS: Fingerprint = { settings: 0, activity: 0 }

/** Number of characters of a description that count. A description can have megabytes, and a list has thousands of checks. */
const DESCRIPTION_CHARACTERS = 200

const FIELDS = ['publicId', ...FIELD_NAMES.filter((name) => name !== 'desc')] as const

/** Returns the fingerprint of one check. */
export function fingerprintOf({ check, channelIds }: CheckWithChannels): Fingerprint {
  let text = `${settledStatus(check.status)}\n${check.desc.length} ${check.desc.slice(0, DESCRIPTION_CHARACTERS)}`
  for (const field of FIELDS) text += `\n${check[field]}`
  return { settings: hash32(`${text}\n${channelIds.toSorted()}`), activity: activityOf(check) }
}

/** Returns the fingerprint of the same check after pings or time have changed it. */
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
 * Returns the status if only a person can have caused it: paused, resumed or cleared. No ping reveals such a change. Returns '' for any
 * other status.
 */
function settledStatus(status: StoredStatus): string {
  return status === 'new' || status === 'paused' ? status : ''
}

/**
 * Returns a number that never repeats. Additional time after an outage adds 1. The ping that ends it subtracts that 1, but adds 2 itself.
 */
function activityOf({ nPings, nEvents, sparedUntil }: CheckState): number {
  return 2 * (nPings + nEvents) + (sparedUntil === null ? 0 : 1)
}
