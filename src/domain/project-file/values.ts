/** Converts values between the project file format and the domain. */
import { createHmac } from 'node:crypto'
import { fromMicroseconds, type Instant, isoMicroseconds, Temporal, toMicroseconds } from '../../lib/time.ts'
import type { Channel } from '../channel/channel.ts'
import type { QuietHours } from '../channel/quiet-hours.ts'
import { representQuietHours } from '../channel/represent-quiet-hours.ts'
import type { Check } from '../check/check.ts'
import { CHECK_FIELDS, membersOf, NEW_SETTINGS, settingsOf } from '../check/fields.ts'
import type { Flip } from '../check/flip.ts'
import { packedRuns } from '../check/run-history.ts'
import type {
  ImportedAlert,
  ImportedChannel,
  ImportedCheck,
  ImportedKey,
  ImportedProject,
  ImportedSilence,
} from '../import/import-source.ts'
import type { Ping } from '../ping/ping.ts'
import type { Project, StoredKey } from '../project.ts'
import { canonicalTimeZone } from '../schedule/time-zones.ts'
import { writtenSchedule } from '../schedule/typed/typed-schedule.ts'
import type { Match } from '../silence/silence.ts'
import { scopeOf, specOf, windowOf } from '../silence/spec.ts'
import type { StatusPage } from '../status-page/status-page.ts'
import type {
  FileAlert,
  FileChannel,
  FileCheck,
  FileFlip,
  FileKey,
  FilePing,
  FileProject,
  FileQuietHours,
  FileSilence,
  FileStatusPage,
} from './project-file.ts'

const FINGERPRINT_LENGTH = 16

/** Returns lower-case hexadecimal digits that identify a secret without revealing it. */
export function secretFingerprint(secret: string): string {
  return createHmac('sha256', secret).update('overdue project file').digest('hex').slice(0, FINGERPRINT_LENGTH)
}

const instant = (text: string): Instant => fromMicroseconds(toMicroseconds(Temporal.Instant.from(text)))
const orNull = <From, To>(value: From | null, convert: (value: From) => To) => (value === null ? null : convert(value))
const seconds = (microseconds: number) => microseconds / 1_000_000
const microseconds = (given: number) => Math.round(given * 1_000_000)
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))

/** @param secrets the secrets with which the project's keys are hashed and its badges are signed */
export function fileProject(project: Project, secrets: readonly string[]): FileProject {
  return {
    id: project.id,
    name: project.name,
    slug: project.slug,
    badge_key: project.badgeKey,
    ping_log_limit: project.pingLogLimit,
    search: project.isSearched,
    ...(project.tz === null ? {} : { tz: project.tz }),
    created_at: isoMicroseconds(project.createdAt),
    secrets: [...new Set(secrets.map(secretFingerprint))].sort(),
  }
}

export function importedProject(
  file: FileProject,
): Pick<ImportedProject, 'id' | 'name' | 'slug' | 'badgeKey' | 'pingLogLimit' | 'isSearched' | 'tz' | 'createdAt'> {
  return {
    id: file.id,
    name: file.name,
    slug: file.slug,
    badgeKey: file.badge_key,
    pingLogLimit: file.ping_log_limit,
    isSearched: file.search,
    tz: file.tz === undefined ? null : canonicalTimeZone(file.tz),
    createdAt: instant(file.created_at),
  }
}

export function fileKey({ kind, name, createdAt, lookup, hint }: StoredKey): FileKey {
  const common = { name, created_at: isoMicroseconds(createdAt) }
  return kind === 'ping' ? { kind, ...common, key: lookup } : { kind, ...common, hint, hash: lookup }
}

export function importedKey(file: FileKey): ImportedKey {
  const common = { kind: file.kind, name: file.name, createdAt: instant(file.created_at) }
  return 'key' in file ? { ...common, text: file.key } : { ...common, lookup: file.hash, hint: file.hint }
}

