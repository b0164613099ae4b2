/** Parses and builds the filter in the audit log's URLs. */
import { AUDIT_ACTIONS, AUDIT_SUBJECT_KINDS } from '../../../../domain/audit/audit.ts'
import type { AuditFilter, AuditPlace } from '../../../../domain/audit/audit-list.ts'
import { readDay } from '../../../../domain/day-time.ts'
import { isUuid } from '../../../../lib/secrets/uuid.ts'
import { addressState, oneOf, parsed, text, textLike } from '../../../../lib/text/address-state.ts'
import { fromMicroseconds, type Instant, type Temporal, toMicroseconds } from '../../../../lib/time.ts'
import type { AuditQuery } from '../../../../services/audit.ts'

export interface AuditSearch extends AuditFilter {
  /** first day to include, such as `2026-11-17`, in the reader's time zone; '' for no limit */
  readonly since: string
  /** last day to include, in the same format; '' for no limit */
  readonly until: string
  readonly after: AuditPlace | null
}

export const TEXT_LIMIT = 200

export const { read: readSearch, search: searchOf } = addressState<AuditSearch>({
  text: text('q', TEXT_LIMIT),
  who: text('who', TEXT_LIMIT),
  action: oneOf('action', AUDIT_ACTIONS),
  kind: oneOf('kind', AUDIT_SUBJECT_KINDS),
  since: textLike('since', (day) => readDay(day) !== null),
  until: textLike('until', (day) => readDay(day) !== null),
  after: parsed('after', readPlace, ({ at, n, changeId }) => `${toMicroseconds(at)}.${n}.${changeId}`),
})

/** @param tz IANA name of the days' time zone */
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

function readPlace(text: string): AuditPlace | null {
  const [, at = '', n = '', changeId = ''] = /^(\d{1,16})\.(\d{1,9})\.(.+)$/.exec(text) ?? []
  if (!isUuid(changeId) || !Number.isSafeInteger(Number(at))) return null
  return { at: fromMicroseconds(Number(at)), n: Number(n), changeId }
}
