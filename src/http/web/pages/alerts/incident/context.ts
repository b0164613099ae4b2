/** The data that all parts of an incident's page need. */
import { type By, isSameBy } from '../../../../../domain/author.ts'
import { whoIsOn } from '../../../../../domain/incident/headline.ts'
import type { IncidentPage } from '../../../../../services/incidents/incident-page.ts'
import { incidentPath } from '../../../href.ts'
import { type Html, html } from '../../../html.ts'
import { bdi } from '../../../parts/words/text.ts'
import type { CheckContext } from '../../check/context.ts'

export interface IncidentData {
  readonly page: IncidentPage
  /** `canWrite`: the reader may act */
  readonly context: CheckContext
  /** the reader */
  readonly me: By
}

/** The data of the note form. */
export interface NoteForm {
  readonly text: string
  /** the mistake in the text; null: none, or no note was sent */
  readonly error: string | null
}

/** The actions of the buttons. */
export const INCIDENT_ACTIONS = {
  take: { name: 'action', value: 'take' },
  handBack: { name: 'action', value: 'hand-back' },
  note: { name: 'action', value: 'note' },
} as const

/** Returns the path of the incident, or of a page below it. */
export function ownPath({ page: { incident, view }, context }: IncidentData, below = ''): string {
  return incidentPath(context.slug, view.check.publicId, incident.n, below)
}

export function checkTitle({ view: { check } }: IncidentPage): Html {
  return check.name === '' ? html`<i>no name</i>` : bdi(check.name)
}

/** Whether the reader is on the incident. */
export function isMine({ page, me }: IncidentData): boolean {
  const onIt = whoIsOn(page.incident, page.now)
  return onIt !== null && isSameBy(onIt.by, me)
}
