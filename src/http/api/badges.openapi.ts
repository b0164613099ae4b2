/** OpenAPI description of the public badges. */
import { Text, Type } from '../../domain/schema.ts'
import { OPEN, PUBLIC_OVER_LIMIT, PUBLIC_UNAVAILABLE, PUBLIC_UNAVAILABLE_OR_BUSY } from './description/components.ts'
import { BADGE_KEY, type Examples } from './description/examples.ts'
import {
  type Answer,
  headerRefs,
  named,
  type Operation,
  type Parameter,
  type Paths,
  pathParameter,
} from './description/parts.ts'
import { oneOf } from './description/schema-parts.ts'

const path = (name: string, description: string, schema: Parameter['schema'], example: string | number) =>
  pathParameter(name, description, schema, { 'For example': example })

const WORD = Text({ pattern: '^[-A-Za-z0-9_]+$' })
const PROJECT_BADGE_KEY = path(
  'project_badge_key',
  'Badge key of the project, as in the URLs that the API lists under `badges`.',
  WORD,
  BADGE_KEY,
)
const CHECK_BADGE_KEY = path('badge_key', 'Badge key of the check, as in its `badge_url`.', WORD, BADGE_KEY)
const TOKEN = path('token', 'The signature of the URL, followed by `-2` for two states.', WORD, 'wQrDPRI2-2')
const TAG = path('tag', 'The tag, percent-encoded twice.', Text(), 'prod')
const STATES = path(
  'states',
  '`3` shows a late check as `late`; any other number shows it as `up`.',
  Type.Integer({ minimum: 0 }),
  2,
)
const FORMAT = path(
  'format',
  'An SVG image, JSON, or JSON for https://shields.io/badges/endpoint-badge.',
  oneOf(['svg', 'json', 'shields'], 'Format.'),
  'svg',
)

const STATUS = oneOf(['up', 'late', 'down'], 'The worst status of all the checks.')
const COUNT = Type.Integer({ minimum: 0 })
const BADGE = Type.Union([
  Type.Object({ status: STATUS, total: COUNT, grace: COUNT, down: COUNT }, { additionalProperties: false }),
  Type.Object(
    {
      schemaVersion: Type.Literal(1),
      label: Text(),
      message: STATUS,
      color: oneOf(['success', 'important', 'critical'], 'A color name of shields.io.'),
    },
    { additionalProperties: false },
  ),
])

function operation(
  operationId: string,
  summary: string,
  parameters: readonly Parameter[],
  examples: Examples,
  unavailable: Answer,
): { readonly get: Operation } {
  return {
    get: {
      operationId,
      tags: ['Badges'],
      summary,
      description:
        'Anyone who has the URL can read the badge. New, paused and running checks count as `up`. A badge may lag behind by one second. Clients must not cache the badge.',
      security: OPEN,
      parameters,
      responses: {
        200: {
          description: 'The badge.',
          headers: headerRefs('Access-Control-Allow-Origin', 'Access-Control-Allow-Methods', 'Cache-Control'),
          content: {
            'image/svg+xml': { schema: Text() },
            'application/json': { schema: BADGE, examples: named(examples.badge) },
          },
        },
        404: { description: 'There is no such badge or format, or the signature is wrong.' },
        429: PUBLIC_OVER_LIMIT,
        503: unavailable,
      },
    },
  }
}

export function badgePaths(examples: Examples): Paths {
  return {
    '/badge/{project_badge_key}/{token}.{format}': operation(
      'getProjectBadge',
      'Show the status of all checks of a project',
      [PROJECT_BADGE_KEY, TOKEN, FORMAT],
      examples,
      PUBLIC_UNAVAILABLE_OR_BUSY,
    ),
    '/badge/{project_badge_key}/{token}/{tag}.{format}': operation(
      'getTagBadge',
      'Show the status of the checks with a tag',
      [PROJECT_BADGE_KEY, TOKEN, TAG, FORMAT],
      examples,
      PUBLIC_UNAVAILABLE_OR_BUSY,
    ),
    '/b/{states}/{badge_key}.{format}': operation(
      'getCheckBadge',
      'Show the status of one check',
      [STATES, CHECK_BADGE_KEY, FORMAT],
      examples,
      PUBLIC_UNAVAILABLE,
    ),
  }
}
