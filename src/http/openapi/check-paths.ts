/** `checks`, one check, `pause` and `resume`, described. */
import { Text, Type } from '../../domain/schema.ts'
import { API_BODY_LIMIT } from '../body.ts'
import { API_HEADERS, CONDITIONAL_HEADERS, READ, refusal, WRITE } from './components.ts'
import { CHECK_ID, CHECK_UNIQUE_KEY, ENTITY_TAG, type Examples, SCHEDULED_SPEC, SPEC } from './examples.ts'
import { type Answer, answerRef, json, type Link, named, type Parameter, type Paths, schemaRef } from './parts.ts'
import { UNIQUE_KEY, uuid } from './schemas.ts'

/** What happens to every operation with a key. */
export const USUAL = {
  401: answerRef('Unauthorized'),
  429: answerRef('TooManyRequests'),
  503: answerRef('Unavailable'),
}
/** To one that reads long lists. */
export const USUAL_OF_LISTS = { ...USUAL, 503: answerRef('UnavailableOrBusy') }
/** And to every one on a check. */
export const USUAL_OF_ONE = { ...USUAL, 403: answerRef('Forbidden'), 404: answerRef('NotFound') }

export const CHECK_UUID: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'UUID of the check, in lower case.',
  schema: uuid('UUID of the check.'),
  examples: named({ 'A UUID': CHECK_ID }),
}

export const CHECK_UUID_OR_KEY: Parameter = {
  ...CHECK_UUID,
  description: 'UUID of the check in lower case, or its unique key.',
  schema: Type.Union([CHECK_UUID.schema, UNIQUE_KEY]),
  examples: named({ 'A UUID': CHECK_ID, 'A unique key': CHECK_UNIQUE_KEY }),
}

const FILTERS: readonly Parameter[] = [
  {
    name: 'slug',
    in: 'query',
    required: false,
    description: 'Only checks with this slug; empty is no filter, and of several the last counts.',
    schema: Text(),
    examples: named({ 'One slug': 'nightly-backup' }),
  },
  {
    name: 'tag',
    in: 'query',
    required: false,
    description: 'Only checks with this tag; of several, with all of them. An empty one matches nothing.',
    schema: Type.Array(Text()),
    explode: true,
    examples: named({ 'One tag': ['prod'], 'Both tags': ['prod', 'db'] }),
  },
]

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the answer that the client has, or several between commas: 304 while it is the same.',
  schema: Text(),
  examples: named({ 'An ETag': ENTITY_TAG }),
}

/** What can be done next with a check that was just answered. */
const LINKS: Readonly<Record<string, Link>> = Object.fromEntries(
  [
    ['getCheck', 'Read it.'],
    ['updateCheck', 'Change it.'],
    ['deleteCheck', 'Delete it.'],
    ['pauseCheck', 'Pause it.'],
    ['resumeCheck', 'Resume it.'],
    ['listPings', 'Read its log.'],
    ['listFlips', 'Read its changes of status.'],
  ].map(([operationId = '', description = '']) => [
    operationId,
    { operationId, description, parameters: { id: '$response.body#/uuid' } },
  ]),
)

const PING_LINKS: Readonly<Record<string, Link>> = Object.fromEntries(
  ['pingSuccessPost', 'pingStartPost', 'pingFailPost', 'pingLogPost'].map((operationId) => [
    operationId,
    { operationId, description: 'Ping it.', parameters: { uuid: '$response.body#/uuid' } },
  ]),
)

function check(description: string, examples: Readonly<Record<string, unknown>>): Answer {
  return { description, headers: API_HEADERS, content: json(schemaRef('Check'), examples) }
}

const BAD_JSON = {
  'Not JSON in UTF-8': 'could not parse request body',
  'Over 128 KiB': `the request body is too large, send at most ${API_BODY_LIMIT} bytes`,
  'Not an object': 'json validation error: value is not an object',
}
/** The words are those of Healthchecks. */
const BAD_SPEC = refusal('The first thing that is wrong with the body; nothing was changed.', {
  ...BAD_JSON,
  'A wrong type': 'json validation error: timeout is not a number',
  'Out of bounds': 'json validation error: grace is too small',
  'Too long': 'json validation error: name is too long',
  'A wrong slug': 'json validation error: slug does not match pattern',
  'Not one of the values': 'json validation error: methods has unexpected value',
  'Not a schedule': 'json validation error: schedule is not a valid cron or OnCalendar expression',
  'Not a time zone': 'json validation error: tz is not a valid timezone',
  'A wrong field in unique': "json validation error: an item in 'unique' has unexpected value",
  'No such channel': 'invalid channel identifier: Pager',
  'Several channels of that name': 'non-unique channel identifier: Pager',
  'Nothing between commas': 'empty channel identifier',
})

const SPEC_BODY = {
  description: 'JSON of at most 131,072 bytes, whatever the Content-Type says; no body is the same as `{}`.',
  required: false,
  content: json(schemaRef('CheckSpec'), {
    'A period': SPEC,
    'A schedule, and only one check of the name': SCHEDULED_SPEC,
    'The key in the body': { api_key: 'odw_…', name: 'Nightly backup' },
  }),
}
const KEY_BODY = {
  description: 'Nothing is needed. An object can hold the key; `null` counts as nothing.',
  required: false,
  content: json(schemaRef('KeyOnly'), { 'Nothing to say': {}, 'The key in the body': { api_key: 'odw_…' } }),
}

