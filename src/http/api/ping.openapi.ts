/** OpenAPI description of the ping endpoint. */
import { Text, Type } from '../../domain/schema.ts'
import { OPEN } from './description/components.ts'
import { CHECK_ID, PING_KEY, RUN_ID } from './description/examples.ts'
import {
  type Answer,
  headerRefs,
  type Method,
  named,
  type Operation,
  type Parameter,
  type Paths,
  pathParameter,
  plainText,
  queryParameter,
} from './description/parts.ts'
import { uuid } from './door/path-parameters.ts'

interface Signal {
  /** the signal's name, as used in operation ids */
  readonly name: string
  /** the part of the path that follows the check's address */
  readonly tail: string
  readonly summary: string
  readonly description: string
  /** query parameters that only this signal has */
  readonly parameters?: readonly Parameter[]
}

const SUCCESS: Signal = {
  name: 'Success',
  tail: '',
  summary: 'Signal success',
  description: 'The job has succeeded. The final slash is optional.',
}
const FOR = queryParameter(
  'for',
  'Duration of the silence: digits followed by `s`, `m`, `h` or `d`, from one minute to 30 days.',
  Text({ pattern: '^[0-9]{1,7}[smhd]$' }),
  { '20 minutes': '20m' },
)
const UNTIL = queryParameter(
  'until',
  '`healthy`: silences the check until its next success, at most 7 days. Used instead of `for`.',
  Type.Literal('healthy'),
  { 'Until the next success': 'healthy' },
)
const NAMED: readonly Signal[] = [
  {
    name: 'Start',
    tail: '/start',
    summary: 'Signal the start',
    description: 'The job has started. Its duration is measured, and it must end within the grace time.',
  },
  { name: 'Fail', tail: '/fail', summary: 'Signal failure', description: 'The check goes down at once.' },
  {
    name: 'Log',
    tail: '/log',
    summary: 'Write to the log',
    description: 'Adds an entry to the log and changes nothing else.',
  },
  {
    name: 'Silence',
    tail: '/silence',
    summary: 'Silence the check',
    description:
      'Adds an entry to the log and silences the check. The check is still monitored: if it is down when the silence ends, the alert is sent then. A later request replaces the silence.',
    parameters: [FOR, UNTIL],
  },
  {
    name: 'Unsilence',
    tail: '/unsilence',
    summary: 'End the silence',
    description: 'Adds an entry to the log and ends the silence that was started by the ping URL of this check.',
  },
]
const EXIT_STATUS: Signal = {
  name: 'ExitStatus',
  tail: '/{exitstatus}',
  summary: 'Report an exit status',
  description: '0 is a success, any other number a failure.',
}
// OpenAPI treats `/ping/{uuid}/{exitstatus}` as the same path as this one, so one description covers both.
const SLUG_SUCCESS: Signal = {
  ...SUCCESS,
  summary: 'Signal success by slug, or report an exit status by UUID',
  description:
    '`/ping/<ping key>/<slug>`: the job has succeeded. `/ping/<uuid>/<0…255>` reports the exit status of the job: 0 is a success, any other number a failure.',
}

const METHODS: readonly Method[] = ['get', 'head', 'post']

const UUID = pathParameter('uuid', 'UUID of the check, in lower case.', uuid('UUID of the check.'), {
  'A UUID': CHECK_ID,
})
const WORD = Text({ pattern: '^[-A-Za-z0-9_]+$' })
const SLUG_WORD = Text({ pattern: '^[a-z0-9_-]+$' })
const PING_KEY_OR_UUID = pathParameter('ping_key', "The project's ping key, or the UUID of a check.", WORD, {
  'A ping key': PING_KEY,
  'A UUID': CHECK_ID,
})
const SLUG_OR_STATUS = pathParameter(
  'slug',
  'The slug of a check or, after a UUID, an exit status from 0 to 255.',
  SLUG_WORD,
  {
    'A slug': 'nightly-backup',
    'An exit status': '1',
  },
)
const KEY = pathParameter('ping_key', "The project's ping key.", WORD, { 'A ping key': PING_KEY })
const SLUG = pathParameter('slug', 'The slug of a check.', SLUG_WORD, { 'A slug': 'nightly-backup' })
const STATUS = pathParameter('exitstatus', 'Exit status of the job.', Type.Integer({ minimum: 0, maximum: 255 }), {
  Success: 0,
  Failure: 1,
})

