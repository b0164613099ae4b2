/** OpenAPI description of a check's log and its status changes. */
import { Text, Type } from '../../domain/schema.ts'
import { CHECK_UUID, CHECK_UUID_OR_KEY } from './checks.openapi.ts'
import { API_HEADERS, CHECK_ERRORS, LIST_ERRORS, READ, refusal, WRITE } from './description/components.ts'
import type { Examples } from './description/examples.ts'
import { headerRefs, json, named, type Paths, pathParameter, queryParameters, schemaRef } from './description/parts.ts'
import { FlipsQuery } from './flips.ts'

const PING_NUMBER = pathParameter('n', 'Number of the ping.', Type.Integer({ minimum: 1 }), {
  'A number from the list': 27,
})

const ALSO_BY_POST = 'A `POST` to the path without the final slash does the same; its body is ignored.'

const { seconds, start, end } = FlipsQuery.properties
/** Schema of `seconds`, which may be empty. The other parameters have to be numbers. */
const SECONDS = Type.Union([seconds, Type.Literal('')], { description: seconds.description ?? '' })
const RANGE = queryParameters(Type.Object({ seconds: SECONDS, start, end }), {
  seconds: { 'The last hour': 3600 },
  start: { 'Since the start of March 2026': 1_772_323_200 },
  end: { 'Before April 2026': 1_775_001_600 },
})

export function logPaths(root: string, examples: Examples): Paths {
  const tags = ['Log'] as const
  return {
    [`${root}/checks/{id}/pings/`]: {
      get: {
        operationId: 'listPings',
        tags,
        summary: 'List pings',
        description: `The pings in the log, newest first. The log of a check keeps 100 pings, unless the project has another limit. A ping whose body was dropped (\`PING_LOG_BYTES\`) has no \`body_url\`. ${ALSO_BY_POST}`,
        security: WRITE,
        parameters: [CHECK_UUID],
        responses: {
          200: {
            description: 'The log.',
            headers: { ...API_HEADERS, ...headerRefs('X-Dropped-Bodies') },
            content: json(
              Type.Object({ pings: Type.Array(Type.Unsafe(schemaRef('Ping'))) }, { additionalProperties: false }),
              { 'A run': { pings: examples.pings }, 'No ping yet': { pings: [] } },
            ),
          },
          ...CHECK_ERRORS,
        },
      },
    },
    [`${root}/checks/{id}/pings/{n}/body`]: {
      get: {
        operationId: 'getPingBody',
        tags,
        summary: 'Read the body of a ping',
        description: 'The bytes of the body as they were sent, up to the limit of the server.',
        security: WRITE,
        parameters: [CHECK_UUID, PING_NUMBER],
        responses: {
          200: {
            description: 'The body, byte for byte.',
            headers: API_HEADERS,
            content: {
              'text/plain': { schema: Text(), examples: named({ 'Output of a job': 'backup finished, 3 files\n' }) },
            },
          },
          ...CHECK_ERRORS,
          404: refusal('There is no such check, ping or body, or the body was dropped.', {
            'Not found': 'not found',
            'The body was dropped':
              "the body of this ping (31457280 bytes) was dropped, because the bodies in a check's log are limited to 16777216 bytes (PING_LOG_BYTES)",
          }),
        },
      },
    },
    [`${root}/checks/{id}/flips/`]: {
      get: {
        operationId: 'listFlips',
        tags,
        summary: 'List status changes',
        description: `Lists flips, newest first. A flip must match every filter. If a filter is repeated, the last one counts. ${ALSO_BY_POST}`,
        security: READ,
        parameters: [CHECK_UUID_OR_KEY, ...RANGE],
        responses: {
          200: {
            description: 'The flips.',
            headers: API_HEADERS,
            content: json(schemaRef('Flips'), { 'Down and up again': examples.flips }),
          },
          400: refusal('A filter is not valid.', {
            'Not a number': 'query validation error: start is not a number',
            'Out of range': 'query validation error: seconds is too large',
          }),
          ...CHECK_ERRORS,
          ...LIST_ERRORS,
        },
      },
    },
  }
}
