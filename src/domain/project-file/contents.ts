/** Reads a project file value by value, in the order of the file. Rejects values that are invalid or contradict each other. */
import { type Instant, Temporal } from '../../lib/time.ts'
import { Refusal } from '../errors.ts'
import type { ImportedSilence } from '../import/import-source.ts'
import { problemInWords } from '../problem-words.ts'
import { scheduleKind } from '../schedule/schedule.ts'
import { writtenSchedule } from '../schedule/typed/typed-schedule.ts'
import { listProblems, type TSchema } from '../schema.ts'
import { isPlanned } from '../silence/calendar.ts'
import { SILENCES_LIMIT, WINDOWS_LIMIT } from '../silence/limits.ts'
import { TIMES_FAULTS, type TimesFault, timesOf, windowFault } from '../silence/times.ts'
import { SERVICES_LIMIT } from '../status-page/status-page.ts'
import {
  FILE_ARRAYS,
  FILE_LOG,
  FILE_MEMBERS,
  type FileAlert,
  type FileBadge,
  type FileChannel,
  type FileCheck,
  type FileFlip,
  type FileKey,
  type FileMember,
  type FileMemberName,
  type FilePing,
  type FileProject,
  type FileSilence,
  type FileStatusPage,
  oneOf,
  PROJECT_FILE,
  PROJECT_FILE_VERSION,
} from './project-file.ts'
import { importedQuietHours, importedSilence } from './values.ts'

/** A value in the file: the value of a member or, if the member is an array, one of its elements. */
interface FileValue {
  readonly member: string
  /** index of the element; null if the value is not in an array */
  readonly index: number | null
  readonly value: unknown
}

const ORDER = Object.keys(FILE_MEMBERS) as readonly FileMemberName[]

/** @param place JSON pointer (RFC 6901) */
export function brokenAt(place: string, what: string): Refusal {
  return broken(`${place} ${what}`)
}

/** @param words description of the problem, including its location */
export function broken(words: string): Refusal {
  return new Refusal('project-file-invalid', `the project file cannot be read: ${words}`)
}

function requireFit(schema: TSchema, value: unknown, place: string): void {
  const [problem] = listProblems(schema, value, 1)
  // `problemInWords` drops the first slash.
  if (problem) throw broken(problemInWords({ ...problem, path: `/${place}${problem.path}` }))
}

export class ProjectFileContents {
  project: FileProject | null = null
  statusPage: FileStatusPage = null
  readonly members: FileMember[] = []
  readonly keys: FileKey[] = []
  readonly badges: FileBadge[] = []
  readonly channels: FileChannel[] = []
  readonly checks: FileCheck[] = []
  readonly silences: ImportedSilence[] = []
  /** number of log entries */
  pings = 0
  /** index of the last member read, within the required order */
  #place = -1
  readonly #taken = new Map<string, Set<string>>()
  readonly #checksById = new Map<string, FileCheck>()
  readonly #last = { pings: null, flips: null } as Record<'pings' | 'flips', FilePing | FileFlip | null>
  readonly #channelKind: TSchema
  readonly #now: Instant

  /**
   * @param kinds kinds of channels that exist
   * @param now current time for the validation of silences
   */
  constructor(kinds: readonly string[], now: Instant) {
    this.#channelKind = oneOf(kinds)
    this.#now = now
  }

  /** @throws Refusal `project-file-invalid`, `project-file-too-new` */
  add({ member, index, value }: FileValue): void {
    const name = this.#follow(member)
    if (FILE_ARRAYS.has(name) && index === null) {
      // The reader passes each element of an array separately, and passes nothing for an empty array. A value without an index is therefore
      // not an array.
      throw brokenAt(`/${name}`, 'is not an array')
    }
    const place = index === null ? `/${name}` : `/${name}/${index}`
    if (name === 'format' && value !== PROJECT_FILE) throw brokenAt('/format', `is not "${PROJECT_FILE}"`)
    requireFit(FILE_MEMBERS[name], value, place)
    this.#take[name](value as never, place)
  }

  /** @throws Refusal `project-file-invalid` */
  end(): void {
    if (this.project === null) throw brokenAt('/project', 'is missing')
  }

