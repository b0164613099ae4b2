/** Checks conditions for every answer, and for the server's state after it. */
import type { Answer } from './answers.ts'
import type { FilledRequest } from './generated-request.ts'
import type { CheckJson, WorkerProject } from './worker-project.ts'

/** @throws Error when the answer breaks a promise */
export function verifyAnswer(request: FilledRequest, answer: Answer): void {
  const { status, body } = answer
  if (status >= 500) throw new Error(`answered ${status}: ${body.toString().slice(0, 500)}`)
  if (status === 431 && request.bytes.indexOf('\r\n\r\n') > HEAD_BYTES) return
  if (!isKnown(request, status)) throw new Error(`answered ${status}, which is not a documented status`)
  if (isApi(request) && status >= 400 && request.method !== 'HEAD') verifyError(answer)
  if (request.kind === 'api') verifyAccess(request, status)
}

/** Limit of Bun's web server for request line and headers together. */
const HEAD_BYTES = 16_000

const KNOWN_STATUSES = new Set([200, 201, 204, 400, 401, 403, 404, 405, 409, 413])

function isKnown({ method, headers }: FilledRequest, status: number): boolean {
  if (status !== 304) return KNOWN_STATUSES.has(status)
  return (method === 'GET' || method === 'HEAD') && headers.some(([name]) => name.toLowerCase() === 'if-none-match')
}

function pathOf({ target }: FilledRequest): string {
  return target.replace(/^http:\/\/example\.org/, '').replace(/\?.*$/, '')
}

/** Whether the path as sent is one of the API. Paths with `..` may lead to the API or not. */
function isApi(request: FilledRequest): boolean {
  return pathOf(request).startsWith('/api/') && !pathOf(request).includes('/..')
}

function verifyError({ status, headers, body }: Answer): void {
  const type = headers.get('content-type') ?? 'none'
  if (!type.startsWith('application/json')) throw new Error(`an error (${status}) of type ${type}`)
  const { error } = JSON.parse(body.toString()) as { error?: unknown }
  if (typeof error !== 'string' || !/[a-z]{3}/.test(error)) throw new Error(`an error without a message: ${body}`)
}

/** A UUID or unique key. Paths without one are about the key's own project. */
const NAMED = /\/[0-9a-f-]{36,40}/
const KEYED = /^\/api\/v[123]\/(?:checks|channels|badges)\b/

function verifyAccess(request: FilledRequest, status: number): void {
  const path = pathOf(request)
  if (status >= 400 || request.method === 'OPTIONS' || !KEYED.test(path) || path.includes('..')) return
  // A POST to `flips` without the final slash reads the list too.
  const isReading = request.method === 'GET' || (request.method === 'POST' && path.endsWith('/flips'))
  const isStrange = request.access === 'stranger' && !NAMED.test(path)
  const isAllowed = isStrange || request.access === 'write' || (request.access === 'read' && isReading)
  if (!isAllowed) throw new Error(`answered ${status} to a key without access (${request.access})`)
}

/** Sends a request and checks its effect: none when it was refused or only reads, otherwise the requested change. */
export async function sendAndVerify(worker: WorkerProject, request: FilledRequest): Promise<Answer> {
  const { access, kind, method, target } = request
  const before = await worker.state()
  const answer = await worker.connection.send(request.bytes, method === 'HEAD')
  verifyAnswer(request, answer)
  const isWrite = kind === 'ping' || (kind === 'api' && (method === 'POST' || method === 'DELETE'))
  if (answer.status >= 400 || !isWrite || access === 'read') {
    const after = await worker.state()
    if (after !== before) throw new Error(`answered ${answer.status}, but checks have changed:\n${before}\n${after}`)
  } else if (kind === 'ping') await verifyPing(worker, request, JSON.parse(before))
  else if (!target.includes('?') && access === 'write') await verifyWrite(worker, request, answer)
  return answer
}

