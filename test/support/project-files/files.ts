/** Project files for tests: read from and written to memory, and generated. */
import fc from 'fast-check'
import { OPERATOR, operatorIn } from '../../../src/domain/actor.ts'
import { CHECK_FIELDS, type Field, type Members } from '../../../src/domain/check/fields.ts'
import { IGNORING_RULES } from '../../../src/domain/ping/classify.ts'
import {
  type FileAlert,
  type FileBadge,
  type FileChannel,
  type FileCheck,
  type FileFlip,
  type FileKey,
  type FileMember,
  type FilePing,
  type FileProject,
  type FileSilence,
  type FileStatusPage,
  PROJECT_FILE_VERSION,
} from '../../../src/domain/project-file/project-file.ts'
import type { TSchema } from '../../../src/domain/schema.ts'
import { applyImport } from '../../../src/import/engine/apply.ts'
import { planImport } from '../../../src/import/engine/plan.ts'
import { type FileBytes, openProjectFile } from '../../../src/import/from-project-file/source.ts'
import { fromMicroseconds, isoMicroseconds, Temporal, toMicroseconds } from '../../../src/lib/time.ts'
import { exportProject } from '../../../src/services/projects/project-export.ts'
import { MIDWEEK_NOON } from '../clock.ts'
import type { TestApp } from '../test-app.ts'

/** A document with all of its members. */
export interface ProjectFile {
  readonly format: string
  readonly version: number
  readonly project: FileProject
  readonly members: readonly FileMember[]
  readonly keys: readonly FileKey[]
  readonly badges: readonly FileBadge[]
  readonly channels: readonly FileChannel[]
  readonly checks: readonly FileCheck[]
  readonly status_page: FileStatusPage
  readonly silences: readonly FileSilence[]
  readonly pings: readonly FilePing[]
  readonly flips: readonly FileFlip[]
  readonly alerts: readonly FileAlert[]
}

/** Reads a text in chunks of an odd size. */
function inMemory(text: string): FileBytes {
  const bytes = new TextEncoder().encode(text)
  return {
    name: 'project.json',
    async *read(start, end) {
      for (let from = start; from < (end ?? bytes.length); from += 997) {
        yield bytes.slice(from, Math.min(from + 997, end ?? bytes.length))
      }
    },
    close: async () => {},
  }
}

export async function exported({ app }: TestApp, id: string, withLog = true): Promise<string> {
  const project = await app.deps.store.projects.find(id)
  if (project === null) throw new Error(`there is no project ${id}`)
  const pieces = await Array.fromAsync(exportProject(app.deps, operatorIn(project), withLog))
  return new TextDecoder().decode(Buffer.concat(pieces))
}

export async function importFile({ app: { deps } }: TestApp, text: string, secret: string | null = null) {
  const source = await openProjectFile(deps, inMemory(text), secret)
  const plan = await planImport(deps, OPERATOR, source)
  const { counts } = await applyImport(deps, OPERATOR, source, plan, { signal: null, onWork: () => {} })
  return { plan, counts }
}

const NOON = 1_772_452_800_000_000
/** The time on the clock of a test's server, in microseconds. */
const ON_SERVER = toMicroseconds(Temporal.Instant.from(MIDWEEK_NOON))
const uuid = fc.uuid({ version: 4 })
const text = (maxLength: number) => fc.string({ unit: 'grapheme', maxLength }).map((any) => any.replaceAll('\0', ''))
const line = (maxLength: number) => text(maxLength).map((any) => [...any].slice(0, maxLength).join(''))
const micros = fc.integer({ min: 0, max: 90 * 86_400_000_000 }).map((before) => NOON - before)
const instant = micros.map((at) => isoMicroseconds(fromMicroseconds(at)))
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const chars = (from: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...from), minLength: length, maxLength: length })
const DIGITS = '0123456789abcdef'
const SMALL = 'abcdefghijklmnopqrstuvwxyz0123456789'
const status = fc.constantFrom('new', 'up', 'down', 'paused' as const)

const schedule = fc.oneof(
  fc.constant({ kind: 'simple' as const, schedule: '* * * * *' }),
  fc.constantFrom('5 4 * * *', '*/7 1-3 * 2 MON').map((schedule) => ({ kind: 'cron' as const, schedule })),
  fc.constantFrom('daily', 'Mon..Fri 10:00').map((schedule) => ({ kind: 'oncalendar' as const, schedule })),
)

