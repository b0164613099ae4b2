/**
 * Audit log subjects for incidents and silences. They use a check's unique key instead of its UUID, because the UUID is the ping secret.
 */
import { isoSeconds } from '../../lib/time.ts'
import type { By } from '../author.ts'
import type { Check } from '../check/check.ts'
import { uniqueKey } from '../check/unique-key.ts'
import type { Incident } from '../incident/incident.ts'
import type { Silence } from '../silence/silence.ts'
import type { Audited } from './audit.ts'

type OfIncident = Pick<Check, 'id' | 'projectId' | 'name'>

/** Returns the audit log's view of an incident and its acknowledgement. */
export function auditedIncident(
  check: OfIncident,
  { n, acknowledgement }: Pick<Incident, 'n' | 'acknowledgement'>,
): Audited {
  const until = acknowledgement?.until ?? null
  return {
    ...subjectOf(check, n),
    values: {
      acknowledged_by: acknowledgement && nameOf(acknowledgement.by),
      until: until && isoSeconds(until),
      note: acknowledgement?.note ?? '',
    },
  }
}

/**
 * Returns the audit log's view of an incident note.
 * @param text null: the state before the note was written
 */
export function auditedNote(check: OfIncident, { n }: Pick<Incident, 'n'>, text: string | null): Audited {
  return { ...subjectOf(check, n), values: { note: text } }
}

function subjectOf({ id, projectId, name }: OfIncident, n: number): Omit<Audited, 'values'> {
  return { kind: 'incident', id: `${uniqueKey(id)}-${n}`, name, projectId }
}

function nameOf({ kind, name }: By): string {
  return kind === 'command' ? 'a command' : name
}

export function auditedSilence({
  id,
  projectId,
  reason,
  match,
  startsAt,
  endsAt,
  untilHealthy,
  window,
  upTo,
}: Silence): Audited {
  return {
    kind: 'silence',
    id,
    name: reason,
    projectId,
    values: {
      checks: match.checks.map(uniqueKey),
      tags: match.tags,
      starts_at: isoSeconds(startsAt),
      ends_at: endsAt && isoSeconds(endsAt),
      until_healthy: untilHealthy,
      ...(window && { schedule: window.schedule, tz: window.tz, duration: window.seconds }),
      up_to: upTo,
      reason,
    },
  }
}
