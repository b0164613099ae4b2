/** The log of a check and its changes of status, described. */
import { Text, Type } from '../../domain/schema.ts'
import { FlipsQuery } from '../api/flips.ts'
import { CHECK_UUID, CHECK_UUID_OR_KEY, USUAL_OF_LISTS, USUAL_OF_ONE } from './check-paths.ts'
import { API_HEADERS, READ, refusal, WRITE } from './components.ts'
import type { Examples } from './examples.ts'
import { headerRefs, json, named, type Parameter, type Paths, schemaRef } from './parts.ts'

const PING_NUMBER: Parameter = {
  name: 'n',
  in: 'path',
  required: true,
  description: 'Number of the ping.',
  schema: Type.Integer({ minimum: 1 }),
  examples: named({ 'A number from the list': 27 }),
}

const ALSO_BY_POST = 'A `POST` to the path without its final slash reads it too; its body is not looked at.'

const EXAMPLES: Readonly<Record<keyof typeof FlipsQuery.properties, Readonly<Record<string, number>>>> = {
  seconds: { 'The last hour': 3600 },
  start: { 'Since the start of March 2026': 1_772_323_200 },
  end: { 'Before April 2026': 1_775_001_600 },
}

const { seconds, start, end } = FlipsQuery.properties
/** An empty `seconds` is none; the others have to be numbers. */
const RANGE: readonly Parameter[] = [
  rangeParameter('seconds', Type.Union([seconds, Type.Literal('')], { description: seconds.description ?? '' })),
  rangeParameter('start', start),
  rangeParameter('end', end),
]

function rangeParameter(name: keyof typeof EXAMPLES, schema: Parameter['schema']): Parameter {
  const { description = '' } = schema
  return { name, in: 'query', required: false, description, schema, examples: named(EXAMPLES[name]) }
}

export function logPaths(root: string, examples: Examples): Paths {
  const tags = ['Log'] as const
  return {
    [`${root}/checks/{id}/pings/`]: {
      get: {
        operationId: 'listPings',
        tags,
        summary: 'List pings',
        description: `The log, newest first, as far as the project keeps it: 100 pings unless it was set otherwise. A ping whose body was dropped (\`PING_LOG_BYTES\`) has no \`body_url\`. ${ALSO_BY_POST}`,
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
          ...USUAL_OF_ONE,
        },
      },
    },
    [`${root}/checks/{id}/pings/{n}/body`]: {
      get: {
        operationId: 'getPingBody',
        tags,
        summary: 'Read the body of a ping',
        description:
          'The bytes as they came in, up to the limit; 404 also when there was no body, or when it was dropped.',
        security: WRITE,
        parameters: [CHECK_UUID, PING_NUMBER],
        responses: {
          200: {
            description: 'The bytes, whatever they are.',
            headers: API_HEADERS,
            content: {
              'text/plain': { schema: Text(), examples: named({ 'Output of a job': 'backup finished, 3 files\n' }) },
            },
          },
          ...USUAL_OF_ONE,
          404: refusal('There is no such check, ping or body, or the body was dropped.', {
            'No such thing': 'not found',
            'The log had no room for it':
              "the body of this ping (31457280 bytes) was dropped, because the bodies in a check's log are limited to 16777216 bytes (PING_LOG_BYTES)",
          }),
        },
      },
    },
    [`${root}/checks/{id}/flips/`]: {
      get: {
        operationId: 'listFlips',
        tags,
        summary: 'List changes of status',
        description: `Newest first. Filters that are given must all hold; of a repeated one the last counts. ${ALSO_BY_POST}`,
        security: READ,
        parameters: [CHECK_UUID_OR_KEY, ...RANGE],
        responses: {
          200: {
            description: 'The flips.',
            headers: API_HEADERS,
            content: json(schemaRef('Flips'), { 'Down and up again': examples.flips }),
          },
          400: refusal('A filter is not understood.', {
            'Not a number': 'query validation error: start is not a number',
            'Out of bounds': 'query validation error: seconds is too large',
          }),
          ...USUAL_OF_ONE,
          ...USUAL_OF_LISTS,
        },
      },
    },
  }
}