export function fileChannel(channel: Channel): FileChannel {
  return {
    id: channel.id,
    kind: channel.kind,
    name: channel.name,
    settings: channel.settings,
    created_at: isoMicroseconds(channel.createdAt),
    disabled_reason: channel.disabledReason,
    last_error: channel.lastError,
    awaits_confirmation: channel.awaitsConfirmation,
    ...(channel.quietHours === null ? {} : { quiet_hours: representQuietHours(channel.quietHours) }),
  }
}

export function importedChannel(file: FileChannel): ImportedChannel {
  return {
    id: file.id,
    kind: file.kind,
    name: file.name,
    settings: file.settings,
    createdAt: instant(file.created_at),
    disabledReason: file.disabled_reason,
    lastError: file.last_error,
    awaitsConfirmation: file.awaits_confirmation,
    quietHours: file.quiet_hours === undefined ? null : importedQuietHours(file.quiet_hours),
  }
}

export function importedQuietHours({ schedule, tz, duration, up_to }: FileQuietHours): QuietHours {
  return { schedule: writtenSchedule(schedule), tz: canonicalTimeZone(tz) ?? tz, seconds: duration, upTo: up_to }
}

export function fileCheck(check: Check, channelIds: readonly string[]): FileCheck {
  return {
    id: check.id,
    public_id: check.publicId,
    badge_key: check.badgeKey,
    created_at: isoMicroseconds(check.createdAt),
    ...membersOf(CHECK_FIELDS, check),
    channels: [...channelIds].sort(),
    status: check.status,
    n_pings: check.nPings,
    n_flips: check.nEvents,
    last_ping: orNull(check.lastPingAt, isoMicroseconds),
    last_success: orNull(check.lastSuccessAt, isoMicroseconds),
    last_start: orNull(check.lastStartAt, isoMicroseconds),
    last_start_rid: check.lastStartRid,
    last_duration: orNull(check.lastDuration, seconds),
    runs: base64(check.runs),
    ...(check.lastStartOccurredAt === null ? {} : { last_start_occurred: isoMicroseconds(check.lastStartOccurredAt) }),
  }
}

/**
 * Converts a check from the file. The extra time that a check gets after an outage is not in the file, because pings that were missing
 * before the import never count.
 */
export function importedCheck(file: FileCheck): ImportedCheck {
  return {
    id: file.id,
    publicId: file.public_id,
    badgeKey: file.badge_key,
    createdAt: instant(file.created_at),
    ...NEW_SETTINGS,
    ...settingsOf(CHECK_FIELDS, file),
    schedule: writtenSchedule(file.schedule),
    tz: canonicalTimeZone(file.tz) ?? NEW_SETTINGS.tz,
    channelIds: file.channels,
    ...importedState(file),
  }
}

function importedState(file: FileCheck) {
  return {
    status: file.status,
    nPings: file.n_pings,
    nEvents: file.n_flips,
    lastPingAt: orNull(file.last_ping, instant),
    lastSuccessAt: orNull(file.last_success, instant),
    lastStartAt: orNull(file.last_start, instant),
    lastStartRid: file.last_start_rid,
    lastDuration: orNull(file.last_duration, microseconds),
    lastStartOccurredAt: orNull(file.last_start_occurred ?? null, instant),
    sparedUntil: null,
    runs: packedRuns(bytes(file.runs)),
  }
}

export function fileStatusPage(page: StatusPage): NonNullable<FileStatusPage> {
  return {
    slug: page.slug,
    title: page.title,
    text: page.text,
    tz: page.tz,
    public: page.isPublic,
    indexed: page.isIndexed,
    updated_at: isoMicroseconds(page.updatedAt),
    sections: page.sections.map(({ id, name, tag, services }) => ({
      id,
      name,
      tag,
      services: services.map(({ checkId, name, text }) => ({ check: checkId, name, text })),
    })),
  }
}

export function importedStatusPage(file: NonNullable<FileStatusPage>): NonNullable<ImportedProject['statusPage']> {
  return {
    slug: file.slug,
    title: file.title,
    text: file.text,
    tz: canonicalTimeZone(file.tz) ?? 'UTC',
    isPublic: file.public,
    isIndexed: file.indexed,
    updatedAt: instant(file.updated_at),
    sections: file.sections.map(({ services, ...section }) => ({
      ...section,
      services: services.map(({ check, name, text }) => ({ checkId: check, name, text })),
    })),
  }
}