  /** Enforces the fixed order of the members, so that each entry can be checked against the data that it refers to. */
  #follow(member: string): FileMemberName {
    const place = ORDER.indexOf(member as FileMemberName)
    const name = ORDER[place]
    if (name === undefined) throw brokenAt(`/${member.slice(0, 50)}`, 'is not a known member')
    const missing = ORDER.slice(this.#place + 1, place).find((name) => !FILE_ARRAYS.has(name) && name !== 'status_page')
    if (missing !== undefined) throw brokenAt(`/${name}`, `comes before "${missing}"`)
    if (place < this.#place) throw brokenAt(`/${name}`, `comes after "${ORDER[this.#place]}"`)
    this.#place = place
    return name
  }

  /** Functions that process the values of each member after schema validation. */
  readonly #take: Readonly<Record<FileMemberName, (value: never, place: string) => void>> = {
    format: () => {},
    version: requireKnown,
    project: (value: FileProject) => {
      this.project = value
    },
    members: (value: FileMember, place) => this.#takeMember(place, value),
    keys: (value: FileKey, place) => this.#takeKey(place, value),
    badges: (value: FileBadge) => {
      this.badges.push(value)
    },
    channels: (value: FileChannel, place) => this.#takeChannel(place, value),
    checks: (value: FileCheck, place) => this.#takeCheck(place, value),
    status_page: (value: FileStatusPage) => this.#takeStatusPage(value),
    silences: (value: FileSilence, place) => this.#takeSilence(place, value),
    pings: (value: FilePing, place) => this.#takePing(place, value),
    flips: (value: FileFlip, place) => this.#follows('flips', place, value, 'n_flips'),
    alerts: (value: FileAlert, place) => this.#takeAlert(place, value),
  }

  #takeMember(place: string, member: FileMember): void {
    if (member.email !== member.email.toLowerCase()) throw brokenAt(`${place}/email`, 'is not in lower case')
    this.#distinct('member', `${place}/email`, member.email)
    this.members.push(member)
  }

  #takeKey(place: string, key: FileKey): void {
    if ('key' in key) this.#distinct('key', `${place}/key`, key.key)
    else this.#distinct('key', `${place}/hash`, key.hash)
    this.keys.push(key)
  }

  #takeChannel(place: string, channel: FileChannel): void {
    requireFit(this.#channelKind, channel.kind, `${place}/kind`)
    this.#distinct('channel', `${place}/id`, channel.id)
    this.#distinct('time of a channel', `${place}/created_at`, channel.created_at)
    requireQuietHours(`${place}/quiet_hours`, channel)
    this.channels.push(channel)
  }

  #takeCheck(place: string, check: FileCheck): void {
    this.#distinct('check', `${place}/id`, check.id)
    this.#distinct('public id', `${place}/public_id`, check.public_id)
    this.#distinct('time of a check', `${place}/created_at`, check.created_at)
    this.#distinct('badge', `${place}/badge_key`, check.badge_key)
    if (check.kind !== 'simple' && scheduleKind(writtenSchedule(check.schedule)) !== check.kind) {
      throw brokenAt(`${place}/schedule`, `is not of the kind ${check.kind}`)
    }
    const unknown = check.channels.findIndex((id) => !this.#has('channel', id))
    if (unknown >= 0) throw brokenAt(`${place}/channels/${unknown}`, 'is not one of /channels')
    if (new Set(check.channels).size < check.channels.length) throw brokenAt(`${place}/channels`, 'has one twice')
    this.checks.push(check)
    this.#checksById.set(check.id, check)
  }

  #takeStatusPage(page: FileStatusPage): void {
    const services = (page?.sections ?? []).flatMap(({ services }) => services)
    if (services.some(({ check }) => !this.#checksById.has(check))) {
      throw brokenAt('/status_page/sections', 'has a check that is not one of /checks')
    }
    if (services.length > SERVICES_LIMIT)
      throw brokenAt('/status_page/sections', `has more than ${SERVICES_LIMIT} services`)
    for (const [index, { id }] of (page?.sections ?? []).entries()) {
      this.#distinct('section', `/status_page/sections/${index}/id`, id)
    }
    this.statusPage = page
  }

  #takeSilence(place: string, file: FileSilence): void {
    this.#distinct('silence', `${place}/id`, file.id)
    const unknown = file.match.checks?.findIndex((id) => !this.#checksById.has(id.toLowerCase())) ?? -1
    if (unknown >= 0) throw brokenAt(`${place}/match/checks/${unknown}`, 'is not one of /checks')
    const silence = importedSilence(file)
    if (typeof silence === 'string') throw broken(`${place}/${silence}`)
    this.silences.push(silence)
    this.#requireRoomForSilences(place)
    requireSilenceTimes(place, silence, this.#now)
  }

  #requireRoomForSilences(place: string): void {
    if (this.silences.length > SILENCES_LIMIT) throw brokenAt(place, `is one more than ${SILENCES_LIMIT} silences`)
    const windows = this.silences.filter(({ window }) => window !== null).length
    if (windows > WINDOWS_LIMIT) throw brokenAt(place, `is one more than ${WINDOWS_LIMIT} silences with a schedule`)
  }

  #takePing(place: string, ping: FilePing): void {
    if (ping.body !== undefined && ping.body_base64 !== undefined) throw brokenAt(place, 'has two bodies')
    if (ping.body?.isWellFormed() === false) throw brokenAt(`${place}/body`, 'contains half of a surrogate pair')
    this.#follows('pings', place, ping, 'n_pings')
    this.pings += 1
  }

  /** Requires that each check's entries are consecutive and sorted by `n`, so that they can be found again. */
  #follows(member: 'pings' | 'flips', place: string, entry: FilePing | FileFlip, newest: 'n_pings' | 'n_flips'): void {
    const check = this.#checkOf(place, entry.check)
    const last = this.#last[member]
    if (last?.check !== entry.check) this.#distinct(member, `${place}/check`, entry.check)
    else if (entry.n <= last.n) throw brokenAt(`${place}/n`, `is ${entry.n}, and that of the entry before is ${last.n}`)
    if (entry.n > check[newest]) throw brokenAt(`${place}/n`, `is greater than "${newest}" of its check`)
    this.#last[member] = entry
  }

  #takeAlert(place: string, alert: FileAlert): void {
    this.#checkOf(place, alert.check)
    if (!this.#has('channel', alert.channel)) throw brokenAt(`${place}/channel`, 'is not one of /channels')
  }

  #checkOf(place: string, id: string): FileCheck {
    const check = this.#checksById.get(id)
    if (check === undefined) throw brokenAt(`${place}/check`, 'is not one of /checks')
    return check
  }

  #has(kind: string, id: string): boolean {
    return this.#taken.get(kind)?.has(id) === true
  }

  #distinct(kind: string, place: string, id: string): void {
    if (this.#has(kind, id)) throw brokenAt(place, 'occurs twice')
    this.#taken.set(kind, (this.#taken.get(kind) ?? new Set()).add(id))
  }
}

