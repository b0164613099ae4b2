/**
 * The project file format: a project as a JSON document, with a schema for each member. `docs/project-file.md` describes the format for
 * users. Times are ISO 8601 strings with microseconds, and durations are in seconds.
 */
import { Email } from '../account/account.ts'
import { ROLES } from '../account/role.ts'
import { CHANNEL_NAME_LIMIT } from '../channel/channel.ts'
import { CHECK_FIELDS, schemasOf, TIMING_FIELDS } from '../check/fields.ts'
import { TAGS_LIMIT } from '../check/tags.ts'
import { InstantText as Instant } from '../instant.ts'
import { KEY_HINT_LENGTH } from '../key-kind.ts'
import { IGNORING_RULES } from '../ping/classify.ts'
import { CONTENT_TYPE_LIMIT, UA_LIMIT } from '../ping/signal.ts'
import { KEY_NAME_LIMIT, PING_LOG_LIMIT_MAX, ProjectName } from '../project.ts'
import { PROJECT_SLUG_LIMIT } from '../project-slug.ts'
import { defineFormat, type Static, Text, type TSchema, Type } from '../schema.ts'
import { SEVERITIES } from '../severity.ts'
import { SilenceSpec } from '../silence/spec.ts'
import { SILENCE_SECONDS_MAX } from '../silence/times.ts'
import {
  SECTIONS_LIMIT,
  SERVICES_LIMIT,
  SectionName,
  ServiceName,
  ServiceText,
  StatusPageSettings,
} from '../status-page/status-page.ts'

export const PROJECT_FILE = 'overdue-project'
/**
 * Version of the project file format. It increases whenever a change in this module or a new check field means that older programs can no
 * longer read the file.
 */
export const PROJECT_FILE_VERSION = Math.max(2, ...Object.values(CHECK_FIELDS).map(({ since }) => since))

/**
 * Validates base64 with a length check and a simple pattern, because a single regular expression with groups of four fails on long strings.
 */
defineFormat('base64', (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text))

