/** OpenAPI description of the server's own endpoints: health, metrics, delivery reports and the OpenAPI document. */
import { Text, Type } from '../../domain/schema.ts'
import { STRANGERS_BODY_LIMIT, STRANGERS_FIELDS_LIMIT, tooManyFields } from '../body.ts'
import {
  CORS,
  OPEN,
  PUBLIC_OVER_LIMIT,
  PUBLIC_UNAVAILABLE,
  PUBLIC_UNAVAILABLE_OR_BUSY,
  refusal,
} from './description/components.ts'
import { PROJECT_ID, RUN_ID } from './description/examples.ts'
import {
  answerRef,
  json,
  named,
  type Operation,
  type Parameter,
  type PathItem,
  type Paths,
  pathParameter,
  plainText,
  schemaRef,
} from './description/parts.ts'
import { uuid } from './door/path-parameters.ts'

/** Describes a path's `GET` and `HEAD` operations. They differ only in that responses to `HEAD` have no content. */
function reading(name: string, operation: Omit<Operation, 'operationId' | 'tags'>): PathItem {
  const tags = ['Server'] as const
  const withoutContent = Object.entries(operation.responses).map(([status, answer]) => {
    return [
      status,
      '$ref' in answer ? { description: 'Same as `GET`, without content.' } : { ...answer, content: {} },
    ] as const
  })
  return {
    get: { operationId: `get${name}`, tags, ...operation },
    head: { operationId: `head${name}`, tags, ...operation, responses: Object.fromEntries(withoutContent) },
  }
}

const ID = pathParameter('project', 'UUID of the project, in lower case.', uuid('UUID of the project.'), {
  'A UUID': PROJECT_ID,
})
const KEY = pathParameter('key', 'A read-only key of the project.', Text({ pattern: '^[A-Za-z0-9_]{32}$' }), {
  'A key': 'odr_0123456789ABCDEFGHIJabcdefgh',
})

const EXPOSITION = "Prometheus' text format, version 0.0.4."
const NO_KEY = '401'
const PROJECT_ANSWERS = {
  200: plainText(EXPOSITION, {
    'One family': 'hc_check_up{name="Nightly backup", tags="prod", unique_key="8afff1ac"} 1\n',
  }),
  400: plainText('The key does not have 32 characters.', { 'Not a key': 'a key has 32 characters' }),
  403: plainText('The key is not a read-only key of this project.', {
    'A wrong key': 'this is not a read-only key of the project',
  }),
  404: plainText('The project is not a UUID, or the operator has disabled project metrics.', { Disabled: 'not found' }),
  429: PUBLIC_OVER_LIMIT,
  503: PUBLIC_UNAVAILABLE_OR_BUSY,
}

function projectMetrics(name: string, summary: string, parameters: readonly Parameter[]): PathItem {
  const isByHeader = parameters.length === 1
  const missing = plainText('The key is missing.', {
    'No key': 'send a read-only key of the project as "Authorization: Bearer <key>"',
  })
  return reading(name, {
    summary,
    description:
      'Status of each check and each tag, as gauges. Responses of more than 64 KiB are sent in chunks, without `Content-Length`.',
    security: isByHeader ? [{ readOnlyBearer: [] }] : OPEN,
    parameters,
    responses: { ...PROJECT_ANSWERS, ...(isByHeader ? { [NO_KEY]: missing } : {}) },
  })
}

const OF_ANY_TYPE = (description: string) => Type.Unsafe<unknown>({ description })

/** The operation for delivery reports. The fields have no types, because the server gives the same response for every value. */
const CALLBACK: Operation = {
  operationId: 'reportDelivery',
  tags: ['Server'],
  summary: 'Report the delivery of a message',
  description:
    'Services behind channels, such as Twilio, get this URL with each message. Reports about unknown messages or messages older than an hour have no effect, but get the same response.',
  security: OPEN,
  parameters: [
    pathParameter('delivery', 'UUID of the delivery. Only the service knows it.', Text(), { 'A UUID': RUN_ID }),
  ],
  requestBody: {
    description: 'A form. The Content-Type is ignored.',
    required: false,
    content: {
      'application/x-www-form-urlencoded': {
        schema: Type.Unsafe<unknown>({
          properties: {
            error: OF_ANY_TYPE('The problem in words. The server keeps 200 characters.'),
            mark_disabled: OF_ANY_TYPE('If this is not empty and `error` is set, the channel is disabled.'),
            MessageStatus: OF_ANY_TYPE('`failed` or `undelivered`, as Twilio sends it.'),
            CallStatus: OF_ANY_TYPE('`failed`, as Twilio sends it.'),
          },
        }),
        examples: named({ 'Not delivered': { MessageStatus: 'undelivered' } }),
      },
    },
  },
  responses: {
    200: plainText('The report was received.', { Received: 'OK' }),
    413: refusal('The body is too large.', {
      'Over 64 KiB': `the request body is too large, send at most ${STRANGERS_BODY_LIMIT} bytes`,
      'Over 1,000 fields': tooManyFields(STRANGERS_FIELDS_LIMIT).message,
    }),
    503: answerRef('Unavailable'),
  },
}

