/** What probes, scrapers and programs ask the server itself, described. */
import { Text, Type } from '../../domain/schema.ts'
import { STRANGERS_BODY_LIMIT } from '../body.ts'
import { CORS, OPEN, PUBLIC_OVER_LIMIT, PUBLIC_UNAVAILABLE, PUBLIC_UNAVAILABLE_OR_BUSY, refusal } from './components.ts'
import { PROJECT_ID, RUN_ID } from './examples.ts'
import {
  answerRef,
  json,
  named,
  type Operation,
  type Parameter,
  type PathItem,
  type Paths,
  plainText,
  schemaRef,
} from './parts.ts'
import { uuid } from './schemas.ts'

/** The same for `GET` and `HEAD`; answers to `HEAD` have no content. */
function reading(name: string, operation: Omit<Operation, 'operationId' | 'tags'>): PathItem {
  const tags = ['Server'] as const
  const withoutContent = Object.entries(operation.responses).map(([status, answer]) => {
    return [status, '$ref' in answer ? { description: 'As for `GET`.' } : { ...answer, content: {} }] as const
  })
  return {
    get: { operationId: `get${name}`, tags, ...operation },
    head: { operationId: `head${name}`, tags, ...operation, responses: Object.fromEntries(withoutContent) },
  }
}

const ID: Parameter = {
  name: 'project',
  in: 'path',
  required: true,
  description: 'UUID of the project, in lower case.',
  schema: uuid('UUID of the project.'),
  examples: named({ 'A UUID': PROJECT_ID }),
}
const KEY: Parameter = {
  name: 'key',
  in: 'path',
  required: true,
  description: 'A read-only key of the project.',
  schema: Text({ pattern: '^[A-Za-z0-9_]{32}$' }),
  examples: named({ 'A key': 'odr_0123456789ABCDEFGHIJabcdefgh' }),
}

const EXPOSITION = "Prometheus' text format, version 0.0.4."
const NO_KEY = '401'
const PROJECT_ANSWERS = {
  200: plainText(EXPOSITION, {
    'One family': 'hc_check_up{name="Nightly backup", tags="prod", unique_key="8afff1ac"} 1\n',
  }),
  400: plainText('What was sent is not as long as a key.', { 'Not a key': 'a key has 32 characters' }),
  403: plainText('No such key, another kind of key, or one of another project.', {
    'A wrong key': 'this is no read-only key of the project',
  }),
  404: plainText('No UUID, or the server has this switched off.', { 'Switched off': 'not found' }),
  429: PUBLIC_OVER_LIMIT,
  503: PUBLIC_UNAVAILABLE_OR_BUSY,
}

function projectMetrics(name: string, summary: string, parameters: readonly Parameter[]): PathItem {
  const isByHeader = parameters.length === 1
  const missing = plainText('No key.', {
    'No key': 'send a read-only key of the project as "Authorization: Bearer <key>"',
  })
  return reading(name, {
    summary,
    description:
      'Status of each check, and of each tag, as gauges. More than 64 KiB are sent while they are read, without `Content-Length`.',
    security: isByHeader ? [{ readOnlyBearer: [] }] : OPEN,
    parameters,
    responses: { ...PROJECT_ANSWERS, ...(isByHeader ? { [NO_KEY]: missing } : {}) },
  })
}

const OF_ANY_TYPE = (description: string) => Type.Unsafe<unknown>({ description })

/** Not by types: whatever is sent is answered alike. */
const CALLBACK: Operation = {
  operationId: 'reportDelivery',
  tags: ['Server'],
  summary: 'Report what became of a message',
  description:
    'For the services behind channels: they were given this URL with a message that they took. What is unknown, not understood or older than an hour has no effect and is answered alike.',
  security: OPEN,
  parameters: [
    {
      name: 'delivery',
      in: 'path',
      required: true,
      description: 'UUID of the delivery; nobody else knows it.',
      schema: Text(),
      examples: named({ 'A UUID': RUN_ID }),
    },
  ],
  requestBody: {
    description: 'A form, whatever the Content-Type says.',
    required: false,
    content: {
      'application/x-www-form-urlencoded': {
        schema: Type.Unsafe<unknown>({
          properties: {
            error: OF_ANY_TYPE('What went wrong, in words; 200 characters are kept.'),
            mark_disabled: OF_ANY_TYPE('With `error` and not empty: the channel is switched off.'),
            MessageStatus: OF_ANY_TYPE('`failed` or `undelivered`, as Twilio sends it.'),
            CallStatus: OF_ANY_TYPE('`failed`, as Twilio sends it.'),
          },
        }),
        examples: named({ 'Not delivered': { MessageStatus: 'undelivered' } }),
      },
    },
  },
  responses: {
    200: plainText('Heard.', { Heard: 'OK' }),
    413: refusal('The body is too large.', {
      'Over 64 KiB': `the request body is too large, send at most ${STRANGERS_BODY_LIMIT} bytes`,
    }),
    503: answerRef('Unavailable'),
  },
}

