/** OpenAPI description of `incidents`. */
import { Text, Type } from '../../../domain/schema.ts'
import { API_HEADERS, CHECK_ERRORS, LIST_ERRORS, READ, refusal, WRITE } from '../description/components.ts'
import { CHECK_UNIQUE_KEY } from '../description/examples.ts'
import {
  type Answer,
  answerRef,
  json,
  type Operation,
  type Paths,
  pathParameter,
  queryParameters,
  schemaRef,
} from '../description/parts.ts'
import { IncidentsQuery } from './incidents.ts'
import { SILENCE_ID } from './silences.openapi.ts'

const INCIDENT_ID = `${CHECK_UNIQUE_KEY}-12`
const ANN = { kind: 'person', name: 'ann@example.org' }

const HELD = {
  id: INCIDENT_ID,
  check: { unique_key: CHECK_UNIQUE_KEY, name: 'Nightly backup', slug: 'nightly-backup', tags: 'prod db' },
  severity: 'down',
  opened_at: '2026-03-29T02:00:00+00:00',
  resolved_at: null,
  told_at: null,
  held: { why: 'silence', silence: SILENCE_ID, until: '2026-03-29T05:00:00+00:00' },
  acknowledged: null,
  next_look_at: '2026-03-29T05:00:00+00:00',
}
const TAKEN = {
  ...HELD,
  told_at: '2026-03-29T05:00:00+00:00',
  held: null,
  acknowledged: { at: '2026-03-29T05:04:00+00:00', by: ANN, until: null, note: 'Disk is full, freeing space.' },
  next_look_at: null,
}
const FREE = { ...TAKEN, acknowledged: null }
const EVENTS = [
  { n: 12, at: '2026-03-29T02:00:00+00:00', kind: 'flip', status: 'down', reason: 'timeout' },
  { n: 13, at: '2026-03-29T02:00:00+00:00', kind: 'held', silence: SILENCE_ID, until: '2026-03-29T05:00:00+00:00' },
  { n: 14, at: '2026-03-29T05:00:00+00:00', kind: 'released', from: 'silence', by: null },
  {
    n: 15,
    at: '2026-03-29T05:04:00+00:00',
    kind: 'acknowledged',
    by: ANN,
    until: null,
    note: 'Disk is full, freeing space.',
    taken_from: null,
  },
]

const NOTE = {
  n: 15,
  at: '2026-03-29T05:10:00+00:00',
  kind: 'note',
  by: ANN,
  text: 'The disk was full of old logs.',
}

const ID = pathParameter(
  'incident',
  'Id of the incident: the unique key of the check, a hyphen, and a number.',
  Text({ pattern: '^[0-9a-f]{40}-[1-9][0-9]{0,14}$' }),
  { 'An incident': INCIDENT_ID },
)

const one = (description: string, examples: Readonly<Record<string, unknown>>, schema = 'Incident'): Answer => ({
  description,
  headers: API_HEADERS,
  content: json(schemaRef(schema), examples),
})

const ENDED = { 'The incident has ended': 'the incident has ended' }

type Asked = Pick<Operation, 'operationId' | 'summary' | 'description' | 'requestBody' | 'responses'>