/** @param root of the API, such as `/api/v3` */
export function checkPaths(root: string, examples: Examples, slugNote: string): Paths {
  const tags = ['Checks'] as const
  return {
    [`${root}/checks/`]: {
      get: {
        operationId: 'listChecks',
        tags,
        summary: 'List checks',
        description:
          'All checks of the project, the oldest first, or those that fit every filter. There are no pages. A list of more than 64 KiB that has to be read is sent meanwhile, without `Content-Length`: each check is as it was at one moment, but not all at the same one. One that breaks off ends without its last chunk.',
        security: READ,
        parameters: [...FILTERS, IF_NONE_MATCH],
        responses: {
          200: {
            description: 'What was found; each check as the key may see it.',
            headers: CONDITIONAL_HEADERS,
            content: json(
              Type.Object(
                { checks: Type.Array(Type.Unsafe({ oneOf: [schemaRef('Check'), schemaRef('ReadOnlyCheck')] })) },
                { additionalProperties: false },
              ),
              {
                'With a read-write key': { checks: [examples.up, examples.scheduled] },
                'With a read-only key': { checks: [examples.readOnly] },
                'Nothing fits': { checks: [] },
              },
            ),
          },
          304: answerRef('NotModified'),
          ...USUAL_OF_LISTS,
        },
      },
      post: {
        operationId: 'createCheck',
        tags,
        summary: 'Create or update a check',
        description: `Makes a check. With \`unique\`, the oldest check that agrees in all of those fields is changed instead, if there is one. ${slugNote} A check made here has no channels unless they are asked for.`,
        security: WRITE,
        requestBody: SPEC_BODY,
        responses: {
          200: check('A check was found by `unique` and changed.', { 'The changed check': examples.up }),
          201: {
            ...check('The check was made.', { 'The new check': examples.created }),
            links: { ...LINKS, ...PING_LINKS },
          },
          400: BAD_SPEC,
          ...USUAL,
        },
      },
    },
    [`${root}/checks/{id}`]: {
      get: {
        operationId: 'getCheck',
        tags,
        summary: 'Read a check',
        description: 'By its UUID or its unique key. A read-only key sees less, whichever of them is used.',
        security: READ,
        parameters: [CHECK_UUID_OR_KEY, IF_NONE_MATCH],
        responses: {
          200: {
            description: 'The check, as the key may see it.',
            headers: CONDITIONAL_HEADERS,
            content: json(Type.Unsafe({ oneOf: [schemaRef('Check'), schemaRef('ReadOnlyCheck')] }), {
              'With a read-write key': examples.up,
              'With a read-only key': examples.readOnly,
            }),
          },
          304: answerRef('NotModified'),
          ...USUAL_OF_ONE,
        },
      },
      post: {
        operationId: 'updateCheck',
        tags,
        summary: 'Change a check',
        description: `What the body leaves out stays as it is; \`unique\` has no effect here. ${slugNote} \`timeout\` alone makes any check a simple one. Status, pings and flips are not touched.`,
        security: WRITE,
        parameters: [CHECK_UUID],
        requestBody: SPEC_BODY,
        responses: {
          200: check('The check as it is now.', { 'The changed check': examples.up }),
          400: BAD_SPEC,
          405: answerRef('MethodNotAllowed'),
          ...USUAL_OF_ONE,
        },
      },
      delete: {
        operationId: 'deleteCheck',
        tags,
        summary: 'Delete a check',
        description: 'With its log and its flips. There is no way back.',
        security: WRITE,
        parameters: [CHECK_UUID],
        responses: {
          200: check('The check as it was just before.', { 'The deleted check': examples.up }),
          405: answerRef('MethodNotAllowed'),
          ...USUAL_OF_ONE,
        },
      },
    },
    [`${root}/checks/{id}/pause`]: {
      post: {
        operationId: 'pauseCheck',
        tags,
        summary: 'Pause a check',
        description: 'Silence does not count until the next ping or, with `manual_resume`, until it is resumed.',
        security: WRITE,
        parameters: [CHECK_UUID],
        requestBody: KEY_BODY,
        responses: {
          200: check('The paused check, also when it was paused before.', { 'The paused check': examples.paused }),
          400: refusal('The body is neither empty nor an object.', BAD_JSON),
          ...USUAL_OF_ONE,
        },
      },
    },
    [`${root}/checks/{id}/resume`]: {
      post: {
        operationId: 'resumeCheck',
        tags,
        summary: 'Resume a paused check',
        description: 'It becomes `new`, as before its first ping.',
        security: WRITE,
        parameters: [CHECK_UUID],
        requestBody: KEY_BODY,
        responses: {
          200: check('The resumed check.', { 'The resumed check': examples.resumed }),
          400: refusal('The body is neither empty nor an object.', BAD_JSON),
          409: refusal('There is no pause to end.', { 'Not paused': 'check is not paused' }),
          ...USUAL_OF_ONE,
        },
      },
    },
  }
}