/** @param root path of the API, such as `/api/v3` */
export function serverPaths(root: string): Paths {
  return {
    [`${root}/status/`]: reading('Status', {
      summary: 'Check that the database answers',
      description: '`OPTIONS` is answered like `GET`.',
      security: OPEN,
      responses: { 200: plainText('The database answers.', { Healthy: 'OK' }), 503: answerRef('Unavailable') },
    }),
    '/healthz': reading('Health', {
      summary: 'Check that the process answers',
      description: 'For load balancers and liveness probes.',
      security: OPEN,
      responses: {
        200: plainText('The process answers.', { Healthy: 'ok\n' }),
        503: plainText('The server is shutting down. It still answers other requests for `DRAIN_SECONDS`.', {
          Stopping: 'stopping\n',
        }),
      },
    }),
    '/readyz': reading('Readiness', {
      summary: 'Check that the server can do its work',
      description: 'For readiness probes. Each line names a part of the server and its problem.',
      security: OPEN,
      responses: {
        200: plainText('The server can do its work.', { Healthy: 'database: ok\n' }),
        503: plainText('The server cannot do its work, for the reasons in the lines.', {
          Unhealthy: 'database: failed: the disk is full\n',
        }),
      },
    }),
    [`${root}/metrics/`]: reading('Totals', {
      summary: 'Read the totals of the server',
      description:
        'Needs METRICS_KEY. Without this setting, nobody can read the totals. `OPTIONS` is answered like `GET`.',
      security: [{ metricsKey: [] }],
      responses: {
        200: {
          description: 'The totals; null if there is nothing to count yet.',
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
      summary: 'Scrape the metrics of the server',
      description: 'Needs METRICS_KEY. Without this setting, only clients on the same machine can read the metrics.',
      security: [{ metricsKey: [] }, { metricsBearer: [] }, {}],
      responses: {
        200: plainText(EXPOSITION, { 'One family': 'overdue_pings_total{result="ok"} 27\n' }),
        403: plainText('The key is missing or wrong.', {
          'A wrong key': 'send METRICS_KEY as "Authorization: Bearer <key>" or "X-Metrics-Key: <key>"',
          'No METRICS_KEY is set':
            'set METRICS_KEY and send it as "Authorization: Bearer <key>", or connect from 127.0.0.1',
        }),
        503: PUBLIC_UNAVAILABLE,
      },
    }),
    '/projects/{project}/metrics/': projectMetrics('ProjectMetrics', 'Scrape the metrics of a project', [ID]),
    '/projects/{project}/metrics/{key}': projectMetrics(
      'ProjectMetricsByKey',
      'Scrape the metrics of a project, with the key in the path',
      [ID, KEY],
    ),
    '/projects/{project}/checks/metrics/{key}': projectMetrics(
      'ProjectChecksMetricsByKey',
      'Scrape the metrics of a project, by an older path',
      [ID, KEY],
    ),
    ...documentPaths(root),
  }
}

/**
 * Describes the endpoint that serves the OpenAPI document.
 * @param root path of the API that the document describes
 */
export function documentPaths(root: string): Paths {
  return {
    [`${root}/openapi.json`]: reading('Document', {
      summary: 'Read this document',
      description: 'An OpenAPI 3.1 document.',
      security: OPEN,
      responses: {
        200: {
          description: 'The document.',
          headers: CORS,
          content: json(Type.Object({ openapi: Text() }, { additionalProperties: true }), {
            'Its beginning': { openapi: '3.1.1' },
          }),
        },
      },
    }),
  }
}