/** @param root of the API, such as `/api/v3` */
export function serverPaths(root: string): Paths {
  return {
    [`${root}/status/`]: reading('Status', {
      summary: 'Ask whether the database answers',
      description: '`OPTIONS` is answered like `GET`.',
      security: OPEN,
      responses: { 200: plainText('It does.', { Well: 'OK' }), 503: answerRef('Unavailable') },
    }),
    '/healthz': reading('Health', {
      summary: 'Ask whether the process answers',
      description: 'For a probe of liveness.',
      security: OPEN,
      responses: { 200: plainText('It does.', { Well: 'ok\n' }) },
    }),
    '/readyz': reading('Readiness', {
      summary: 'Ask whether the server can do its work',
      description: 'For a probe of readiness: each part on a line, with what is wrong with it.',
      security: OPEN,
      responses: {
        200: plainText('It can.', { Well: 'database: ok\n' }),
        503: plainText('It cannot; the lines say why.', { 'Not well': 'database: failed: the disk is full\n' }),
      },
    }),
    [`${root}/metrics/`]: reading('Totals', {
      summary: 'Read a few figures of the server',
      description: 'Never open unless the operator has set METRICS_KEY. `OPTIONS` is answered like `GET`.',
      security: [{ metricsKey: [] }],
      responses: {
        200: {
          description: 'The figures; null where there is none yet.',
          content: json(schemaRef('Totals'), {
            'For example': { ts: 1_774_746_600, max_ping_id: 27, max_notification_id: 2, num_unprocessed_flips: 0 },
          }),
        },
        403: answerRef('Forbidden'),
        503: answerRef('Unavailable'),
      },
    }),
    [`${root}/notifications/{delivery}/status`]: { post: CALLBACK },
    '/metrics': reading('Metrics', {
      summary: 'Scrape the server',
      description: 'With METRICS_KEY; where the operator has set none, only from the machine itself.',
      security: [{ metricsKey: [] }, { metricsBearer: [] }, {}],
      responses: {
        200: plainText(EXPOSITION, { 'One family': 'overdue_pings_total{result="ok"} 27\n' }),
        403: plainText('No such key.', {
          'A wrong key': 'send METRICS_KEY as "Authorization: Bearer <key>" or "X-Metrics-Key: <key>"',
          'From elsewhere': 'set METRICS_KEY and send it as "Authorization: Bearer <key>", or ask from 127.0.0.1',
        }),
        503: PUBLIC_UNAVAILABLE,
      },
    }),
    '/projects/{project}/metrics/': projectMetrics('ProjectMetrics', 'Scrape a project', [ID]),
    '/projects/{project}/metrics/{key}': projectMetrics(
      'ProjectMetricsByKey',
      'Scrape a project, with the key in the path',
      [ID, KEY],
    ),
    '/projects/{project}/checks/metrics/{key}': projectMetrics(
      'ProjectChecksMetricsByKey',
      'The same by its older path',
      [ID, KEY],
    ),
    [`${root}/openapi.json`]: reading('Document', {
      summary: 'Read this description',
      description: 'An OpenAPI 3.1 document.',
      security: OPEN,
      responses: {
        200: {
          description: 'The document.',
          headers: CORS,
          content: json(Type.Object({ openapi: Text() }, { additionalProperties: true }), {
            'The beginning of it': { openapi: '3.1.1' },
          }),
        },
      },
    }),
  }
}
