/** Converts Healthchecks' checks and their state. */

import { NEW_STATE, type StoredStatus } from '../../domain/check/check.ts'
import {
  CHECK_KINDS,
  type CheckKind,
  type Field,
  isSchedule,
  NAME_LIMIT,
  NEW_SETTINGS,
  RULE_FIELDS,
  settingsOf,
  writtenFields,
} from '../../domain/check/fields.ts'
import { isSlug, SLUG_LIMIT, slugify } from '../../domain/check/slug.ts'
import { isTagsText, TAGS_LIMIT } from '../../domain/check/tags.ts'
import type { ImportNoteKind } from '../../domain/import/import-note.ts'
import type { ImportedCheck } from '../../domain/import/import-source.ts'
import { scheduleKind } from '../../domain/schedule/schedule.ts'
import { canonicalTimeZone } from '../../domain/schedule/time-zones.ts'
import { writtenSchedule } from '../../domain/schedule/typed/typed-schedule.ts'
import { fits } from '../../domain/schema.ts'
import type { Instant } from '../../lib/time.ts'
import { type Note, named } from './notes.ts'
import type { LogSummary, SourceRow } from './tables.ts'
import { cut, durationOf, flagOf, instantOf, integerOf, textOf, uuidOf } from './values.ts'

/** Data that is needed to convert a check, besides its row. */
interface CheckContext {
  readonly project: string
  readonly createdAt: Instant
  readonly summary: LogSummary
  readonly runs: Uint8Array
  readonly channelIds: readonly string[]
  /** returns a badge key for a check that has none */
  readonly uuid: () => string
  readonly note: Note
}

/** Adds a note about a check. */
type Say = (reason: string, advice?: string, kind?: ImportNoteKind) => void

const STATUSES: readonly StoredStatus[] = ['new', 'up', 'down', 'paused']

/** @param id UUID of the check */
export function mapCheck(row: SourceRow, id: string, context: CheckContext): ImportedCheck {
  const { project, summary, note } = context
  const name = cut(textOf(row.name), NAME_LIMIT)
  const say: Say = (reason, advice, kind = 'changed') =>
    note({ kind, subject: 'check', name: named(name, 'unnamed'), project, reason, advice: advice ?? null })
  noteLog(summary, say)
  const lastPingAt = instantOf(row.last_ping)
  const status = STATUSES.find((known) => known === row.status) ?? 'new'
  return {
    ...NEW_SETTINGS,
    ...NEW_STATE,
    id,
    name,
    publicId: null,
    createdAt: context.createdAt,
    badgeKey: uuidOf(row.badge_key) ?? context.uuid(),
    channelIds: context.channelIds,
    slug: slugOf(textOf(row.slug), say),
    tags: tagsOf(textOf(row.tags), say),
    desc: textOf(row.desc),
    ...timingOf(row, say),
    ...rulesOf(row),
    status,
    nPings: Math.max(integerOf(row.n_pings) ?? 0, summary.newest),
    nEvents: summary.flips,
    lastPingAt,
    lastSuccessAt: instantOf(summary.lastSuccess) ?? (status === 'up' ? lastPingAt : null),
    lastStartAt: instantOf(row.last_start),
    lastStartOccurredAt: null,
    lastStartRid: uuidOf(row.last_start_rid),
    lastDuration: durationOf(row.last_duration),
    runs: context.runs,
  }
}

/** Reads rules. The columns have the same names as the API fields. A rule without a column is omitted. */
function rulesOf(row: SourceRow) {
  const rules = Object.values(writtenFields(RULE_FIELDS)).map((field) => [field.wire, ruleOf(field, row[field.wire])])
  return settingsOf(RULE_FIELDS, Object.fromEntries(rules))
}

/** Reads a rule, and checks the column's limits, because SQLite does not enforce them. */
function ruleOf({ schema, initial }: Field, cell: SourceRow[string]) {
  if (cell === undefined) return undefined
  if (typeof initial === 'boolean') return flagOf(cell)
  const text = cut(textOf(cell), schema.maxLength ?? Number.POSITIVE_INFINITY)
  return fits(schema, text) ? text : initial
}

