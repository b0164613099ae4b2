/** Badges for the public, described. */
import { Text, Type } from '../../domain/schema.ts'
import { OPEN, PUBLIC_OVER_LIMIT, PUBLIC_UNAVAILABLE, PUBLIC_UNAVAILABLE_OR_BUSY } from './components.ts'
import { BADGE_KEY, type Examples } from './examples.ts'
import { type Answer, headerRefs, named, type Operation, type Parameter, type Paths } from './parts.ts'
import { oneOf } from './schemas.ts'

const path = (name: string, description: string, schema: Parameter['schema'], example: string | number): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
  examples: named({ 'For example': example }),
})

const WORD = Text({ pattern: '^[-A-Za-z0-9_]+$' })
const PROJECT_BADGE_KEY = path(
  'project_badge_key',
  'Names the project; as `badges` of the API lists it.',
  WORD,
  BADGE_KEY,
)
const CHECK_BADGE_KEY = path('badge_key', 'Names the check; as its `badge_url` has it.', WORD, BADGE_KEY)
const TOKEN = path('token', 'A signature; for two states with `-2` behind it.', WORD, 'wQrDPRI2-2')
const TAG = path('tag', 'The tag, percent-encoded twice.', Text(), 'prod')
const STATES = path('states', '3 tells late apart; every other number does not.', Type.Integer({ minimum: 0 }), 2)
const FORMAT = path(
  'format',
  'An image, JSON, or the JSON that https://shields.io/badges/endpoint-badge reads.',
  oneOf(['svg', 'json', 'shields'], 'Format.'),
  'svg',
)

const STATUS = oneOf(['up', 'late', 'down'], 'The worst there is.')
const COUNT = Type.Integer({ minimum: 0 })
const BADGE = Type.Union([
  Type.Object({ status: STATUS, total: COUNT, grace: COUNT, down: COUNT }, { additionalProperties: false }),
  Type.Object(
    {
      schemaVersion: Type.Literal(1),
      label: Text(),
      message: STATUS,
      color: oneOf(['success', 'important', 'critical'], 'As shields.io calls it.'),
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
        'Whoever has the URL may look. New, paused and running checks count as up. Tells every change of a stored status at once, what time and pings alone change within a second; never cached by clients.',
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
        404: { description: 'No such badge or format, or the signature is wrong.' },
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