/** Values of texts that have a restricted form. */
const SOME: Readonly<Record<string, readonly string[]>> = {
  slug: ['', 'backup', 'db_1-x'],
  tags: ['', 'prod', ' a  b ', 'grüße *'],
  tz: ['UTC', 'Europe/Riga', 'America/New_York'],
}

const { kind: _, schedule: __, ...fields } = CHECK_FIELDS
const settings = fc.record(
  Object.fromEntries(Object.values<Field>(fields).map((field) => [field.wire, anyOfField(field)])),
) as fc.Arbitrary<Members<typeof fields>>

function anyOfField({ wire, schema, initial }: Field): fc.Arbitrary<unknown> {
  const { minimum: min, maximum: max, anyOf, maxLength } = schema
  if (typeof initial === 'boolean') return fc.boolean()
  if (typeof initial === 'number') return fc.integer({ min, max })
  if (anyOf) return fc.constantFrom(...anyOf.map((literal: TSchema) => literal.const))
  const some = SOME[wire]
  return some ? fc.constantFrom(...some) : maxLength === undefined ? text(80) : line(20)
}

const body = fc.oneof(
  fc.constant({}),
  text(400)
    .filter((any) => any !== '')
    .map((body) => ({ body })),
  fc
    .uint8Array({ minLength: 1, maxLength: 60 })
    .map((bytes) => ({ body_base64: Buffer.from([...bytes, 0xff]).toString('base64') })),
)

const ping = fc
  .record({
    at: instant,
    kind: fc.constantFrom('success', 'start', 'fail', 'log', 'ign' as const),
    exit_status: fc.option(fc.integer({ min: 0, max: 255 }), { nil: undefined }),
    rid: fc.option(uuid, { nil: undefined }),
    scheme: fc.constantFrom('http', 'https', 'email'),
    method: fc.constantFrom('GET', 'POST', ''),
    ua: line(40),
    remote_addr: fc.option(fc.ipV4(), { nil: undefined }),
    content_type: fc.option(line(40), { nil: undefined }),
    ignored_by: fc.option(fc.constantFrom(...IGNORING_RULES), { nil: undefined }),
    occurred_at: fc.option(instant, { nil: undefined }),
    body,
  })
  .map(({ body, ...rest }) => ({ ...rest, ...body }))

const flip = fc.record({
  at: instant,
  from: status,
  to: status,
  reason: fc.constantFrom('', 'timeout', 'fail' as const),
})

const check = fc
  .record({
    id: uuid,
    public_id: chars(SMALL, 8),
    badge_key: uuid,
    settings,
    schedule,
    status,
    last_ping: orNull(instant),
    last_success: orNull(instant),
    last_start: orNull(instant),
    last_start_rid: orNull(uuid),
    last_start_occurred: fc.option(instant, { nil: undefined }),
    last_duration: orNull(fc.integer({ min: 0, max: 1e12 }).map((micros) => micros / 1e6)),
    runs: fc.constantFrom('', 'AQM=', 'AwQFAgE='),
    pruned: fc.nat(50),
    pings: fc.array(ping, { maxLength: 8 }),
    flips: fc.array(flip, { maxLength: 4 }),
  })
  // A check without a history gets the one that follows from its log.
  .map((made) => (made.pings.length > 0 && made.runs === '' ? { ...made, runs: 'AQM=' } : made))

const complete = fc.record({
  id: uuid,
  name: line(20),
  kind: fc.constantFrom(
    ['webhook', { url: 'https://example.org/hook' }],
    ['email', 'ops@example.org'],
    ['email', { value: 'ops@example.org', report: 'weekly', reminder: 'hourly', tz: 'Europe/Riga' }],
    ['ntfy', { topic: 'jobs', url: 'https://ntfy.example.org', priority: 3, priority_up: 1, token: 'tk_1' }],
  ),
  disabled_reason: orNull(line(20)),
  last_error: orNull(line(20)),
})

/** Integrations that an import could not bring with all their settings. */
const held = fc.record({
  id: uuid,
  name: line(20),
  kind: fc.constantFrom(['github', { token: '', repo: 'example/ops', labels: '' }], ['webhook', {}], ['email', {}]),
  disabled_reason: line(20),
  last_error: orNull(line(20)),
})

const channel = fc.oneof({ weight: 3, arbitrary: complete }, { weight: 1, arbitrary: held })

