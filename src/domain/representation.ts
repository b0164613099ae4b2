/** A check as clients see it: the one place where API v1, v2 and v3 differ. Order of the members is the peer's. */
import { checkBadgeUrl } from './badge.ts'
import type { Check } from './check.ts'
import type { ApiKeyKind } from './project.ts'
import { expectedIfReadable, isRunOverdue, isStarted, nextPingAt, type Status, statusAt } from './status.ts'
import { type Instant, isoSeconds } from './time.ts'
import { uniqueKey } from './unique-key.ts'

export type ApiVersion = 1 | 2 | 3

/** A list of flips: by itself, or in an object as its member `flips`. */
export type FlipsForm = 'array' | 'object'

/** @param v3Flips what the operator has chosen for v3; the older versions have one form only */
export function flipsForm(version: ApiVersion, v3Flips: FlipsForm): FlipsForm {
  return version === 3 ? v3Flips : 'object'
}

/** Where the server can be reached, without a final slash; `pingEndpoint` and `checkPages` with one. */
export interface Links {
  readonly siteRoot: string
  readonly pingEndpoint: string
  /** what the page of each check is found under; null: this server has no pages for checks */
  readonly checkPages: string | null
}

/** Where a person may look at a check, without its UUID, which is its ping secret; null: nowhere. */
export function checkPageUrl(checkId: string, { checkPages }: Links): string | null {
  return checkPages === null ? null : `${checkPages}${uniqueKey(checkId)}/`
}

export interface View {
  readonly version: ApiVersion
  readonly access: ApiKeyKind
  readonly links: Links
  readonly now: Instant
}

/** A check with the ids of the channels assigned to it, in ascending order. */
export interface CheckWithChannels {
  readonly check: Check
  readonly channelIds: readonly string[]
}

type Json = Record<string, string | number | boolean | null>

/**
 * Spec 2.1. With a read-only key the unique key stands in for everything that would let its holder ping or write.
 * Members that not every check has are added to the object: lists spend much of their time here, and spreading doubles it.
 */
export function representCheck(
  { check, channelIds }: CheckWithChannels,
  view: View,
  expected = expectedIfReadable(check),
): Json {
  const next = nextPingAt(check, expected)
  const json: Json = {
    name: check.name,
    slug: check.slug,
    tags: check.tags,
    desc: check.desc,
    grace: check.graceSeconds,
    n_pings: check.nPings,
    status: representStatus(check, expected, view),
    started: isStarted(check),
    last_ping: check.lastPingAt === null ? null : isoSeconds(check.lastPingAt),
    next_ping: next === null ? null : isoSeconds(next),
    manual_resume: check.manualResume,
    methods: check.methods,
    subject: check.filterSubject ? check.successKw : '',
    subject_fail: check.filterSubject ? check.failureKw : '',
    start_kw: check.startKw,
    success_kw: check.successKw,
    failure_kw: check.failureKw,
    filter_subject: check.filterSubject,
    filter_body: check.filterBody,
    filter_http_body: check.filterHttpBody,
    filter_default_fail: check.filterDefaultFail,
    badge_url: checkBadgeUrl(view.links.siteRoot, check.badgeKey),
  }
  if (check.lastDuration) json.last_duration = Math.trunc(check.lastDuration / 1_000_000)
  if (view.access === 'read-only') json.unique_key = uniqueKey(check.id)
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

/** v1 has a status of its own for a run under way; it hides whatever else the check is. */
function representStatus(check: Check, expected: Instant | null, { version, now }: View): Status | 'started' {
  if (version === 1 && isStarted(check) && !isRunOverdue(check, now)) return 'started'
  return statusAt(check, now, expected)
}

export function checkUrl(checkId: string, version: ApiVersion, links: Links): string {
  return `${links.siteRoot}/api/v${version}/checks/${checkId}`
}
