/** The ping endpoint, described. */
import { Text, type TSchema, Type } from '../../domain/schema.ts'
import { OPEN } from './components.ts'
import { CHECK_ID, PING_KEY, RUN_ID } from './examples.ts'
import { type Answer, headerRefs, type Method, named, type Operation, type Parameter, type Paths } from './parts.ts'
import { uuid } from './schemas.ts'

interface Signal {
  /** in operation ids */
  readonly name: string
  /** what follows the check in the path */
  readonly tail: string
  readonly summary: string
  readonly description: string
}

const SUCCESS: Signal = {
  name: 'Success',
  tail: '',
  summary: 'Signal success',
  description: 'The job has ended well. Served with a final slash too.',
}
const NAMED: readonly Signal[] = [
  {
    name: 'Start',
    tail: '/start',
    summary: 'Signal the start',
    description: 'The job has begun: its duration is measured, and it has to end within the grace time.',
  },
  { name: 'Fail', tail: '/fail', summary: 'Signal failure', description: 'The check goes down at once.' },
  { name: 'Log', tail: '/log', summary: 'Write into the log', description: 'A note for the log and nothing else.' },
]
const EXIT_STATUS: Signal = {
  name: 'ExitStatus',
  tail: '/{exitstatus}',
  summary: 'Report an exit status',
  description: '0 is success, everything else is failure.',
}
// OpenAPI takes `/ping/{uuid}/{exitstatus}` for the same path as this one, so one description has to tell of both.
const SLUG_SUCCESS: Signal = {
  ...SUCCESS,
  summary: 'Signal success by slug, or report an exit status by UUID',
  description:
    '`/ping/<ping key>/<slug>` says that the job has ended well. `/ping/<uuid>/<0…255>` reports the exit status of a job: 0 is success, everything else is failure.',
}

const METHODS: readonly Method[] = ['get', 'head', 'post']

const path = (name: string, description: string, schema: TSchema, examples: Record<string, unknown>): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
  examples: named(examples),
})

const UUID = path('uuid', 'UUID of the check, in lower case.', uuid('UUID of the check.'), { 'A UUID': CHECK_ID })
const WORD = Text({ pattern: '^[-A-Za-z0-9_]+$' })
const SLUG_WORD = Text({ pattern: '^[a-z0-9_-]+$' })
const PING_KEY_OR_UUID = path('ping_key', "The project's ping key; or the UUID of a check.", WORD, {
  'A ping key': PING_KEY,
  'A UUID': CHECK_ID,
})
const SLUG_OR_STATUS = path('slug', 'The slug of a check; or, after a UUID, an exit status from 0 to 255.', SLUG_WORD, {
  'A slug': 'nightly-backup',
  'An exit status': '1',
})
const KEY = path('ping_key', "The project's ping key.", WORD, { 'A ping key': PING_KEY })
const SLUG = path('slug', 'The slug of a check.', SLUG_WORD, { 'A slug': 'nightly-backup' })
const STATUS = path('exitstatus', 'Exit status of the job.', Type.Integer({ minimum: 0, maximum: 255 }), {
  Success: 0,
  Failure: 1,
})

const RID: Parameter = {
  name: 'rid',
  in: 'query',
  required: false,
  description: 'Run id, of your making: pairs a start with its end when runs overlap.',
  schema: Text({ format: 'uuid' }),
  examples: named({ 'A run id': RUN_ID }),
}
const CREATE: Parameter = {
  name: 'create',
  in: 'query',
  required: false,
  description: '`1` makes the check when there is none, with all defaults and all channels; anything else does not.',
  schema: Text(),
  examples: named({ 'Make it': '1' }),
}

const BODY = {
  description:
    'Whatever should stand in the log, of any media type; kept up to the limit of the server, and of any length.',
  required: false,
  content: {
    'text/plain': { schema: Text(), examples: named({ 'Output of a job': 'backup finished, 3 files\n' }) },
    'application/octet-stream': { schema: Type.Unsafe<string>({}) },
  },
}

const ACCEPTED_HEADERS = headerRefs('Access-Control-Allow-Origin', 'Ping-Body-Limit', 'Cache-Control')

/** @param hasBody false for `HEAD` */
function words(
  description: string,
  hasBody: boolean,
  said: Record<string, string>,
  headers?: Answer['headers'],
): Answer {
  return {
    description,
    ...(headers ? { headers } : {}),
    ...(hasBody ? { content: { 'text/plain': { schema: Text(), examples: named(said) } } } : {}),
  }
}

function answers(isBySlug: boolean, method: Method): Operation['responses'] {
  const hasBody = method !== 'head'
  const answer = (description: string, said: Record<string, string>) => words(description, hasBody, said)
  return {
    200: words('The ping is on disk, also when the check ignores it.', hasBody, { 'On disk': 'OK' }, ACCEPTED_HEADERS),
    400: answer('Nothing was logged.', {
      'An exit status over 255, or a slug in upper case': 'invalid url format',
      'A run id that is no UUID': 'invalid uuid format',
    }),
    404: answer('No such check, or a path of another form.', { 'No such check': 'not found' }),
    ...(isBySlug
      ? {
          201: words('The check was made, and the ping is on disk.', hasBody, { Made: 'Created' }, ACCEPTED_HEADERS),
          409: answer('Several checks of the project have this slug.', { 'Several checks': 'ambiguous slug' }),
        }
      : {}),
    503: words(
      'The database cannot be used just now; nothing was logged. Try again.',
      hasBody,
      { 'Try again': 'the database cannot be used at the moment, please try again' },
      headerRefs('Retry-After'),
    ),
  }
}

function pathItem(prefix: string, signal: Signal, parameters: readonly Parameter[], isBySlug: boolean) {
  const operation = (method: Method): Operation => ({
    operationId: `${prefix}${signal.name}${method[0]?.toUpperCase()}${method.slice(1)}`,
    tags: ['Pings'],
    summary: isBySlug && signal !== SLUG_SUCCESS ? `${signal.summary}, by slug` : signal.summary,
    description: `${signal.description} Every method does the same, except a browser's preflight (\`OPTIONS\` with \`Access-Control-Request-Method\`), which is no ping; the body of a \`GET\` or \`HEAD\` is not kept.`,
    security: OPEN,
    parameters: [...parameters, RID, ...(isBySlug ? [CREATE] : [])],
    ...(method === 'post' ? { requestBody: BODY } : {}),
    responses: answers(isBySlug, method),
  })
  return Object.fromEntries(METHODS.map((method) => [method, operation(method)]))
}

export function pingPaths(): Paths {
  const byUuid = [SUCCESS, ...NAMED].map((signal) => [
    `/ping/{uuid}${signal.tail}`,
    pathItem('ping', signal, [UUID], false),
  ])
  const bySlug = [...NAMED, EXIT_STATUS].map((signal) => {
    const parameters = signal === EXIT_STATUS ? [KEY, SLUG, STATUS] : [KEY, SLUG]
    return [`/ping/{ping_key}/{slug}${signal.tail}`, pathItem('pingSlug', signal, parameters, true)]
  })
  const either = pathItem('pingSlug', SLUG_SUCCESS, [PING_KEY_OR_UUID, SLUG_OR_STATUS], true)
  return Object.fromEntries([...byUuid, ['/ping/{ping_key}/{slug}', either], ...bySlug])
}