async function verifyWrite(worker: WorkerProject, request: FilledRequest, { body }: Answer): Promise<void> {
  const path = pathOf(request)
  const version = /^\/api\/(v[123])\//.exec(path)?.[1]
  if (version === undefined || !/^\/api\/v\d\/checks(?:\/[0-9a-f-]{36}(?:\/(?:pause|resume))?)?\/?$/.test(path)) return
  const answered = JSON.parse(body.toString()) as CheckJson
  const read = await worker.api('GET', `checks/${answered.uuid}`)
  if (request.method === 'DELETE') {
    if (read.status !== 404) throw new Error(`a deleted check is answered with ${read.status}`)
    return
  }
  const held = JSON.parse(read.body.toString()) as CheckJson
  const action = /\/(pause|resume)\/?$/.exec(path)?.[1]
  if (action !== undefined) {
    const status = action === 'pause' ? 'paused' : 'new'
    if (held.status !== status) throw new Error(`${action} was accepted, but the check is ${held.status}`)
    return
  }
  const sent = request.body === '' ? {} : (JSON.parse(Buffer.from(request.body, 'latin1').toString()) as Spec)
  for (const check of [answered, held]) {
    for (const [name, value] of Object.entries(expected(sent, version === 'v3'))) {
      if (name === 'tz' ? !isSameZone(check.tz, value) : check[name] !== value) {
        throw new Error(`${name} was accepted as ${JSON.stringify(value)} but is ${JSON.stringify(check[name])}`)
      }
    }
  }
}

type Spec = Readonly<Record<string, unknown>>

const AS_SENT = [
  ...['tags', 'desc', 'name', 'grace', 'manual_resume', 'methods', 'start_kw', 'success_kw', 'failure_kw'],
  ...['filter_subject', 'filter_body', 'filter_http_body', 'filter_default_fail', 'slug'],
]

/** Stored form of `@daily`, the only word of cron that is generated. */
const WRITTEN_OUT = '0 0 * * *'

/** Returns the fields of a check after this request was accepted, as far as the request alone determines them. */
function expected(sent: Spec, isSlugOwn: boolean): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const name of AS_SENT) if (Object.hasOwn(sent, name)) shown[name] = sent[name]
  if (!isSlugOwn && !Object.hasOwn(sent, 'slug')) delete shown.slug
  if (Object.hasOwn(sent, 'schedule')) {
    shown.schedule = sent.schedule === '@daily' ? WRITTEN_OUT : sent.schedule
    shown.timeout = undefined
    if (Object.hasOwn(sent, 'tz')) shown.tz = sent.tz
  } else if (Object.hasOwn(sent, 'timeout')) {
    shown.timeout = sent.timeout
    shown.schedule = undefined
  }
  if (sent.channels === '') shown.channels = ''
  if (Object.hasOwn(sent, 'subject') && !Object.hasOwn(sent, 'success_kw')) shown.success_kw = sent.subject
  if (Object.hasOwn(sent, 'subject_fail') && !Object.hasOwn(sent, 'failure_kw')) shown.failure_kw = sent.subject_fail
  return shown
}

/** Whether the zones are the same. The server returns the canonical name, whatever the case of the sent one. */
function isSameZone(shown: unknown, sent: unknown): boolean {
  const name = (zone: unknown) => new Intl.DateTimeFormat('en', { timeZone: String(zone) }).resolvedOptions().timeZone
  return name(shown) === name(sent)
}

interface PingJson {
  readonly n: number
  readonly method: string
  readonly rid: string | null
  readonly body_url: string | null
}

const KEPT_BYTES = 10_000
const CARRIES_BODY = ['POST', 'PUT', 'PATCH', 'DELETE']

/** Checks that the ping is the newest entry in the log of exactly one check. */
async function verifyPing(worker: WorkerProject, request: FilledRequest, before: readonly CheckJson[]): Promise<void> {
  const after = JSON.parse(await worker.state()) as CheckJson[]
  const known = new Map(before.map(({ uuid, n_pings }) => [uuid, Number(n_pings)]))
  const changed = after.filter(({ uuid, n_pings }) => n_pings !== known.get(uuid))
  const [check] = changed
  if (check === undefined || changed.length > 1)
    throw new Error(`one ping was accepted, but ${changed.length} checks have changed`)
  const n = (known.get(check.uuid) ?? 0) + 1
  const list = await worker.api('GET', `checks/${check.uuid}/pings/`)
  const [newest] = (JSON.parse(list.body.toString()) as { pings: PingJson[] }).pings
  if (newest?.n !== n || newest.method !== request.method) {
    throw new Error(
      `ping ${n} by ${request.method} was accepted, but the newest in the log is ${JSON.stringify(newest)}`,
    )
  }
  const wanted = CARRIES_BODY.includes(request.method) ? request.body.slice(0, KEPT_BYTES) : ''
  if (wanted === '') return
  const body = await worker.api('GET', `checks/${check.uuid}/pings/${n}/body`)
  if (body.body.toString('latin1') !== wanted) throw new Error(`ping ${n} has a body other than the one that was sent`)
}
