/** The parts of an incident that are mentioned in messages: what held its first alert back, and the last note. */
import { earlier, type Instant, isBefore } from '../../lib/time.ts'
import { type By, withoutName } from '../author.ts'
import type { NumberedEvent } from './event.ts'
import type { Incident } from './incident.ts'

/** The last hold on an incident's first alert. */
export type PastHold =
  | { readonly why: 'silence'; readonly silenceId: string; readonly until: Instant }
  | { readonly why: 'acknowledgement'; readonly by: By; readonly until: Instant }

/** A note, written on its own or with an acknowledgement. */
export interface LeftNote {
  readonly at: Instant
  readonly by: By
  readonly text: string
}

export interface IncidentStory {
  /** number of the incident, unique within the check */
  readonly n: number
  /** what held the first alert back; null: it was sent immediately */
  readonly held: PastHold | null
  /**
   * reason of the silence that held the alert back; '' if the silence has no reason or was deleted, or if the check has moved to another
   * project
   */
  readonly reason: string
  /** last note written before the alert was due; null: none */
  readonly note: LeftNote | null
}

/**
 * Returns what held an incident's first alert back before it was sent.
 * @param events the incident's events, oldest first
 * @returns null if nothing held the alert back, or if no alert has been sent yet
 */
export function holdBeforeTold(
  { toldAt }: Pick<Incident, 'toldAt'>,
  events: readonly NumberedEvent[],
): PastHold | null {
  if (toldAt === null) return null
  const before = events.filter((event) => event.kind !== 'flip').filter(({ at }) => !isBefore(toldAt, at))
  const held = before.findLast((event) => event.kind === 'held')
  // An acknowledgement can hold an alert back only after a silence did, because an alert that is not silenced is sent at the time of the
  // flip.
  if (held === undefined) return null
  const released = before.findLast((event) => event.kind === 'released')
  const taken = before.findLast((event) => event.kind === 'acknowledged')
  if (released?.from === 'acknowledgement' && taken !== undefined) {
    return { why: 'acknowledgement', by: taken.by, until: earlier(taken.until, toldAt) ?? toldAt }
  }
  return { why: 'silence', silenceId: held.silenceId, until: earlier(held.until, toldAt) ?? toldAt }
}

/**
 * @param until only notes up to and including this time; null: all notes
 * @returns null if there is no note
 */
export function lastNote(events: readonly NumberedEvent[], until: Instant | null): LeftNote | null {
  const notes = events.flatMap((event): LeftNote[] => {
    if (event.kind === 'note') return [{ at: event.at, by: event.by, text: event.text }]
    const isLeft = event.kind === 'acknowledged' && event.note !== ''
    return isLeft ? [{ at: event.at, by: event.by, text: event.note }] : []
  })
  return notes.findLast(({ at }) => until === null || !isBefore(until, at)) ?? null
}

/** Removes text written by users, and their names. */
export function withoutNotes(story: IncidentStory): IncidentStory {
  return { ...story, held: story.held && withoutHolder(story.held), reason: '', note: null }
}

/** Removes the name of the user who held the alert back. */
export function withoutHolder(held: PastHold): PastHold {
  return held.why === 'acknowledgement' ? { ...held, by: withoutName(held.by) } : held
}