const DAY = 86_400_000_000
const plan = fc.oneof(
  fc.record({
    schedule: fc.constantFrom('0 22 * * 6', '22:00', 'Mon..Fri 6:30'),
    tz: fc.constantFrom('UTC', 'Europe/Riga'),
  }),
  fc.constant(null),
)

/** Planned silences, which begin or come again after {@link ON_SERVER}. */
const silence = fc.record({
  id: uuid,
  tags: fc.uniqueArray(fc.constantFrom('prod', 'a', 'grüße'), { maxLength: 2 }),
  plan,
  seconds: fc.integer({ min: 60, max: 36_000 }),
  starts: fc.integer({ min: 0, max: 90 * DAY }),
  lasts: fc.integer({ min: 8 * DAY, max: 30 * DAY }),
  isEndless: fc.boolean(),
  up_to: fc.constantFrom('warning', 'down' as const),
  reason: line(40).map((any) => any.trim()),
})

const key = fc.oneof(
  fc.record({ kind: fc.constant('ping' as const), name: line(10), created_at: instant, key: chars(SMALL, 22) }),
  fc.record({
    kind: fc.constantFrom('read-write', 'read-only' as const),
    name: line(10),
    created_at: instant,
    hint: chars(SMALL, 8),
    hash: chars(DIGITS, 64),
  }),
)

/** Parts of a project that can be chosen independently. */
const parts = fc.record({
  id: uuid,
  name: line(20).filter((any) => /\S/.test(any)),
  slug: chars(SMALL, 12),
  badge_key: chars(SMALL, 30),
  ping_log_limit: fc.integer({ min: 20, max: 1000 }),
  search: fc.boolean(),
  tz: fc.option(fc.constantFrom('Europe/Riga', 'America/St_Johns'), { nil: undefined }),
  created_at: instant,
  members: fc.uniqueArray(chars(SMALL, 6), { maxLength: 3 }),
  keys: fc.uniqueArray(key, { maxLength: 4, selector: (made) => ('key' in made ? made.key : made.hash) }),
  channels: fc.array(channel, { maxLength: 3 }),
  checks: fc.array(check, { maxLength: 4 }),
  silences: fc.uniqueArray(silence, { maxLength: 4, selector: ({ id }) => id }),
  assigned: fc.infiniteStream(fc.boolean()),
  page: fc.boolean(),
  title: line(20).filter((any) => /\S/.test(any)),
})

/** Returns a distinct instant for each index, because members of equal instants are distinguished by their position. */
const nth = (index: number) => isoMicroseconds(fromMicroseconds(NOON + index))

/** Generates projects as an export writes them, with sorted lists. @param secrets fingerprints @param sign the signature of a tag */
export function anyProjectFile(
  secrets: readonly string[],
  sign: (badgeKey: string, tag: string) => string,
): fc.Arbitrary<ProjectFile> {
  return parts.map((made) => {
    const channels: FileChannel[] = made.channels.map(({ kind: [kind, settings], ...rest }, index) => ({
      id: rest.id,
      kind: kind as FileChannel['kind'],
      name: rest.name,
      settings,
      created_at: nth(index),
      disabled_reason: rest.disabled_reason,
      last_error: rest.last_error,
      awaits_confirmation: false,
    }))
    const assigned = () => channels.map(({ id }) => id).filter(() => made.assigned.next().value === true)
    const checks = made.checks.map((each, index) => checkOf(each, index, assigned().sort()))
    const tags = [
      ...new Set(['*', ...checks.flatMap(({ tags }) => tags.split(/\s+/).filter((tag) => tag !== ''))]),
    ].sort()
    const silences = made.silences.map((each) =>
      silenceOf(
        each,
        checks.filter(() => made.assigned.next().value === true),
      ),
    )
    const alerts = alertsOf(made.checks, channels)
    return {
      format: 'overdue-project',
      version: PROJECT_FILE_VERSION,
      project: {
        id: made.id,
        name: made.name,
        slug: made.slug,
        badge_key: made.badge_key,
        ping_log_limit: made.ping_log_limit,
        search: made.search,
        ...(made.tz === undefined ? {} : { tz: made.tz }),
        created_at: made.created_at,
        secrets: [...secrets],
      },
      members: made.members
        .map((name) => ({ email: `${name}@example.org`, role: 'owner' as const }))
        .sort((a, b) => (a.email < b.email ? -1 : 1)),
      keys: made.keys,
      badges: tags.map((tag) => ({ tag, signature: sign(made.badge_key, tag) })),
      channels,
      checks,
      status_page: made.page ? pageOf(made.slug, made.title, checks) : null,
      silences: silences.sort(byEnd),
      pings: made.checks.flatMap((each) => each.pings.map((ping, index) => pingOf(each, ping, index))),
      flips: made.checks.flatMap((each) =>
        each.flips.map((flip, index) => ({ check: each.id, n: index + 1, ...flip })),
      ),
      alerts,
    }
  })
}

