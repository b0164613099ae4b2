/** Incidents and silences for users with read-only access. Email addresses and secrets that could be used to send pings are removed. */
import { type Actor, may } from '../actor.ts'
import { withoutName } from '../author.ts'
import { withoutPingSecrets } from '../redaction.ts'
import type { Silence } from '../silence/silence.ts'
import type { NumberedEvent } from './event.ts'
import type { Incident } from './incident.ts'
import { type IncidentStory, withoutHolder } from './story.ts'

/** Removes what the actor may not see. Returns the same incident if the actor has the right to write. */
export function incidentFor(actor: Actor, incident: Incident): Incident {
  const { acknowledgement } = incident
  if (acknowledgement === null || may(actor, 'write')) return incident
  const { by, note } = acknowledgement
  const shown = { ...acknowledgement, by: withoutName(by), note: withoutPingSecrets(note) }
  return { ...incident, acknowledgement: shown }
}

export function eventForReader(event: NumberedEvent): NumberedEvent {
  switch (event.kind) {
    case 'note':
      return { ...event, by: withoutName(event.by), text: withoutPingSecrets(event.text) }
    case 'acknowledged': {
      const { by, note, takenFrom } = event
      const from = takenFrom && withoutName(takenFrom)
      return { ...event, by: withoutName(by), note: withoutPingSecrets(note), takenFrom: from }
    }
    case 'released':
      return { ...event, by: event.by && withoutName(event.by) }
    default:
      return event
  }
}

export function storyForReader(story: IncidentStory): IncidentStory {
  const { held, reason, note } = story
  return {
    ...story,
    held: held && withoutHolder(held),
    reason: withoutPingSecrets(reason),
    note: note && { ...note, by: withoutName(note.by), text: withoutPingSecrets(note.text) },
  }
}

export function silenceForReader(silence: Silence): Silence {
  const { createdBy, reason } = silence
  return { ...silence, createdBy: createdBy && withoutName(createdBy), reason: withoutPingSecrets(reason) }
}
