/**
 * A fingerprint of a project's checks, in two numbers. Every instance computes the same numbers for the same checks. They are sums over the
 * checks, so a changed check is subtracted and added again.
 */
import { hash32 } from '../../lib/hash.ts'
import type { CheckState, StoredStatus } from './check.ts'
import { FIELD_NAMES } from './fields.ts'
import type { CheckWithChannels } from './representation.ts'

export interface Fingerprint {
  /** covers what people change, but only the beginning and the length of a long description; of pings, a check's first one changes it */
  readonly settings: number
  /** grows with pings and flips, and with extra time after an outage */
  readonly activity: number
}

export const NO_CHECKS: Fingerprint = { settings: 0, activity: 0 }

/** A description may have megabytes, and a list has thousands of them. */
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

/** Returns the status of a paused, resumed or cleared check, because no ping reveals that change; '' for others. */
function settledStatus(status: StoredStatus): string {
  return status === 'new' || status === 'paused' ? status : ''
}

/**
 * Returns a number that never repeats. Extra time after an outage adds 1, and its end by a ping subtracts 1; but the ping itself adds 2.
 */
function activityOf({ nPings, nEvents, sparedUntil }: CheckState): number {
  return 2 * (nPings + nEvents) + (sparedUntil === null ? 0 : 1)
}
