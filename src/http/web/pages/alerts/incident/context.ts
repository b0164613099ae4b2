/** The data that every part of an incident's page needs. */
import { type By, isSameBy } from '../../../../../domain/author.ts'
import { whoIsOn } from '../../../../../domain/incident/headline.ts'
import type { IncidentPage } from '../../../../../services/incidents/incident-page.ts'
import { incidentPath } from '../../../href.ts'
import { type Html, html } from '../../../html.ts'
import { bdi } from '../../../parts/words/text.ts'
import type { CheckContext } from '../../check/context.ts'

export interface IncidentData {
  readonly page: IncidentPage
  /** links, times and permissions; `canWrite` is true if the reader may take the incident and add notes */
  readonly context: CheckContext
  /** the signed-in user */
  readonly me: By
}

/** The data for the note form. */
export interface NoteForm {
  readonly text: string
  /** error message about the text; null if there is no error */
  readonly error: string | null
}

/** Form fields that the buttons submit, by action. */
export const INCIDENT_ACTIONS = {
  take: { name: 'action', value: 'take' },
  handBack: { name: 'action', value: 'hand-back' },
  note: { name: 'action', value: 'note' },
} as const

/** Returns the path of the incident's page, or of a page below it. */
export function ownPath({ page: { incident, view }, context }: IncidentData, below = ''): string {
  return incidentPath(context.slug, view.check.publicId, incident.n, below)
}

export function checkTitle({ view: { check } }: IncidentPage): Html {
  return check.name === '' ? html`<i>no name</i>` : bdi(check.name)
}

/** Returns whether the reader has taken the incident. */
export function isMine({ page, me }: IncidentData): boolean {
  const onIt = whoIsOn(page.incident, page.now)
  return onIt !== null && isSameBy(onIt.by, me)
}
