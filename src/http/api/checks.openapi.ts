/** OpenAPI description of the endpoints for checks, including `pause` and `resume`. */
import { Text, Type } from '../../domain/schema.ts'
import { API_BODY_LIMIT } from '../body.ts'
import { ChecksQuery } from './checks.ts'
import {
  API_HEADERS,
  CHECK_ERRORS,
  CONDITIONAL_HEADERS,
  KEY_ERRORS,
  LIST_ERRORS,
  READ,
  refusal,
  WRITE,
} from './description/components.ts'
import { CHECK_ID, CHECK_UNIQUE_KEY, ENTITY_TAG, type Examples, SCHEDULED_SPEC, SPEC } from './description/examples.ts'
import {
  type Answer,
  answerRef,
  json,
  type Link,
  named,
  type Parameter,
  type Paths,
  pathParameter,
  queryParameters,
  schemaRef,
} from './description/parts.ts'
import { UNIQUE_KEY } from './description/schemas.ts'
import { CheckUuid } from './door/path-parameters.ts'

export const CHECK_UUID = pathParameter('id', 'UUID of the check, in lower case.', CheckUuid, { 'A UUID': CHECK_ID })

export const CHECK_UUID_OR_KEY: Parameter = {
  ...CHECK_UUID,
  description: 'UUID of the check, in lower case, or its unique key.',
  schema: Type.Union([CHECK_UUID.schema, UNIQUE_KEY]),
  examples: named({ 'A UUID': CHECK_ID, 'A unique key': CHECK_UNIQUE_KEY }),
}

const FILTERS = queryParameters(ChecksQuery, {
  slug: { 'One slug': 'nightly-backup' },
  tag: { 'One tag': ['prod'], 'Both tags': ['prod', 'db'] },
})

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'One or more `ETag` values of cached answers, separated by commas. The answer is 304 while a cached one is current.',
  schema: Text(),
  examples: named({ 'An ETag': ENTITY_TAG }),
}

