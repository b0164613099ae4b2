/** OpenAPI description of `silences`. */
import { Type } from '../../../domain/schema.ts'
import { API_HEADERS, CHECK_ERRORS, KEY_ERRORS, LIST_ERRORS, READ, refusal, WRITE } from '../description/components.ts'
import { CHECK_ID } from '../description/examples.ts'
import { type Answer, json, type Paths, pathParameter, queryParameters, schemaRef } from '../description/parts.ts'
import { uuid } from '../door/path-parameters.ts'
import { SilencesQuery } from './silences.ts'

export const SILENCE_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

const SILENCE = {
  id: SILENCE_ID,
  match: { checks: [CHECK_ID], tags: [] },
  starts_at: '2026-03-29T01:00:00+00:00',
  ends_at: '2026-03-29T05:00:00+00:00',
  until_healthy: false,
  schedule: null,
  tz: null,
  duration: null,
  next: { starts_at: '2026-03-29T01:00:00+00:00', ends_at: '2026-03-29T05:00:00+00:00' },
  up_to: 'down',
  reason: 'New disk.',
  active: true,
  created_at: '2026-03-29T01:00:00+00:00',
  created_by: { kind: 'key', name: 'odw_f3k2' },
}
const ENDED = { ...SILENCE, ends_at: '2026-03-29T02:00:00+00:00', active: false, next: null }
const WINDOW = {
  ...SILENCE,
  ends_at: null,
  schedule: '0 22 * * 6',
  tz: 'Europe/Riga',
  duration: 7200,
  next: { starts_at: '2026-04-04T19:00:00+00:00', ends_at: '2026-04-04T21:00:00+00:00' },
  reason: 'The database is restored.',
  active: false,
}

const ID = pathParameter('silence', 'UUID of the silence.', uuid('UUID of the silence.'), { 'A silence': SILENCE_ID })

const one = (description: string, examples: Readonly<Record<string, unknown>>): Answer => ({
  description,
  headers: API_HEADERS,
  content: json(schemaRef('Silence'), examples),
})

const TOO_MANY_WINDOWS = 'the project has 50 silences with a schedule that have not ended: end one of them first'

export function silencePaths(root: string): Paths {
  const tags = ['Silences'] as const
  return {
    [`${root}/silences/`]: {
      get: {
        operationId: 'listSilences',
        tags,
        summary: 'List silences',
        description:
          'Lists the silences of the project that have not ended. The one that ends first comes first. With `ended`, lists silences that have ended, most recent first.',
        security: READ,
        parameters: queryParameters(SilencesQuery, { ended: { 'Ended silences': 'true' } }),
        responses: {
          200: {
            description: 'The silences.',
            headers: API_HEADERS,
            content: json(
              Type.Object({ silences: Type.Array(Type.Unsafe(schemaRef('Silence'))) }, { additionalProperties: false }),
              { 'One silence': { silences: [SILENCE] }, 'A window': { silences: [WINDOW] }, None: { silences: [] } },
            ),
          },
          400: refusal('The query is not valid.', {
            'Another word': 'query validation error: ended has unexpected value',
          }),
          ...LIST_ERRORS,
        },
      },
      post: {
        operationId: 'createSilence',
        tags,
        summary: 'Silence checks',
        description:
          'Nobody is alerted of incidents of the matching checks until the silence ends. The checks are still monitored: if one is still down at the end, its alert is sent then. If an alert was sent before the silence, the recovery is always sent. A silence lasts 30 days at most, or 7 days with `until_healthy`. A silence with a `schedule` and a `duration` recurs: each occurrence of the schedule starts a window of `duration` seconds, regardless of clock changes. `ends_at` is then the end of the last window. Without `ends_at`, the windows recur until somebody ends the silence.',
        security: WRITE,
        requestBody: {
          description: 'JSON of at most 131,072 bytes. The Content-Type is ignored.',
          required: true,
          content: json(schemaRef('SilenceSpec'), {
            'All checks with a tag, until each is healthy': {
              match: { tags: ['prod'] },
              until_healthy: true,
              reason: 'New disk.',
            },
            'One check, until a given time': { match: { checks: [CHECK_ID] }, ends_at: '2026-03-29T05:00:00Z' },
            'The whole project, later': {
              match: {},
              starts_at: '2026-03-30T20:00:00Z',
              ends_at: '2026-03-30T22:00:00Z',
            },
            'Each Saturday from 22:00 to 24:00': {
              match: { tags: ['db'] },
              schedule: '0 22 * * 6',
              tz: 'Europe/Riga',
              duration: 7200,
              reason: 'The database is restored.',
            },
          }),
        },
        responses: {
          201: one('The silence.', { 'A silence': SILENCE, 'A window': WINDOW }),
          400: refusal('The body is not valid; nothing was changed.', {
            'Without an end': 'json validation error: ends_at is missing: give an end, or set until_healthy',
            'No pause between windows':
              'json validation error: duration leaves no pause between the occurrences of schedule: use a shorter one, or a schedule with fewer occurrences',
            'Too long': 'json validation error: ends_at is more than 30 days after the start',
            'Another check': `match names the check ${CHECK_ID}, which the project does not have`,
          }),
          ...KEY_ERRORS,
          409: refusal('The project has 1,000 silences that have not ended, or 50 with a schedule.', {
            'Too many': 'the project has 1000 silences that have not ended: end one of them first',
            'Too many with a schedule': TOO_MANY_WINDOWS,
          }),
        },
      },
    },
    [`${root}/silences/{silence}`]: {
      get: {
        operationId: 'getSilence',
        tags,
        summary: 'Read a silence',
        description: 'Returns a silence, even if it has ended.',
        security: READ,
        parameters: [ID],
        responses: { 200: one('The silence.', { 'A silence': SILENCE }), ...CHECK_ERRORS },
      },
      post: {
        operationId: 'changeSilence',
        tags,
        summary: 'Change a silence',
        description:
          'Changes a silence that has not ended. Fields that the body leaves out keep their values. The checks that the silence matches cannot be changed. If an alert is no longer held and its check is still down, the alert is sent within a second.',
        security: WRITE,
        parameters: [ID],
        requestBody: {
          description: 'JSON of at most 131,072 bytes. The Content-Type is ignored.',
          required: false,
          content: json(schemaRef('SilenceEdit'), {
            'Longer windows': { duration: 10_800 },
            'A new end': { ends_at: '2026-12-31T00:00:00Z' },
          }),
        },
        responses: {
          200: one('The silence, as it is now.', { 'A window': WINDOW }),
          400: refusal('The body is not valid, or the silence has ended; nothing was changed.', {
            'Without a schedule': 'json validation error: duration is given without schedule',
            Ended: 'the silence has ended: make a new one',
          }),
          ...CHECK_ERRORS,
          409: refusal(
            'The change adds a schedule, but the project already has 50 silences with a schedule that have not ended.',
            {
              'Too many with a schedule': TOO_MANY_WINDOWS,
            },
          ),
        },
      },
      delete: {
        operationId: 'endSilence',
        tags,
        summary: 'End a silence',
        description:
          'Ends the silence now and keeps its record. If the silence held alerts for checks that are still down, they are sent within a second. A silence that has already ended does not change.',
        security: WRITE,
        parameters: [ID],
        responses: { 200: one('The silence, as it is now.', { 'It has ended': ENDED }), ...CHECK_ERRORS },
      },
    },
  }
}
