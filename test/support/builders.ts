/** Complete, ordinary domain values for tests, which override only the fields that matter to them. */

import { BODY_BYTES, type LastPing } from '../../src/domain/alert/flip-context.ts'
import { describeFlip } from '../../src/domain/alert/notification.ts'
import { NOTHING_UNCOUNTED } from '../../src/domain/cause/uncounted.ts'
import type { Channel } from '../../src/domain/channel/channel.ts'
import { type Check, newCheck } from '../../src/domain/check/check.ts'
import { CHECK_FIELDS, type CheckSettings, type Field } from '../../src/domain/check/fields.ts'
import type { Flip } from '../../src/domain/check/flip.ts'
import { checkPageUrl, type Links } from '../../src/domain/check/representation.ts'
import type { Ping } from '../../src/domain/ping/ping.ts'
import type { Signal } from '../../src/domain/ping/signal.ts'
import type { Project } from '../../src/domain/project.ts'
import type { TSchema } from '../../src/domain/schema.ts'
import type { Silence } from '../../src/domain/silence/silence.ts'
import { type Instant, Temporal } from '../../src/lib/time.ts'
import type { Alert } from '../../src/transports/transport.ts'
import { MIDWEEK_NOON } from './clock.ts'

export const NOON: Instant = Temporal.Instant.from(MIDWEEK_NOON)

/** Returns a UTC time on the day of {@link NOON}: `at('12:05')`, `at('12:05:00.000001')`. */
export function at(time: string): Instant {
  return Temporal.Instant.from(`${MIDWEEK_NOON.slice(0, 10)}T${time}Z`)
}

export const CHECK_ID = '94a363ea-df09-4d51-8c1b-2a3f4e5d6c7b'
export const PROJECT_ID = '11111111-2222-4333-8444-555555555555'
export const RID_A = 'aaaaaaaa-0000-4000-8000-000000000001'
export const RID_B = 'bbbbbbbb-0000-4000-8000-000000000002'

export const LINKS: Links = {
  siteRoot: 'https://overdue.test',
  pingEndpoint: 'https://overdue.test/ping/',
  checkPages: 'https://overdue.test/cloaked/',
}

/** A check before its first ping. */
export function aCheck(given: Partial<Check> = {}): Check {
  const identity = { id: CHECK_ID, projectId: PROJECT_ID, badgeKey: '0d6a8b1c-badc-4eee-8abc-0123456789ab' }
  return { ...newCheck({ ...identity, publicId: 'k7m2q9x4', createdAt: at('00:00') }), ...given }
}

const OTHER_TEXTS: Readonly<Record<string, string>> = { schedule: '5 * * * *', timezone: 'Europe/Riga' }

function otherValue({ schema, initial }: Field): unknown {
  if (typeof initial === 'boolean') return !initial
  if (typeof initial === 'number') return initial + 1
  const values: readonly unknown[] = schema.anyOf?.map((literal: TSchema) => literal.const) ?? []
  return values.find((value) => value !== initial) ?? OTHER_TEXTS[schema.format] ?? 'other'
}

/** Settings that all differ from those of a new check. */
export const OTHER_SETTINGS = Object.fromEntries(
  Object.entries(CHECK_FIELDS).map(([name, field]) => [name, otherValue(field)]),
) as CheckSettings

/** A success sent by GET, without body or run id. */
export function aSignal(given: Partial<Signal> = {}): Signal {
  return {
    action: 'success',
    exitStatus: null,
    occurredAt: null,
    rid: null,
    scheme: 'https',
    method: 'GET',
    ua: 'curl/8.5.0',
    remoteAddr: '192.0.2.7',
    body: null,
    contentType: null,
    searched: given.body ?? null,
    mail: null,
    ...given,
  }
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** The first ping of {@link aCheck}, a success at noon, with the parts of its body that messages use. */
export function aPing(given: Partial<Ping & Pick<LastPing, 'droppedBytes'>> = {}): LastPing {
  const { action: kind, mail: _, searched: __, ...entry } = aSignal()
  return {
    ...{ ...entry, checkId: CHECK_ID, n: 1, receivedAt: NOON, kind, ignoredBy: null, droppedBytes: null, ...given },
    body: given.body?.subarray(0, BODY_BYTES.start) ?? null,
    bodySize: given.body?.length ?? 0,
    bodyEnd: given.body?.subarray(-BODY_BYTES.end) ?? null,
  }
}

/** A flip from up to down by time-out, at noon. */
export function aFlip(given: Partial<Flip> = {}): Flip {
  return { checkId: CHECK_ID, n: 1, createdAt: NOON, oldStatus: 'up', newStatus: 'down', reason: 'timeout', ...given }
}

export function aChannel(given: Partial<Channel> = {}): Channel {
  return {
    id: 'cccccccc-0000-4000-8000-000000000001',
    projectId: PROJECT_ID,
    name: '',
    kind: 'webhook',
    settings: {},
    createdAt: at('00:00'),
    disabledReason: null,
    lastError: null,
    host: '',
    awaitsConfirmation: false,
    quietHours: null,
    ...given,
  }
}

export function aProject(given: Partial<Project> = {}): Project {
  return {
    id: PROJECT_ID,
    name: 'Backups',
    badgeKey: 'project-badge-key',
    pingLogLimit: 100,
    createdAt: at('00:00'),
    slug: 'backups',
    isSearched: true,
    tz: null,
    ...given,
  }
}

/** A silence of the whole project, for an hour from midnight on. */
export function aSilence(given: Partial<Silence> = {}): Silence {
  return {
    id: 'eeeeeeee-0000-4000-8000-000000000001',
    projectId: PROJECT_ID,
    match: { checks: [], tags: [] },
    startsAt: at('00:00'),
    endsAt: at('01:00'),
    untilHealthy: false,
    window: null,
    upTo: 'down',
    reason: '',
    createdAt: at('00:00'),
    createdBy: null,
    ...given,
  }
}

/** The alert that {@link aCheck} went down at noon, rendered a second later. */
export function anAlert(given: Partial<Alert> = {}): Alert {
  const check = given.check ?? aCheck({ status: 'down', nPings: 1, nEvents: 1, lastPingAt: at('09:00') })
  const alert = {
    delivery: {
      id: 'dddddddd-0000-4000-8000-000000000001',
      checkId: check.id,
      eventN: 1,
      channelId: aChannel().id,
      state: 'pending',
      attempts: 1,
      createdAt: NOON,
      heldUntil: null,
    },
    check,
    channelIds: [aChannel().id],
    flip: aFlip(),
    previousFlip: null,
    incident: null,
    taken: null,
    isNewest: true,
    lastPing: null,
    uncounted: NOTHING_UNCOUNTED,
    cause: null,
    change: null,
    projectName: 'Tests',
    projectSlug: 'tests',
    projectTz: null,
    siblings: { exist: false, downCount: 0, down: [], counts: null },
    advice: null,
    operator: {},
    links: LINKS,
    siteName: 'Overdue',
    unsubscribeUrl: 'https://overdue.test/unsubscribe',
    now: at('12:00:01'),
    ...given,
  } as const
  const alertsLink = `${alert.links.siteRoot}/p/${alert.projectSlug}/alerts`
  const pages = { link: checkPageUrl(check.id, alert.links), incidentLink: null, alertsLink }
  return { message: describeFlip(alert, pages, alert.now), ...alert }
}
