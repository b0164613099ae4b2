/** `overdue ping`: a ping by the road that every job takes, the server's ping URL. */
import { version } from '../../package.json'
import { UserError } from '../domain/errors.ts'
import { isUuid, parseRid } from '../domain/uuid.ts'
import { UsageError } from './arguments.ts'
import type { Command, Context, Values } from './command.ts'
import { CHECK_HELP, openCheck } from './find-check.ts'

export const pingCommands: readonly Command[] = [
  {
    words: 'ping',
    takes: ['CHECK'],
    usage: '[--project NAME_OR_ID] [--start | --fail | --log | --exit-status N] [--rid UUID] [--body TEXT]',
    summary: 'ping a check through the running server',
    details: [
      `${CHECK_HELP} A whole UUID needs no --project.`,
      'It reports a success, or --start, --fail, --log, or the exit status of a job (0 to 255; 0 is success). --rid pairs the',
      'start and the end of one run. --body - reads the body from standard input. The URL is PING_ENDPOINT, or SITE_ROOT/ping/.',
    ].join('\n'),
    example: 'overdue ping backup --project Default --exit-status 1',
    options: {
      project: { type: 'string' },
      start: { type: 'boolean', default: false },
      fail: { type: 'boolean', default: false },
      log: { type: 'boolean', default: false },
      'exit-status': { type: 'string' },
      rid: { type: 'string' },
      body: { type: 'string' },
    },
    run: ping,
  },
]

const PATIENCE_MS = 10_000

async function ping(context: Context): Promise<number> {
  const { config, positionals, values, print } = context
  const signal = readSignal(values)
  const query = readQuery(values)
  const [typed = ''] = positionals
  const id = isUuid(typed) && values.project === undefined ? typed : (await openCheck(context)).found.check.id
  const endpoint = config.links.pingEndpoint
  const response = await send(`${endpoint}${id}${signal}${query}`, endpoint, await readBody(values))
  const answer = (await response.text()).trim()
  if (response.ok) {
    print({ check: id, status: response.status, answer }, `${endpoint} answers: ${answer}`)
    return 0
  }
  const hint =
    response.status === 404
      ? 'check that DATABASE_URL is the one of that server, and that PING_ENDPOINT points to it'
      : 'see docs/api.md for the answers to pings'
  throw new UserError(`${endpoint} answers ${response.status} ${answer.slice(0, 200)}`, hint)
}

/** What follows the UUID in the path. @throws UsageError */
function readSignal(values: Values): string {
  const status = values['exit-status']
  const given = [
    ...(['start', 'fail', 'log'] as const).filter((name) => values[name]),
    ...(status === undefined ? [] : [String(status)]),
  ]
  const help = 'see `overdue ping --help`'
  if (given.length > 1) throw new UsageError('use only one of --start, --fail, --log and --exit-status', help)
  if (status !== undefined && !(/^\d{1,3}$/.test(String(status)) && Number(status) <= 255)) {
    throw new UsageError(`--exit-status ${status} is not usable`, `use a whole number from 0 to 255; ${help}`)
  }
  return given.map((signal) => `/${signal}`).join('')
}

function readQuery({ rid }: Values): string {
  if (rid === undefined) return ''
  const parsed = parseRid(String(rid))
  if (parsed === null)
    throw new UserError(`--rid ${rid} is not a UUID`, 'use one like 4a9f7c3e-8a55-4a63-9f6b-0d3d1c2b4e5f')
  return `?rid=${parsed}`
}

async function readBody({ body }: Values): Promise<Uint8Array | string> {
  return body === '-' ? Bun.stdin.bytes() : String(body ?? '')
}

/** By POST, since a check may take no other method. */
async function send(url: string, endpoint: string, body: Uint8Array | string): Promise<Response> {
  try {
    const headers = { 'User-Agent': `overdue/${version}`, 'Content-Type': 'text/plain' }
    return await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(PATIENCE_MS) })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const hint =
      'start the server with `overdue serve`; if it runs, set PORT, SITE_ROOT or PING_ENDPOINT as it was started with'
    throw new UserError(`no server answers at ${endpoint}: ${reason}`, hint)
  }
}
