/**
 * A check as returned by the API. This is the only place where versions v1, v2 and v3 differ. The fields are in the same order as in
 * Healthchecks.
 */

import { compileObject } from '../../lib/compiled-object.ts'
import { type Instant, isoSeconds } from '../../lib/time.ts'
import type { Right } from '../actor.ts'
import { checkBadgeUrl } from '../badge-urls.ts'
import type { Check } from './check.ts'
import { CHECK_FIELDS, type CheckSettings, type Members } from './fields.ts'
import { expectedIfReadable, isRunOverdue, isStarted, nextPingAt, type Status, statusAt } from './status.ts'
import { uniqueKey } from './unique-key.ts'

export type ApiVersion = 1 | 2 | 3

/** The format of a list of flips: a bare array, or an object with the field `flips`. */
export type FlipsForm = 'array' | 'object'

/** @param v3Flips the operator's choice for v3; earlier versions always use the same format */
export function flipsForm(version: ApiVersion, v3Flips: FlipsForm): FlipsForm {
  return version === 3 ? v3Flips : 'object'
}

/** Public URLs of this server. `siteRoot` has no trailing slash; `pingEndpoint` and `checkPages` have one. */
export interface Links {
  readonly siteRoot: string
  readonly pingEndpoint: string
  /** URL prefix of check pages */
  readonly checkPages: string
}

/** Returns the URL of a check's page. It does not contain the UUID, because the UUID is the ping secret. */
export function checkPageUrl(checkId: string, { checkPages }: Links): string {
  return `${checkPages}${uniqueKey(checkId)}/`
}

export interface View {
  readonly version: ApiVersion
  /** the reader's highest right; see `rightOf` */
  readonly right: Right
  readonly links: Links
  readonly now: Instant
}

/** A check and the ids of its channels, in ascending order. */
export interface CheckWithChannels {
  readonly check: Check
  readonly channelIds: readonly string[]
}

type Json = Record<string, string | number | boolean | null>

/** Response fields that are not check settings. */
export type DerivedMember =
  | 'n_pings'
  | 'status'
  | 'started'
  | 'last_ping'
  | 'next_ping'
  | 'subject'
  | 'subject_fail'
  | 'badge_url'

/** Response fields that are not check settings, listed under the setting that precedes them. */
const DERIVED: { readonly [After in keyof Members<typeof CHECK_FIELDS>]?: readonly DerivedMember[] } = {
  grace: ['n_pings', 'status', 'started', 'last_ping', 'next_ping'],
  methods: ['subject', 'subject_fail'],
  filter_default_fail: ['badge_url'],
}

/** The source of each field in a response, in order. */
const COMMON = Object.fromEntries(
  Object.entries(CHECK_FIELDS)
    .filter(([, { shown }]) => shown === 'always')
    .flatMap(([name, { wire }]) => [
      [wire, `check.${name}`],
      ...(DERIVED[wire] ?? []).map((member) => [member, `derived.${member}`]),
    ]),
)
export const COMMON_MEMBERS = Object.keys(COMMON)

const commonMembers = compileObject<
  (check: CheckSettings, derived: Readonly<Record<DerivedMember, Json[string]>>) => Json
>(['check', 'derived'], COMMON)

/**
 * Returns a check for a client. For a read-only client, the unique key replaces everything that could be used to ping or change the check.
 * Optional fields are assigned one by one, because object spread would take twice as long, and this function accounts for much of the time
 * needed for lists.
 */
export function representCheck(
  { check, channelIds }: CheckWithChannels,
  view: View,
  expected = expectedIfReadable(check),
): Json {
  const next = nextPingAt(check, expected)
  const json = commonMembers(check, {
    n_pings: check.nPings,
    status: representStatus(check, expected, view),
    started: isStarted(check),
    last_ping: check.lastPingAt === null ? null : isoSeconds(check.lastPingAt),
    next_ping: next === null ? null : isoSeconds(next),
    subject: check.filterSubject ? check.successKw : '',
    subject_fail: check.filterSubject ? check.failureKw : '',
    badge_url: checkBadgeUrl(view.links.siteRoot, check.badgeKey),
  })
  if (check.lastDuration) json.last_duration = Math.trunc(check.lastDuration / 1_000_000)
  if (view.right === 'read') json.unique_key = uniqueKey(check.id)
  else addWritableMembers(json, check, channelIds, view)
  if (check.kind === 'simple') json.timeout = check.timeoutSeconds
  else {
    json.schedule = check.schedule
    json.tz = check.tz
  }
  return json
}

function addWritableMembers(json: Json, check: Check, channelIds: readonly string[], { version, links }: View): void {
  const url = checkUrl(check.id, version, links)
  json.uuid = check.id
  json.ping_url = links.pingEndpoint + check.id
  json.update_url = url
  json.pause_url = `${url}/pause`
  json.resume_url = `${url}/resume`
  json.channels = channelIds.join(',')
}

/** Returns the status. v1 has an additional status for a run under way, which takes precedence over all others. */
function representStatus(check: Check, expected: Instant | null, { version, now }: View): Status | 'started' {
  if (version === 1 && isStarted(check) && !isRunOverdue(check, now)) return 'started'
  return statusAt(check, now, expected)
}

export function checkUrl(checkId: string, version: ApiVersion, links: Links): string {
  return `${links.siteRoot}/api/v${version}/checks/${checkId}`
}