const strict = { additionalProperties: false } as const
export const oneOf = <Value extends string>(values: readonly Value[]) =>
  Type.Union(values.map((value) => Type.Literal(value)))
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const Uuid = Text({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$', means: 'a UUID in lower case' })
/** A badge key. In Healthchecks, badge keys can contain user names. */
const BadgeKey = Text({ maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' })
const Base64 = Text({ format: 'base64', means: 'in base64' })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Ordinal = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Duration = Type.Number({ minimum: 0, maximum: 1e9 })
const TimeZone = Text({ format: 'timezone' })
const StoredStatus = oneOf(['new', 'up', 'down', 'paused'] as const)

export const FileProject = Type.Object(
  {
    id: Uuid,
    name: ProjectName,
    slug: Text({ maxLength: PROJECT_SLUG_LIMIT, pattern: '^[a-z0-9-]+$' }),
    badge_key: BadgeKey,
    ping_log_limit: Type.Integer({ minimum: 1, maximum: PING_LOG_LIMIT_MAX }),
    search: Type.Boolean(),
    tz: Type.Optional(TimeZone),
    created_at: Instant,
    // Fingerprints of the secrets used to hash API keys and to sign badges; see `secretFingerprint`.
    secrets: Type.Array(Text({ pattern: '^[0-9a-f]{16}$', means: 'the fingerprint of a secret' }), { maxItems: 100 }),
  },
  strict,
)
export type FileProject = Static<typeof FileProject>

export const FileMember = Type.Object({ email: Email, role: oneOf(ROLES) }, strict)
export type FileMember = Static<typeof FileMember>

const KEY_FIELDS = { name: Text({ maxLength: KEY_NAME_LIMIT }), created_at: Instant }
/** A key. API keys are hashed; ping keys are plain text. */
export const FileKey = Type.Union([
  Type.Object({ kind: Type.Literal('ping'), ...KEY_FIELDS, key: Text({ pattern: '^[A-Za-z0-9_-]{1,64}$' }) }, strict),
  Type.Object(
    {
      kind: oneOf(['read-write', 'read-only'] as const),
      ...KEY_FIELDS,
      hint: Text({ maxLength: KEY_HINT_LENGTH }),
      hash: Text({ pattern: '^[0-9a-f]{64}$', means: 'the hash of a key' }),
    },
    strict,
  ),
])
export type FileKey = Static<typeof FileKey>

export const FileBadge = Type.Object(
  { tag: Text({ maxLength: TAGS_LIMIT }), signature: Text({ pattern: '^[A-Za-z0-9_-]{8}$' }) },
  strict,
)
export type FileBadge = Static<typeof FileBadge>

const FileQuietHours = Type.Object(
  {
    schedule: Text({
      maxLength: TIMING_FIELDS.schedule.schema.maxLength,
      format: 'schedule',
      means: 'a cron or OnCalendar expression',
    }),
    tz: TimeZone,
    duration: Type.Integer({ minimum: 60, maximum: SILENCE_SECONDS_MAX }),
    up_to: oneOf(SEVERITIES),
  },
  strict,
)
export type FileQuietHours = Static<typeof FileQuietHours>

/** A channel. This schema does not check that the kind exists and the settings are valid; callers that know the transports do. */
export const FileChannel = Type.Object(
  {
    id: Uuid,
    kind: Text(),
    name: Text({ maxLength: CHANNEL_NAME_LIMIT }),
    settings: Type.Unknown(),
    created_at: Instant,
    disabled_reason: orNull(Text()),
    last_error: orNull(Text()),
    awaits_confirmation: Type.Boolean(),
    quiet_hours: Type.Optional(FileQuietHours),
  },
  strict,
)
export type FileChannel = Static<typeof FileChannel>

export const FileCheck = Type.Object(
  {
    id: Uuid,
    public_id: Text({ pattern: '^[a-z0-9]{8}$' }),
    badge_key: BadgeKey,
    created_at: Instant,
    ...schemasOf(CHECK_FIELDS),
    // IDs of the channels assigned to the check.
    channels: Type.Array(Uuid),
    status: StoredStatus,
    n_pings: Count,
    n_flips: Count,
    last_ping: orNull(Instant),
    last_success: orNull(Instant),
    last_start: orNull(Instant),
    last_start_rid: orNull(Uuid),
    last_duration: orNull(Duration),
    // The run history, encoded as described in `run-history.ts` and then as base64.
    runs: Base64,
    last_start_occurred: Type.Optional(Instant),
  },
  strict,
)
export type FileCheck = Static<typeof FileCheck>

const FileService = Type.Object({ check: Uuid, name: ServiceName, text: ServiceText }, strict)
const FileSection = Type.Object(
  {
    id: Uuid,
    name: SectionName,
    tag: orNull(Text({ maxLength: TAGS_LIMIT })),
    services: Type.Array(FileService, { maxItems: SERVICES_LIMIT }),
  },
  strict,
)
const { slug, title, text, tz } = StatusPageSettings.properties
export const FileStatusPage = orNull(
  Type.Object(
    {
      slug,
      title,
      text,
      tz,
      public: Type.Boolean(),
      indexed: Type.Boolean(),
      updated_at: Instant,
      sections: Type.Array(FileSection, { maxItems: SECTIONS_LIMIT }),
    },
    strict,
  ),
)
export type FileStatusPage = Static<typeof FileStatusPage>

/** A planned silence (see `isPlanned`), with the same members as in the API. */
export const FileSilence = Type.Object(
  { id: Uuid, ...SilenceSpec.properties, starts_at: Instant, ends_at: orNull(Instant), created_at: Instant },
  strict,
)
export type FileSilence = Static<typeof FileSilence>

/** A ping. Members that have no value are omitted. */
export const FilePing = Type.Object(
  {
    check: Uuid,
    n: Ordinal,
    at: Instant,
    kind: oneOf(['success', 'start', 'fail', 'log', 'ign'] as const),
    exit_status: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
    rid: Type.Optional(Uuid),
    scheme: Text({ maxLength: 20 }),
    method: Text({ maxLength: 20 }),
    ua: Text({ maxLength: UA_LIMIT }),
    remote_addr: Type.Optional(Text({ maxLength: 100 })),
    content_type: Type.Optional(Text({ maxLength: CONTENT_TYPE_LIMIT })),
    ignored_by: Type.Optional(oneOf(IGNORING_RULES)),
    // Present only for late pings.
    occurred_at: Type.Optional(Instant),
    // A ping has at most one of `body` and `body_base64`.
    body: Type.Optional(Type.String()),
    body_base64: Type.Optional(Base64),
  },
  strict,
)
export type FilePing = Static<typeof FilePing>

export const FileFlip = Type.Object(
  {
    check: Uuid,
    n: Ordinal,
    at: Instant,
    from: StoredStatus,
    to: StoredStatus,
    reason: oneOf(['', 'timeout', 'fail'] as const),
  },
  strict,
)
export type FileFlip = Static<typeof FileFlip>

export const FileAlert = Type.Object(
  { id: Uuid, check: Uuid, flip: Ordinal, channel: Uuid, at: Instant, error: Type.Optional(Text()) },
  strict,
)
export type FileAlert = Static<typeof FileAlert>

/** The file's members, in order. The last three make up the log, which is optional. */
export const FILE_MEMBERS = {
  format: Type.Literal(PROJECT_FILE),
  version: Ordinal,
  project: FileProject,
  members: FileMember,
  keys: FileKey,
  badges: FileBadge,
  channels: FileChannel,
  checks: FileCheck,
  status_page: FileStatusPage,
  silences: FileSilence,
  pings: FilePing,
  flips: FileFlip,
  alerts: FileAlert,
} as const satisfies Readonly<Record<string, TSchema>>
export type FileMemberName = keyof typeof FILE_MEMBERS

/** Members that are arrays. The schemas above describe a single element. */
export const FILE_ARRAYS = new Set<FileMemberName>([
  'members',
  'keys',
  'badges',
  'channels',
  'checks',
  'silences',
  'pings',
  'flips',
  'alerts',
])
export const FILE_LOG = new Set<FileMemberName>(['pings', 'flips', 'alerts'])