const RID = queryParameter(
  'rid',
  'Run id, which you choose. It pairs the start of a run with its end when runs overlap.',
  Text({ format: 'uuid' }),
  { 'A run id': RUN_ID },
)
const AT = queryParameter(
  'at',
  'When it happened, for a ping that is sent later: milliseconds or seconds since 1970, or RFC 3339 with a zone; at most 72 hours ago. The log shows the ping at this time. The status of the check depends on the time of arrival.',
  Text({ format: 'ping-time' }),
  { Milliseconds: '1795835520000', 'RFC 3339': '2026-11-28T03:12:00Z' },
)
const SCHEDULE = queryParameter(
  'schedule',
  'Schedule of the check that `create=1` creates: seconds, a duration such as `1d`, or a cron or OnCalendar expression.',
  Text({ format: 'span-or-schedule' }),
  { 'A cron expression': '0 3 * * *', 'A span': '1d' },
)
const TZ = queryParameter('tz', 'Time zone of `schedule`. The default is UTC.', Text({ format: 'timezone' }), {
  'A zone': 'Europe/Riga',
})
const GRACE = queryParameter(
  'grace',
  'Grace time of the check that `create=1` creates: seconds, or a duration such as `1h`.',
  Text({ format: 'span' }),
  {
    'A span': '1h',
  },
)
const CREATE = queryParameter(
  'create',
  '`1` creates the check if it does not exist. The new check gets all channels, and `schedule`, `tz` and `grace` or their defaults. Other values have no effect.',
  Text(),
  { 'Create it': '1' },
)

const BODY = {
  description:
    'Any content for the log, of any media type and length. The server keeps the beginning, up to its limit.',
  required: false,
  content: {
    'text/plain': { schema: Text(), examples: named({ 'Output of a job': 'backup finished, 3 files\n' }) },
    'application/octet-stream': { schema: Type.Unsafe<string>({}) },
  },
}

const ACCEPTED_HEADERS = headerRefs('Access-Control-Allow-Origin', 'Ping-Body-Limit', 'Cache-Control')

function answers(isBySlug: boolean, method: Method): Operation['responses'] {
  const answer = (...words: Parameters<typeof plainText>): Answer => {
    const { content, ...withoutContent } = plainText(...words)
    return method === 'head' || !content ? withoutContent : { ...withoutContent, content }
  }
  return {
    200: answer('The ping is on disk, even if the check ignores it.', { 'On disk': 'OK' }, ACCEPTED_HEADERS),
    400: answer('The URL is not valid; nothing was logged.', {
      'An exit status above 255, a slug with capitals, or a silence without an end': 'invalid url format',
      'A run id that is not a UUID': 'invalid uuid format',
      'A time that is too long ago': 'at is more than 72 hours ago: a ping may arrive at most 72 hours late',
    }),
    404: answer('There is no such check, or the path is not a ping URL.', { 'No such check': 'not found' }),
    ...(isBySlug
      ? {
          201: answer('The check was created, and the ping is on disk.', { Created: 'Created' }, ACCEPTED_HEADERS),
          409: answer('Several checks of the project have this slug.', { 'Several checks': 'ambiguous slug' }),
        }
      : {}),
    503: answer(
      'The database cannot be used at the moment; nothing was logged. Try again.',
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
    description: `${signal.description} Every method does the same, except that a browser's preflight (\`OPTIONS\` with \`Access-Control-Request-Method\`) is not a ping. The server ignores the body of a \`GET\` or \`HEAD\`.`,
    security: OPEN,
    parameters: [
      ...parameters,
      ...(signal.parameters ?? []),
      RID,
      AT,
      ...(isBySlug ? [CREATE, SCHEDULE, TZ, GRACE] : []),
    ],
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
