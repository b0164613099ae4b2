/**
 * A test case for the doctor, written as a line of JSON: a check's settings, its log and related facts. `docs/cli.md` explains the format.
 */
import { Temporal } from '../../lib/time.ts'
import { CHECK_KINDS, TIMING_FIELDS } from '../check/fields.ts'
import { Refusal } from '../errors.ts'
import { InstantText } from '../instant.ts'
import { userAgent } from '../ping/signal.ts'
import type { ReplayTiming } from '../preview/replay.ts'
import { problemInWords } from '../problem-words.ts'
import { scheduleKind } from '../schedule/schedule.ts'
import { canonicalTimeZone } from '../schedule/time-zones.ts'
import { scheduleError, writtenSchedule } from '../schedule/typed/typed-schedule.ts'
import { listProblems, type Static, Text, type TSchema, Type } from '../schema.ts'
import type { Stretch } from '../stretch.ts'
import { type AdvisedPing, type Away, ENTRIES_READ, type Facts } from './facts.ts'

export interface Case {
  readonly name: string
  readonly facts: Facts
  readonly now: number
  /** timing to replay the log with; null: the case requests advice instead */
  readonly tried: ReplayTiming | null
}

const strict = { additionalProperties: false } as const
const oneOf = <const Value extends string>(values: readonly Value[]) =>
  Type.Union(values.map((value) => Type.Literal(value)))
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const { timeoutSeconds, graceSeconds, schedule, tz } = TIMING_FIELDS
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const TIMING = {
  kind: oneOf(CHECK_KINDS),
  timeout: Type.Optional(timeoutSeconds.schema),
  // Schedules and zones are validated later, with better error messages.
  schedule: Type.Optional(Text({ maxLength: 100 })),
  tz: Type.Optional(tz.schema),
  grace: graceSeconds.schema,
}
const CaseTiming = Type.Object(TIMING, strict)

/** Fields of a ping, in the order of their values in a line. Error messages use these names. */
const PING_MEMBERS = ['time', 'kind', 'seconds', 'run', 'sender', 'more'] as const

const CasePing = Type.Object(
  {
    time: InstantText,
    kind: oneOf(['success', 'start', 'fail', 'log', 'ign']),
    seconds: orNull(Type.Number({ minimum: 0, maximum: 1e9 })),
    run: orNull(Text()),
    sender: orNull(Text()),
    more: Type.Optional(
      Type.Partial(
        Type.Object(
          { ua: Text(), method: Text(), why: oneOf(['keyword', 'method', 'paused']), line: orNull(Text()) },
          strict,
        ),
      ),
    ),
  },
  strict,
)
const CaseLog = Type.Array(CasePing)
const CaseStretch = Type.Object({ from: InstantText, until: InstantText }, strict)
const CaseStretches = Type.Array(CaseStretch)

const CaseChannel = Type.Object(
  {
    name: Type.Optional(Text()),
    state: oneOf(['ready', 'failing', 'off', 'unconfirmed']),
    since: Type.Optional(orNull(InstantText)),
    given_up: Type.Optional(Count),
  },
  strict,
)

/** A test case. Other fields, such as the expected advice, are ignored. */
const CaseLine = Type.Object({
  name: Type.Optional(Text()),
  check: Type.Object(
    {
      ...TIMING,
      created: Type.Optional(InstantText),
      changed: Type.Optional(InstantText),
      paused: Type.Optional(orNull(InstantText)),
      manual_resume: Type.Optional(Type.Boolean()),
      methods: Type.Optional(oneOf(['', 'POST'])),
    },
    strict,
  ),
  siblings: Type.Optional(Type.Array(tz.schema)),
  account: Type.Optional(orNull(tz.schema)),
  now: InstantText,
  channels: Type.Optional(Type.Array(CaseChannel)),
  log: CaseLog,
  away: Type.Optional(CaseStretches),
  pauses: Type.Optional(Type.Array(InstantText)),
  held: Type.Optional(CaseStretches),
  refused: Type.Optional(orNull(Type.Object({ count: Count, tail: Text(), at: InstantText }, strict))),
  others: Type.Optional(Type.Array(Type.Object({ name: Text(), log: CaseLog }, strict))),
  try: Type.Optional(CaseTiming),
})
type CaseLine = Static<typeof CaseLine>

/**
 * Parses a line.
 * @throws Refusal `invalid` with a description of the mistake
 */
export function readCase(line: string): Case {
  const given = withNames(parse(line))
  const [problem] = listProblems(CaseLine, given, 1)
  if (problem !== undefined) throw new Refusal('invalid', problemInWords(problem))
  return caseOf(given as CaseLine)
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new Refusal('invalid', 'this is not valid JSON; each line is one JSON object')
  }
}