export function fileSilence(silence: ImportedSilence): FileSilence {
  const { id, match, createdAt } = silence
  return { id, ...specOf(silence), match: fileMatch(match), created_at: isoMicroseconds(createdAt) }
}

/** Leaves out empty lists, because an import would reject them. */
function fileMatch({ checks, tags }: Match): FileSilence['match'] {
  return { ...(checks.length > 0 && { checks: [...checks] }), ...(tags.length > 0 && { tags: [...tags] }) }
}

/** @returns a phrase without a trailing period that says what to correct, if the schedule's members contradict each other */
export function importedSilence(file: FileSilence): ImportedSilence | string {
  const window = windowOf(file)
  if (typeof window === 'string') return window
  return {
    id: file.id,
    ...scopeOf(file),
    startsAt: instant(file.starts_at),
    endsAt: orNull(file.ends_at, instant),
    untilHealthy: file.until_healthy ?? false,
    window,
    createdAt: instant(file.created_at),
  }
}

export function filePing(ping: Ping): FilePing {
  return {
    check: ping.checkId,
    n: ping.n,
    at: isoMicroseconds(ping.receivedAt),
    kind: ping.kind,
    ...(ping.exitStatus === null ? {} : { exit_status: ping.exitStatus }),
    ...(ping.rid === null ? {} : { rid: ping.rid }),
    scheme: ping.scheme,
    method: ping.method,
    ua: ping.ua,
    ...(ping.remoteAddr === null ? {} : { remote_addr: ping.remoteAddr }),
    ...(ping.contentType === null ? {} : { content_type: ping.contentType }),
    ...(ping.ignoredBy === null ? {} : { ignored_by: ping.ignoredBy }),
    ...(ping.occurredAt === null ? {} : { occurred_at: isoMicroseconds(ping.occurredAt) }),
    ...(ping.body === null ? {} : fileBody(ping.body)),
  }
}

/** Decodes UTF-8 and keeps a byte order mark as part of the text. */
const strictly = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function fileBody(body: Uint8Array): Pick<FilePing, 'body' | 'body_base64'> {
  try {
    return { body: strictly.decode(body) }
  } catch {
    return { body_base64: base64(body) }
  }
}

export function importedPing(file: FilePing): Ping {
  return {
    checkId: file.check,
    n: file.n,
    receivedAt: instant(file.at),
    kind: file.kind,
    exitStatus: file.exit_status ?? null,
    rid: file.rid ?? null,
    scheme: file.scheme,
    method: file.method,
    ua: file.ua,
    remoteAddr: file.remote_addr ?? null,
    contentType: file.content_type ?? null,
    ignoredBy: file.ignored_by ?? null,
    occurredAt: orNull(file.occurred_at ?? null, instant),
    body: bodyOf(file),
  }
}

function bodyOf({ body, body_base64 }: FilePing): Uint8Array | null {
  if (body !== undefined) return new TextEncoder().encode(body)
  return body_base64 === undefined ? null : bytes(body_base64)
}

export function fileFlip({ checkId, n, createdAt, oldStatus, newStatus, reason }: Flip): FileFlip {
  return { check: checkId, n, at: isoMicroseconds(createdAt), from: oldStatus, to: newStatus, reason }
}

export function importedFlip({ check, n, at, from, to, reason }: FileFlip): Flip {
  return { checkId: check, n, createdAt: instant(at), oldStatus: from, newStatus: to, reason }
}

export function fileAlert({ id, checkId, eventN, channelId, createdAt, error }: ImportedAlert): FileAlert {
  const common = { id, check: checkId, flip: eventN, channel: channelId, at: isoMicroseconds(createdAt) }
  return error === null ? common : { ...common, error }
}

export function importedAlert({ id, check, flip, channel, at, error }: FileAlert): ImportedAlert {
  return { id, checkId: check, eventN: flip, channelId: channel, createdAt: instant(at), error: error ?? null }
}
