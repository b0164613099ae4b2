/** The store's methods for incidents and silences. */
import type { Taking } from '../../domain/incident/take.ts'
import type { Silence } from '../../domain/silence/silence.ts'
import type { Instant } from '../../lib/time.ts'
import * as lists from '../incidents/lists.ts'
import * as looks from '../incidents/looks.ts'
import * as people from '../incidents/people.ts'
import * as silences from '../incidents/silences.ts'
import { silencesLeft } from '../incidents/world.ts'
import type { DueIncident, IncidentChange, IncidentKey, Looked } from '../interface/incidents.ts'
import type { Rules } from '../interface/rules.ts'
import type { Access, AuthorAccess } from './access.ts'
import { each } from './methods.ts'

export function incidentsStore({ read, writeChanging }: Access) {
  return {
    incidents: {
      ...each(read, {
        find: lists.findIncident,
        list: lists.listIncidents,
        listNewest: lists.listNewestIncidents,
        listOpen: lists.listOpenIncidents,
        listUntold: lists.listUntoldIncidents,
        listEvents: lists.listIncidentEvents,
        hasNotes: lists.hasNotes,
        nextLookAt: looks.nextIncidentLookAt,
        due: looks.dueIncidents,
      }),
      look: (due: readonly DueIncident[], rules: Pick<Rules, 'deliveriesFor' | 'now'>): Promise<Looked> =>
        writeChanging((sql) => looks.lookAtIncidents(sql, due, rules)),
    },
    silences: each(read, {
      list: silences.listSilences,
      listOf: silencesLeft,
      listPast: silences.listPastSilences,
      listEnded: silences.listEndedSilences,
      find: silences.findSilence,
    }),
  }
}

export function incidentsWrites({ writeChanging, trail }: AuthorAccess) {
  return {
    incidents: {
      acknowledge: (
        key: IncidentKey,
        taking: Omit<Taking, 'by'>,
        rules: Pick<Rules, 'deliveriesFor' | 'now'>,
      ): Promise<IncidentChange | null> =>
        writeChanging((sql) => people.acknowledgeIncident(sql, trail(sql), key, taking, rules)),
      handBack: (key: IncidentKey, rules: Pick<Rules, 'deliveriesFor' | 'now'>): Promise<IncidentChange | null> =>
        writeChanging((sql) => people.handBackIncident(sql, trail(sql), key, rules)),
      note: (key: IncidentKey, text: string, rules: Pick<Rules, 'now'>): Promise<boolean> =>
        writeChanging((sql) => people.noteIncident(sql, trail(sql), key, text, rules)),
    },
    silences: {
      create: (silence: Silence, now: Instant): Promise<void> =>
        writeChanging((sql) => silences.createSilence(sql, trail(sql), silence, now)),
      change: (
        named: Pick<Silence, 'projectId' | 'id'>,
        change: (silence: Silence) => Silence,
        now: Instant,
      ): Promise<Silence | null> => writeChanging((sql) => silences.changeSilence(sql, trail(sql), named, change, now)),
    },
  }
}