/**
 * Rejects quiet hours that never end, because no alert would ever be sent. Quiet hours are validated as of the channel's creation time, so
 * that importing the same file always gives the same result.
 */
function requireQuietHours(place: string, { kind, quiet_hours, created_at }: FileChannel): void {
  if (quiet_hours === undefined) return
  if (kind === 'group') throw brokenAt(place, 'is of a group, which has none')
  const isEndless = windowFault(importedQuietHours(quiet_hours), Temporal.Instant.from(created_at)) === 'no-pause'
  if (isEndless) throw brokenAt(`${place}/duration`, 'leaves no pause between the occurrences of "schedule"')
}

/** Faults that mean that a silence has ended. The import skips such silences. */
const OVER: ReadonlySet<TimesFault> = new Set(['end-past', 'none-left', 'end-before-first'])

/** Validates a silence's times as of now. A silence that was valid when the file was written is either still valid or has ended. */
function requireSilenceTimes(place: string, silence: ImportedSilence, now: Instant): void {
  if (silence.window === null && silence.endsAt === null) throw brokenAt(`${place}/ends_at`, 'is null without schedule')
  if (!isPlanned(silence)) throw brokenAt(`${place}/starts_at`, 'is not after created_at, and there is no schedule')
  const fault = timesOf(silence, now)
  if (typeof fault === 'string' && !OVER.has(fault)) throw broken(`${place}/${TIMES_FAULTS[fault]}`)
}

function requireKnown(version: number): void {
  if (version <= PROJECT_FILE_VERSION) return
  const message = `the project file has version ${version}, and this program reads files up to version ${PROJECT_FILE_VERSION}`
  throw new Refusal('project-file-too-new', message, { version, knownVersion: PROJECT_FILE_VERSION })
}

/** Whether a member is part of the log. The import reads the log in a second pass. */
export function isOfLog(member: string): member is 'pings' | 'flips' | 'alerts' {
  return FILE_LOG.has(member as FileMemberName)
}