type MadeSilence = typeof silence extends fc.Arbitrary<infer Value> ? Value : never

function silenceOf(made: MadeSilence, checks: readonly FileCheck[]): FileSilence {
  const { id, tags, plan, seconds, starts, lasts, isEndless, up_to, reason } = made
  const at = (micros: number) => isoMicroseconds(fromMicroseconds(ON_SERVER + micros))
  return {
    id,
    match: {
      ...(checks.length === 0 ? {} : { checks: checks.map((check) => check.id) }),
      ...(tags.length === 0 ? {} : { tags }),
    },
    starts_at: at(plan === null ? starts : -starts),
    ends_at: plan === null ? at(starts + lasts) : isEndless ? null : at(lasts),
    until_healthy: false,
    ...(plan === null ? {} : { ...plan, duration: seconds }),
    up_to,
    reason,
    created_at: at(-91 * DAY),
  }
}

/** Compares silences as the database lists them. Their times have the same form, so that their texts have the same order. */
function byEnd(a: FileSilence, b: FileSilence): number {
  const end = ({ ends_at, id }: FileSilence) => `${ends_at ?? 'never'} ${id}`
  return end(a) < end(b) ? -1 : 1
}

type MadeCheck = typeof check extends fc.Arbitrary<infer Value> ? Value : never
type MadePing = MadeCheck['pings'][number]

function pingOf({ id, pruned }: MadeCheck, ping: MadePing, index: number): FilePing {
  const {
    at,
    kind,
    exit_status,
    rid,
    scheme,
    method,
    ua,
    remote_addr,
    content_type,
    ignored_by,
    occurred_at,
    ...body
  } = ping
  return {
    check: id,
    n: pruned + index + 1,
    at,
    kind,
    ...(exit_status === undefined ? {} : { exit_status }),
    ...(rid === undefined ? {} : { rid }),
    scheme,
    method,
    ua,
    ...(remote_addr === undefined ? {} : { remote_addr }),
    ...(content_type === undefined ? {} : { content_type }),
    ...(ignored_by === undefined ? {} : { ignored_by }),
    ...(occurred_at === undefined ? {} : { occurred_at }),
    ...body,
  }
}

function checkOf(made: MadeCheck, index: number, channels: string[]): FileCheck {
  return {
    id: made.id,
    public_id: made.public_id,
    badge_key: made.badge_key,
    created_at: nth(index),
    ...made.settings,
    ...made.schedule,
    channels,
    status: made.status,
    n_pings: made.pings.length === 0 ? 0 : made.pruned + made.pings.length,
    n_flips: made.flips.length,
    last_ping: made.last_ping,
    last_success: made.last_success,
    last_start: made.last_start,
    last_start_rid: made.last_start_rid,
    last_duration: made.last_duration,
    runs: made.runs,
    ...(made.last_start_occurred === undefined ? {} : { last_start_occurred: made.last_start_occurred }),
  } as FileCheck
}

/** Makes an alert for each flip and channel, as a database keeps them. */
function alertsOf(checks: readonly MadeCheck[], channels: readonly FileChannel[]): FileAlert[] {
  return channels.flatMap(({ id: channel }, at) =>
    checks.slice(0, 1).flatMap(({ id, flips }) =>
      flips.map((_, index) => ({
        id: `00000000-0000-4000-8000-${String(at * 100 + index).padStart(12, '0')}`,
        check: id,
        flip: index + 1,
        channel,
        at: nth(index),
        ...(index % 2 === 0 ? {} : { error: 'timed out' }),
      })),
    ),
  )
}

function pageOf(slug: string, title: string, checks: readonly FileCheck[]): FileStatusPage {
  const services = checks.map(({ id }, index) => ({ check: id, name: `Service ${index}`, text: '' }))
  const section = { id: '00000000-0000-4000-8000-000000000000', name: 'All', tag: null, services }
  return { slug, title, text: '', tz: 'UTC', public: true, indexed: false, updated_at: nth(0), sections: [section] }
}