export function incidentPaths(root: string): Paths {
  const tags = ['Incidents'] as const
  const post = (asked: Asked): Operation => ({ tags, security: WRITE, parameters: [ID], ...asked })
  return {
    [`${root}/incidents/`]: {
      get: {
        operationId: 'listIncidents',
        tags,
        summary: 'List incidents',
        description: 'Lists the incidents of the project, newest first. An incident must match every filter.',
        security: READ,
        parameters: queryParameters(IncidentsQuery, {
          open: { 'Open incidents': 'true' },
          check: { 'Incidents of one check': CHECK_UNIQUE_KEY },
          tag: { 'Incidents of checks with a tag': 'prod' },
        }),
        responses: {
          200: {
            description: 'The incidents.',
            headers: API_HEADERS,
            content: json(
              Type.Object(
                { incidents: Type.Array(Type.Unsafe(schemaRef('Incident'))) },
                { additionalProperties: false },
              ),
              { 'An incident whose alert is held': { incidents: [HELD] }, None: { incidents: [] } },
            ),
          },
          400: refusal('The query is not valid.', {
            'Not an allowed value': 'query validation error: open has unexpected value',
          }),
          403: answerRef('Forbidden'),
          404: answerRef('NotFound'),
          ...LIST_ERRORS,
        },
      },
    },
    [`${root}/incidents/{incident}`]: {
      get: {
        operationId: 'getIncident',
        tags,
        summary: 'Read an incident',
        description: 'Returns an incident and its events, oldest first.',
        security: READ,
        parameters: [ID],
        responses: {
          200: one('The incident.', { 'Somebody is working on it': { ...TAKEN, events: EVENTS } }, 'OpenedIncident'),
          ...CHECK_ERRORS,
        },
      },
    },
    [`${root}/incidents/{incident}/acknowledge`]: {
      post: post({
        operationId: 'acknowledgeIncident',
        summary: 'Take an incident',
        description:
          'Records that the holder of the key is working on the incident, until the check recovers or until the given time. If nobody has been alerted yet, the alert is held for as long. To change the note or the end, take the incident again.',
        requestBody: {
          description: 'JSON. The Content-Type is ignored, and no body counts as `{}`.',
          required: false,
          content: json(schemaRef('AcknowledgementSpec'), {
            'With a note': { note: 'Disk is full, freeing space.' },
            'For some time, taking over from somebody else': { until: '2026-03-29T09:00:00Z', takes_over: true },
          }),
        },
        responses: {
          200: one('The incident.', { 'Somebody is working on it': TAKEN }),
          400: refusal('The body is not valid; nothing was changed.', {
            'A time in the past': 'json validation error: until is in the past',
          }),
          ...CHECK_ERRORS,
          409: refusal('The incident has ended, or somebody else has taken it and `takes_over` is not true.', {
            ...ENDED,
            'Somebody else is on it': 'ann@example.org is on it: the request must ask to take over',
          }),
        },
      }),
    },
    [`${root}/incidents/{incident}/release`]: {
      post: post({
        operationId: 'releaseIncident',
        summary: 'Hand an incident back',
        description: 'The incident has no owner any more. If nothing else holds its alert, the alert is sent now.',
        requestBody: {
          description: 'JSON. The Content-Type is ignored, and no body counts as `{}`.',
          required: false,
          content: json(schemaRef('ReleaseSpec'), { 'No body': {} }),
        },
        responses: {
          200: one('The incident.', { 'Nobody is on it': FREE }),
          400: refusal('The body is not valid; nothing was changed.', {
            'An unknown field': 'json validation error: until is not a known field',
          }),
          ...CHECK_ERRORS,
          409: refusal('The incident has ended, or nobody has taken it.', {
            ...ENDED,
            'Nobody is on it': 'nobody is on it',
          }),
        },
      }),
    },
    [`${root}/incidents/{incident}/notes`]: {
      post: post({
        operationId: 'noteIncident',
        summary: 'Leave a note',
        description: 'Adds a note to an incident, even if it has ended. An incident can have 100 notes at most.',
        requestBody: {
          description: 'JSON. The Content-Type is ignored.',
          required: true,
          content: json(schemaRef('NoteSpec'), { 'A note': { text: 'The disk was full of old logs.' } }),
        },
        responses: {
          201: one(
            'The incident, with the note.',
            { 'With a note': { ...FREE, events: [...EVENTS.slice(0, 3), NOTE] } },
            'OpenedIncident',
          ),
          400: refusal('The body is not valid; nothing was changed.', {
            Blank: 'json validation error: text is not a note: it is blank',
          }),
          ...CHECK_ERRORS,
          409: refusal('The incident has 100 notes.', {
            'Too many': 'the incident has 100 notes, and accepts no more',
          }),
        },
      }),
    },
  }
}
