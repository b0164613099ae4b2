/** Incidents as returned by the API. Services have already removed authors and ping secrets if the reader may not see them. */
import { type Instant, isoSeconds } from '../../lib/time.ts'
import { representBy } from '../author.ts'
import type { Check } from '../check/check.ts'
import { uniqueKey } from '../check/unique-key.ts'
import type { Acknowledgement } from './acknowledgement.ts'
import type { NumberedEvent } from './event.ts'
import type { Hold } from './hold.ts'
import type { Incident } from './incident.ts'

const ID = /^([0-9a-f]{40})-([1-9]\d{0,14})$/

/** Returns an incident's id: its check's unique key and its number. */
export function incidentId({ checkId, n }: Pick<Incident, 'checkId' | 'n'>): string {
  return `${uniqueKey(checkId)}-${n}`
}

/** Parses an incident id. Returns null if the string is not an incident id. */
export function readIncidentId(text: string): { readonly checkKey: string; readonly n: number } | null {
  const [, checkKey, n] = ID.exec(text) ?? []
  return checkKey === undefined ? null : { checkKey, n: Number(n) }
}

interface Represented {
  readonly incident: Incident
  readonly check: Pick<Check, 'id' | 'name' | 'slug' | 'tags'>
}

export function representIncident({ incident, check }: Represented) {
  const { severity, openedAt, resolvedAt, toldAt, held, acknowledgement, nextLookAt } = incident
  return {
    id: incidentId(incident),
    check: { unique_key: uniqueKey(check.id), name: check.name, slug: check.slug, tags: check.tags },
    severity,
    opened_at: isoSeconds(openedAt),
    resolved_at: secondsOrNull(resolvedAt),
    told_at: secondsOrNull(toldAt),
    held: held && representHold(held),
    acknowledged: acknowledgement && representAcknowledgement(acknowledgement),
    next_look_at: secondsOrNull(nextLookAt),
  }
}

function representHold(hold: Hold) {
  const silence = hold.why === 'silence' ? hold.silenceId : null
  return { why: hold.why, silence, until: secondsOrNull(hold.until) }
}

function representAcknowledgement({ at, by, until, note }: Acknowledgement) {
  return { at: isoSeconds(at), by: representBy(by), until: secondsOrNull(until), note }
}

export function representEvent(event: NumberedEvent) {
  if (event.kind === 'flip') {
    const { n, createdAt, kind, newStatus, reason } = event
    return { n, at: isoSeconds(createdAt), kind, status: newStatus, reason }
  }
  const common = { n: event.n, at: isoSeconds(event.at), kind: event.kind }
  switch (event.kind) {
    case 'held':
      return { ...common, silence: event.silenceId, until: isoSeconds(event.until) }
    case 'released':
      return { ...common, from: event.from, by: event.by && representBy(event.by) }
    case 'acknowledged': {
      const { by, until, note, takenFrom } = event
      const from = takenFrom && representBy(takenFrom)
      return { ...common, by: representBy(by), until: secondsOrNull(until), note, taken_from: from }
    }
    case 'note':
      return { ...common, by: representBy(event.by), text: event.text }
  }
}

function secondsOrNull(instant: Instant | null): string | null {
  return instant && isoSeconds(instant)
}
