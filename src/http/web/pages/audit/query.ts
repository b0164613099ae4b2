/** What the addresses of the audit log say. */
import { AUDIT_ACTIONS, AUDIT_SUBJECT_KINDS } from '../../../../domain/audit/audit.ts'
import type { AuditFilter, AuditPlace } from '../../../../domain/audit/audit-list.ts'
import { isUuid } from '../../../../lib/secrets/uuid.ts'
import { fromMicroseconds, type Instant, Temporal, toMicroseconds } from '../../../../lib/time.ts'
import type { AuditQuery } from '../../../../services/audit.ts'

export interface AuditSearch extends AuditFilter {
  /** the first day, `2026-11-17`, in the zone of the reader; '' for any */
  readonly since: string
  /** the last day */
  readonly until: string
  readonly after: AuditPlace | null
}

export const TEXT_LIMIT = 200

/** What means nothing is left out. */
export function readSearch(search: URLSearchParams): AuditSearch {
  const text = (name: string) => (search.get(name) ?? '').trim().slice(0, TEXT_LIMIT)
  return {
    who: text('who'),
    text: text('q'),
    action: AUDIT_ACTIONS.find((action) => action === search.get('action')) ?? null,
    kind: AUDIT_SUBJECT_KINDS.find((kind) => kind === search.get('kind')) ?? null,
    since: dayOrNone(search.get('since')),
    until: dayOrNone(search.get('until')),
    after: readPlace(search.get('after')),
  }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

function dayOrNone(text: string | null): string {
  return text !== null && readDay(text) !== null ? text : ''
}

function readDay(text: string): Temporal.PlainDate | null {
  if (!DAY.test(text)) return null
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    return null
  }
}

/** @param tz of the days, IANA name */
export function queryOf({ who, text, action, kind, since, until }: AuditSearch, tz: string): AuditQuery {
  const last = readDay(until)
  return {
    ...{ who, text, action, kind },
    since: beginOf(readDay(since), tz),
    until: beginOf(last?.add({ days: 1 }) ?? null, tz),
  }
}

function beginOf(day: Temporal.PlainDate | null, tz: string): Instant | null {
  return day?.toZonedDateTime(tz).toInstant() ?? null
}

function readPlace(text: string | null): AuditPlace | null {
  const [, at = '', n = '', changeId = ''] = /^(\d{1,16})\.(\d{1,9})\.(.+)$/.exec(text ?? '') ?? []
  if (!isUuid(changeId) || !Number.isSafeInteger(Number(at))) return null
  return { at: fromMicroseconds(Number(at)), n: Number(n), changeId }
}

/** With its `?`; '' when it says nothing. */
export function searchOf(search: AuditSearch): string {
  const { who, text, action, kind, since, until, after } = search
  const pairs: readonly [name: string, value: string][] = [
    ['q', text],
    ['who', who],
    ['action', action ?? ''],
    ['kind', kind ?? ''],
    ['since', since],
    ['until', until],
    ['after', after === null ? '' : `${toMicroseconds(after.at)}.${after.n}.${after.changeId}`],
  ]
  const given = new URLSearchParams(pairs.filter(([, value]) => value !== ''))
  return given.size === 0 ? '' : `?${given}`
}