/** Links from a response to operations on the check that it contains. */
const LINKS: Readonly<Record<string, Link>> = Object.fromEntries(
  [
    ['getCheck', 'Read it.'],
    ['updateCheck', 'Change it.'],
    ['deleteCheck', 'Delete it.'],
    ['pauseCheck', 'Pause it.'],
    ['resumeCheck', 'Resume it.'],
    ['listPings', 'Read its log.'],
    ['listFlips', 'Read its status changes.'],
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
  'Not valid JSON in UTF-8': 'could not parse request body',
  'Over 128 KiB': `the request body is too large, send at most ${API_BODY_LIMIT} bytes`,
  'Not an object': 'json validation error: value is not an object',
}
/** Responses to an invalid body. The error messages are the same as in Healthchecks. */
const BAD_SPEC = refusal('The body is not valid. The error names the first problem; nothing was changed.', {
  ...BAD_JSON,
  'A wrong type': 'json validation error: timeout is not a number',
  'Out of range': 'json validation error: grace is too small',
  'Too long': 'json validation error: name is too long',
  'A wrong slug': 'json validation error: slug does not match pattern',
  'Not an allowed value': 'json validation error: methods has unexpected value',
  'Not a schedule': 'json validation error: schedule is not a valid cron or OnCalendar expression',
  'Not a time zone': 'json validation error: tz is not a valid timezone',
  'An unknown field in unique': "json validation error: an item in 'unique' has unexpected value",
  'An unknown channel': 'invalid channel identifier: Pager',
  'Several channels with that name': 'non-unique channel identifier: Pager',
  'An empty item': 'empty channel identifier',
})

const SPEC_BODY = {
  description: 'JSON of at most 131,072 bytes. The Content-Type is ignored, and no body counts as `{}`.',
  required: false,
  content: json(schemaRef('CheckSpec'), {
    'A period': SPEC,
    'A schedule; the name is unique': SCHEDULED_SPEC,
    'The key in the body': { api_key: 'odw_…', name: 'Nightly backup' },
  }),
}
const KEY_BODY = {
  description: 'Optional. If the body is an object, it may include the key; `null` counts as an empty body.',
  required: false,
  content: json(schemaRef('KeyOnly'), { 'An empty object': {}, 'The key in the body': { api_key: 'odw_…' } }),
}

/** @param root path of the API, such as `/api/v3` */
export function checkPaths(root: string, examples: Examples, slugNote: string): Paths {
  const tags = ['Checks'] as const
  return {
    [`${root}/checks/`]: {
      get: {
        operationId: 'listChecks',
        tags,
        summary: 'List checks',
        description:
          'Lists the checks of the project that match every filter, oldest first, without pagination. A list of more than 64 KiB may be streamed without `Content-Length`. Each check is consistent, but the checks are not all read at the same moment. If reading fails, the response ends without its last chunk.',
        security: READ,
        parameters: [...FILTERS, IF_NONE_MATCH],
        responses: {
          200: {
            description: 'The checks. A read-only key gets fewer fields.',
            headers: CONDITIONAL_HEADERS,
            content: json(
              Type.Object(
                { checks: Type.Array(Type.Unsafe({ oneOf: [schemaRef('Check'), schemaRef('ReadOnlyCheck')] })) },
                { additionalProperties: false },
              ),
              {
                'With a read-write key': { checks: [examples.up, examples.scheduled] },
                'With a read-only key': { checks: [examples.readOnly] },
                'No match': { checks: [] },
              },
            ),
          },
          304: answerRef('NotModified'),
          ...LIST_ERRORS,
        },
      },
      post: {
        operationId: 'createCheck',
        tags,
        summary: 'Create or update a check',
        description: `Creates a check. With \`unique\`, it updates the oldest check that has the same values in all the listed fields; if there is none, it creates one. ${slugNote} A new check has no channels unless \`channels\` names them.`,
        security: WRITE,
        requestBody: SPEC_BODY,
        responses: {
          200: check('A check matched `unique` and was updated.', { 'The updated check': examples.up }),
          201: {
            ...check('The check was created.', { 'The new check': examples.created }),
            links: { ...LINKS, ...PING_LINKS },
          },
          400: BAD_SPEC,
          ...KEY_ERRORS,
        },
      },
    },
    [`${root}/checks/{id}`]: {
      get: {
        operationId: 'getCheck',
        tags,
        summary: 'Read a check',
        description: 'The path takes the UUID or the unique key. A read-only key gets fewer fields in both cases.',
        security: READ,
        parameters: [CHECK_UUID_OR_KEY, IF_NONE_MATCH],
        responses: {
          200: {
            description: 'The check. A read-only key gets fewer fields.',
            headers: CONDITIONAL_HEADERS,
            content: json(Type.Unsafe({ oneOf: [schemaRef('Check'), schemaRef('ReadOnlyCheck')] }), {
              'With a read-write key': examples.up,
              'With a read-only key': examples.readOnly,
            }),
          },
          304: answerRef('NotModified'),
          ...CHECK_ERRORS,
        },
      },
      post: {
        operationId: 'updateCheck',
        tags,
        summary: 'Update a check',
        description: `Fields that the body leaves out keep their values; \`unique\` has no effect here. ${slugNote} \`timeout\` without \`schedule\` turns any check into a simple one. Status, pings and flips do not change.`,
        security: WRITE,
        parameters: [CHECK_UUID],
        requestBody: SPEC_BODY,
        responses: {
          200: check('The updated check.', { 'The updated check': examples.up }),
          400: BAD_SPEC,
          405: answerRef('MethodNotAllowed'),
          ...CHECK_ERRORS,
        },
      },
      delete: {
        operationId: 'deleteCheck',
        tags,
        summary: 'Delete a check',
        description: 'Deletes the check, its log and its flips. This cannot be undone.',
        security: WRITE,
        parameters: [CHECK_UUID],
        responses: {
          200: check('The check as it was before it was deleted.', { 'The deleted check': examples.up }),
          405: answerRef('MethodNotAllowed'),
          ...CHECK_ERRORS,
        },
      },
    },
    [`${root}/checks/{id}/pause`]: {
      post: {
        operationId: 'pauseCheck',
        tags,
        summary: 'Pause a check',
        description:
          'A paused check does not go down when no ping arrives. The next ping resumes it, unless `manual_resume` is set.',
        security: WRITE,
        parameters: [CHECK_UUID],
        requestBody: KEY_BODY,
        responses: {
          200: check('The paused check, even if it was paused already.', { 'The paused check': examples.paused }),
          400: refusal('The body is neither empty nor an object.', BAD_JSON),
          ...CHECK_ERRORS,
        },
      },
    },
    [`${root}/checks/{id}/resume`]: {
      post: {
        operationId: 'resumeCheck',
        tags,
        summary: 'Resume a paused check',
        description: 'The status of the check becomes `new`, as before its first ping.',
        security: WRITE,
        parameters: [CHECK_UUID],
        requestBody: KEY_BODY,
        responses: {
          200: check('The resumed check.', { 'The resumed check': examples.resumed }),
          400: refusal('The body is neither empty nor an object.', BAD_JSON),
          409: refusal('The check is not paused.', { 'Not paused': 'check is not paused' }),
          ...CHECK_ERRORS,
        },
      },
    },
  }
}
