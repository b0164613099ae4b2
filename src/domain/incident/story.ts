/** The part of an incident that messages about its flips tell: what held its first alert, and the note that was left last. */
import { earlier, type Instant, isBefore } from '../../lib/time.ts'
import { type By, withoutName } from '../author.ts'
import type { NumberedEvent } from './event.ts'
import type { Incident } from './incident.ts'

/** What the first alert of an incident waited for at last. */
export type PastHold =
  | { readonly why: 'silence'; readonly silenceId: string; readonly until: Instant }
  | { readonly why: 'acknowledgement'; readonly by: By; readonly until: Instant }

/** A note that somebody left, alone or when taking the incident. */
export interface LeftNote {
  readonly at: Instant
  readonly by: By
  readonly text: string
}

export interface IncidentStory {
  /** names it among those of its check */
  readonly n: number
  /** null: its first alert was sent at once */
  readonly held: PastHold | null
  /** of the silence that held it; '' for none, and when it is gone or of a project that the check has left */
  readonly reason: string
  /** the last, of those until the alert was due; null: nobody has left one */
  readonly note: LeftNote | null
}

/**
 * What held the first alert of an incident, until it was sent.
 * @param events of the incident, oldest first @returns null: nothing did, or nobody was told yet
 */
export function holdBeforeTold(
  { toldAt }: Pick<Incident, 'toldAt'>,
  events: readonly NumberedEvent[],
): PastHold | null {
  if (toldAt === null) return null
  const before = events.filter((event) => event.kind !== 'flip').filter(({ at }) => !isBefore(toldAt, at))
  const held = before.findLast((event) => event.kind === 'held')
  // An acknowledgement holds only what a silence has held before: without one, it is told in the moment of its flip.
  if (held === undefined) return null
  const released = before.findLast((event) => event.kind === 'released')
  const taken = before.findLast((event) => event.kind === 'acknowledged')
  if (released?.from === 'acknowledgement' && taken !== undefined) {
    return { why: 'acknowledgement', by: taken.by, until: earlier(taken.until, toldAt) ?? toldAt }
  }
  return { why: 'silence', silenceId: held.silenceId, until: earlier(held.until, toldAt) ?? toldAt }
}

/** @param until inclusive; null: to the end @returns null: nobody has left one */
export function lastNote(events: readonly NumberedEvent[], until: Instant | null): LeftNote | null {
  const notes = events.flatMap((event): LeftNote[] => {
    if (event.kind === 'note') return [{ at: event.at, by: event.by, text: event.text }]
    const isLeft = event.kind === 'acknowledged' && event.note !== ''
    return isLeft ? [{ at: event.at, by: event.by, text: event.note }] : []
  })
  return notes.findLast(({ at }) => until === null || !isBefore(until, at)) ?? null
}

/** The same without what people wrote, and without their names. */
export function withoutNotes(story: IncidentStory): IncidentStory {
  return { ...story, held: story.held && withoutHolder(story.held), reason: '', note: null }
}

/** The same without the name of the person who held it. */
export function withoutHolder(held: PastHold): PastHold {
  return held.why === 'acknowledgement' ? { ...held, by: withoutName(held.by) } : held
}