function slugOf(slug: string, say: Say): string {
  if (slug === '' || isSlug(slug)) return slug
  const fitting = slugify(slug.slice(0, SLUG_LIMIT))
  say(
    `Its slug has characters or a length that Overdue does not allow; it becomes "${fitting}".`,
    'Change ping URLs that contain it.',
  )
  return fitting
}

function tagsOf(tags: string, say: Say): string {
  if (isTagsText(tags)) return tags
  const kept = cut(tags, TAGS_LIMIT).replace(/\S*$/, '').trimEnd()
  say(`The tags have more than ${TAGS_LIMIT} characters; the last ones are left out.`)
  return kept
}

/** Maximum length of the column, which SQLite does not enforce. */
const SCHEDULE_LIMIT = 100

const SHORTEST = 60
const LONGEST = 31_536_000

type Timing = Pick<ImportedCheck, 'kind' | 'timeoutSeconds' | 'graceSeconds' | 'schedule' | 'tz'>

/** Returns the timing, without adding notes. */
export function mapTiming(row: SourceRow): Timing {
  return timingOf(row, () => {})
}

function timingOf(row: SourceRow, say: Say): Timing {
  const schedule = writtenSchedule(cut(textOf(row.schedule), SCHEDULE_LIMIT)) || NEW_SETTINGS.schedule
  return {
    kind: kindOf(textOf(row.kind), schedule, say),
    timeoutSeconds: spanOf(row.timeout, NEW_SETTINGS.timeoutSeconds, 'period', say),
    graceSeconds: spanOf(row.grace, NEW_SETTINGS.graceSeconds, 'grace time', say),
    schedule: isSchedule(schedule) ? schedule : NEW_SETTINGS.schedule,
    tz: zoneOf(textOf(row.tz) || 'UTC', say),
  }
}

function kindOf(kind: string, schedule: string, say: Say): CheckKind {
  const known = CHECK_KINDS.find((one) => one === kind)
  if (known === 'simple') return known
  if (known !== undefined && isSchedule(schedule) && scheduleKind(schedule) === known) return known
  say(
    known === undefined
      ? `Its kind, ${kind}, is unknown; it becomes a simple check with its period.`
      : `Its schedule, ${schedule}, cannot be parsed; it becomes a simple check with its period.`,
    'Give it a schedule.',
    'to-do',
  )
  return 'simple'
}

function spanOf(cell: SourceRow[string], otherwise: number, what: string, say: Say): number {
  const microseconds = durationOf(cell)
  const seconds = microseconds === null ? otherwise : Math.floor(microseconds / 1_000_000)
  const clamped = Math.min(Math.max(seconds, SHORTEST), LONGEST)
  if (clamped !== seconds)
    say(`Its ${what} of ${seconds} seconds becomes ${clamped} seconds, the nearest allowed value.`)
  return clamped
}

function zoneOf(name: string, say: Say): string {
  const zone = canonicalTimeZone(name)
  if (zone === null) say(`Its time zone, ${name}, is unknown; it becomes UTC.`, 'Choose its time zone.', 'to-do')
  else if (zone !== name) say(`Its time zone, ${name}, is now called ${zone}.`)
  return zone ?? 'UTC'
}

function noteLog({ unnumbered, elsewhere, unprocessed }: LogSummary, say: Say): void {
  if (unnumbered > 0)
    say(`Without a unique number, and therefore left out: ${counted(unnumbered, 'ping')}.`, undefined, 'left-out')
  if (elsewhere > 0) {
    const reason = `Imported without the body, which is in object storage: ${counted(elsewhere, 'ping')}.`
    say(reason, undefined, 'left-out')
  }
  if (unprocessed > 0) {
    const reason = `${counted(unprocessed, 'change')} of its status had not sent an alert yet. The import sends none either.`
    say(reason, 'Check whether somebody needs to know.', 'to-do')
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