/** Converts the arrays that represent pings and intervals into objects, so that error messages can name their fields. */
function withNames(given: unknown): unknown {
  if (!isObject(given)) return given
  const { log, others, away, held } = given
  return {
    ...given,
    log: each(log, namedPing),
    ...(others === undefined
      ? {}
      : { others: each(others, (other) => (isObject(other) ? { ...other, log: each(other.log, namedPing) } : other)) }),
    ...(away === undefined ? {} : { away: each(away, namedStretch) }),
    ...(held === undefined ? {} : { held: each(held, namedStretch) }),
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function each(value: unknown, change: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(change) : value
}

const namedStretch = (stretch: unknown) => named(['from', 'until'], stretch)

const namedPing = (ping: unknown) => named(PING_MEMBERS, ping)

/** Names the items of an array. Extra items are named by number, and the schema rejects such names. */
function named(names: readonly string[], value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return Object.fromEntries(value.map((item, index) => [names[index] ?? String(index), item]))
}

function caseOf(line: CaseLine): Case {
  const { check, channels = [], refused = null, others = [], pauses = [], away = [], held = [] } = line
  const log = pingsOf('log', line.log)
  const now = milliseconds(line.now)
  const created = check.created === undefined ? (log[0]?.at ?? now) : milliseconds(check.created)
  return {
    name: line.name ?? '',
    now,
    tried: line.try === undefined ? null : timingOf('try', line.try),
    facts: {
      check: {
        ...timingOf('check', check),
        createdAt: created,
        changedAt: check.changed === undefined ? created : milliseconds(check.changed),
        wasPinged: log.length > 0,
        isPaused: check.paused != null,
        pausedAt: orNullMilliseconds(check.paused),
        manualResume: check.manual_resume ?? false,
        methods: check.methods ?? '',
      },
      log,
      away: [...away.map(outageOf), ...pauses.map(pauseOf)].sort((a, b) => a.from - b.from),
      held: held.map(stretchOf),
      siblingZones: (line.siblings ?? []).map(zoneOf),
      accountZone: line.account == null ? null : zoneOf(line.account),
      channels: channels.map(({ name = '', state, since, given_up = 0 }) => ({
        ...{ name, state, givenUp: given_up },
        since: orNullMilliseconds(since),
      })),
      refused: refused && { ...refused, at: milliseconds(refused.at) },
      others: others.map((other, index) => ({ name: other.name, log: pingsOf(`others/${index}/log`, other.log) })),
    },
  }
}

/** @throws Refusal if a field that the kind requires is missing, or if the schedule is invalid or of a different kind */
function timingOf(place: string, { kind, timeout, grace, ...given }: Static<typeof CaseTiming>): ReplayTiming {
  const refuse = (problem: string) => new Refusal('invalid', `${place}/${problem}`)
  const isPeriod = kind === 'simple'
  if (isPeriod && timeout === undefined) throw refuse('timeout is missing')
  if (isPeriod !== (given.schedule === undefined)) {
    throw refuse(isPeriod ? 'schedule is not for a check of the kind "simple"' : 'schedule is missing')
  }
  const mistake = given.schedule === undefined ? null : scheduleError(given.schedule)
  if (mistake !== null) throw refuse(`schedule is not valid: ${mistake.message}`)
  const text = writtenSchedule(given.schedule ?? schedule.initial)
  const read = scheduleKind(text)
  if (!isPeriod && read !== kind) throw refuse(`schedule is ${read}, and the kind "${kind}"`)
  return {
    kind,
    timeoutSeconds: timeout ?? timeoutSeconds.initial,
    schedule: text,
    tz: zoneOf(given.tz ?? tz.initial),
    graceSeconds: grace,
  }
}

/** Returns the current name of a valid time zone. */
function zoneOf(name: string): string {
  return canonicalTimeZone(name) ?? name
}

/**
 * Returns the newest pings, up to the number that the doctor reads.
 * @throws Refusal if the pings are not in order of arrival
 */
function pingsOf(place: string, log: Static<typeof CaseLog>): readonly AdvisedPing[] {
  const pings = log.map(pingOf)
  const early = pings.findIndex(({ at }, index) => at < (pings[index - 1]?.at ?? at))
  if (early >= 0)
    throw new Refusal('invalid', `${place}/${early} is earlier than the ping before it; the oldest comes first`)
  return pings.slice(-ENTRIES_READ)
}

function pingOf({ time, kind, seconds, run, sender, more = {} }: Static<typeof CasePing>): AdvisedPing {
  return {
    ...{ at: milliseconds(time), kind, duration: seconds, runId: run, sender },
    userAgent: userAgent(more.ua ?? ''),
    method: more.method ?? '',
    ignoredBy: more.why ?? null,
    lastLine: more.line ?? null,
  }
}

/**
 * Parses an interval as a server outage. A line's `away` field does not say which intervals are pauses. That matters only when another
 * timing is tried.
 */
function outageOf(stretch: Static<typeof CaseStretch>): Away {
  return { ...stretchOf(stretch), why: 'outage' }
}

function stretchOf({ from, until }: Static<typeof CaseStretch>): Stretch {
  return { from: milliseconds(from), until: milliseconds(until) }
}

function pauseOf(time: string): Away {
  return { from: milliseconds(time), until: milliseconds(time), why: 'pause' }
}

function milliseconds(text: string): number {
  return Temporal.Instant.from(text).epochMilliseconds
}

function orNullMilliseconds(text: string | null | undefined): number | null {
  return text === undefined || text === null ? null : milliseconds(text)
}
