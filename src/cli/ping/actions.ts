/** Sends a ping to the running server, as a job does. */
import { version } from '../../../package.json'
import { Refusal } from '../../domain/errors.ts'
import { reasonOf } from '../../lib/errors.ts'
import { isUuid, parseUuid } from '../../lib/secrets/uuid.ts'
import { openCheck } from '../check/find-check.ts'
import type { Context, Values } from '../command.ts'
import type { Input } from '../terminal/io.ts'
import { optionError, usageError } from '../usage.ts'

const PATIENCE_MS = 10_000

export async function ping(context: Context): Promise<undefined> {
  const { readConfig, argument: typed, values, input, print } = context
  const { pingEndpoint: endpoint } = (await readConfig()).links
  const signal = readSignal(values)
  const query = readQuery(values)
  const isByUuid = isUuid(typed) && values.project === undefined
  const id = isByUuid ? typed : (await openCheck(context)).found.check.id
  const response = await send(`${endpoint}${id}${signal}${query}`, endpoint, await readBody(values, input))
  const answer = (await response.text()).trim()
  if (response.ok) {
    print({ check: id, status: response.status, answer }, `${endpoint} answers: ${answer}`)
    return
  }
  const message = `${endpoint} answers ${response.status} ${answer.slice(0, 200)}`
  throw new Refusal('request-failed', message, { hint: hintFor(response.status, isByUuid) })
}

/** @param isByUuid true if the check was not looked up in the database */
function hintFor(status: number, isByUuid: boolean): string {
  if (status !== 404) return 'docs/api.md describes the answers to pings'
  if (isByUuid) return 'check the UUID: there may be no such check; then check that PING_ENDPOINT points to the server'
  return 'check that DATABASE_URL is that of the server, and that PING_ENDPOINT points to the server'
}

/** Returns the part of the ping path that follows the UUID. @throws Refusal `usage` */
function readSignal(values: Values): string {
  const status = values['exit-status']
  const given = [
    ...(['start', 'fail', 'log'] as const).filter((name) => values[name]),
    ...(status === undefined ? [] : [String(status)]),
  ]
  const help = 'see `overdue ping --help`'
  if (given.length > 1) throw usageError('use only one of --start, --fail, --log and --exit-status', help)
  if (status !== undefined && !(/^\d{1,3}$/.test(String(status)) && Number(status) <= 255)) {
    throw usageError(`--exit-status ${status} is not valid`, `use a whole number from 0 to 255; ${help}`)
  }
  return given.map((signal) => `/${signal}`).join('')
}

function readQuery({ rid, at }: Values): string {
  const query = new URLSearchParams()
  if (rid !== undefined) query.set('rid', readRun(rid))
  // The server validates the time.
  if (at !== undefined) query.set('at', String(at))
  return query.size === 0 ? '' : `?${query}`
}

function readRun(rid: Values[string]): string {
  const parsed = parseUuid(String(rid))
  if (parsed === null) {
    throw optionError(`--rid ${rid} is not a UUID`, 'use one like 4a9f7c3e-8a55-4a63-9f6b-0d3d1c2b4e5f')
  }
  return parsed
}

async function readBody({ body }: Values, input: Input): Promise<Uint8Array | string> {
  return body === '-' ? input.bytes() : String(body ?? '')
}

/** Sends the ping with POST, because some checks accept only POST. Returns the server's answer. */
async function send(url: string, endpoint: string, body: Uint8Array | string): Promise<Response> {
  try {
    const headers = { 'User-Agent': `overdue/${version}`, 'Content-Type': 'text/plain' }
    return await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(PATIENCE_MS) })
  } catch (error) {
    const hint =
      'start the server with `overdue serve`; if it is running, set PORT, SITE_ROOT and PING_ENDPOINT as for the server'
    throw new Refusal('request-failed', `no server answers at ${endpoint}: ${reasonOf(error)}`, { hint })
  }
}
