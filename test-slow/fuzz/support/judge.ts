/** What must be true of every answer, and of what the server holds after it. */
import type { Answer } from './answers.ts'
import type { CheckJson, House } from './house.ts'
import type { Filled } from './request.ts'

/** @throws Error in a sentence, for a request whose answer breaks a promise */
export function judgeAnswer(request: Filled, answer: Answer): void {
  const { status, body } = answer
  if (status >= 500) throw new Error(`answered ${status}: ${body.toString().slice(0, 500)}`)
  if (status === 431 && request.bytes.indexOf('\r\n\r\n') > HEAD_BYTES) return
  if (!KNOWN_STATUSES.has(status)) throw new Error(`answered ${status}, which nothing here means`)
  if (isApi(request) && status >= 400 && request.method !== 'HEAD') judgeRefusal(answer)
  if (request.kind === 'api') judgeAccess(request, status)
}

/** Of request line and headers together; beyond that the web server of the runtime takes nothing. */
const HEAD_BYTES = 16_000

const KNOWN_STATUSES = new Set([200, 201, 204, 400, 401, 403, 404, 405, 409, 413])

function pathOf({ target }: Filled): string {
  return target.replace(/^http:\/\/example\.org/, '').replace(/\?.*$/, '')
}

/** As it is sent; what is bent beyond that may be of the API or not. */
function isApi(request: Filled): boolean {
  return pathOf(request).startsWith('/api/') && !pathOf(request).includes('/..')
}

function judgeRefusal({ status, headers, body }: Answer): void {
  const type = headers.get('content-type') ?? 'none'
  if (!type.startsWith('application/json')) throw new Error(`a refusal (${status}) of type ${type}`)
  const { error } = JSON.parse(body.toString()) as { error?: unknown }
  if (typeof error !== 'string' || !/[a-z]{3}/.test(error)) throw new Error(`a refusal without a sentence: ${body}`)
}

/** By its UUID or unique key; all the rest is of the key's own project. */
const NAMED = /\/[0-9a-f-]{36,40}/
const KEYED = /^\/api\/v[123]\/(?:checks|channels|badges)\b/

function judgeAccess(request: Filled, status: number): void {
  const path = pathOf(request)
  if (status >= 400 || request.method === 'OPTIONS' || !KEYED.test(path) || path.includes('..')) return
  // `flips` without the final slash are read by a POST too.
  const isReading = request.method === 'GET' || (request.method === 'POST' && path.endsWith('/flips'))
  const isStrange = request.access === 'stranger' && !NAMED.test(path)
  const isAllowed = isStrange || request.access === 'write' || (request.access === 'read' && isReading)
  if (!isAllowed) throw new Error(`answered ${status} to a key that opens nothing here (${request.access})`)
}

/** Sends a request and sees what it has changed: nothing when refused or only reading, else what it said. */
export async function sendAndLook(house: House, request: Filled): Promise<Answer> {
  const { access, kind, method, target } = request
  const before = await house.state()
  const answer = await house.line.ask(request.bytes, method === 'HEAD')
  judgeAnswer(request, answer)
  const isWrite = kind === 'ping' || (kind === 'api' && (method === 'POST' || method === 'DELETE'))
  if (answer.status >= 400 || !isWrite || access === 'read') {
    const after = await house.state()
    if (after !== before)
      throw new Error(`answered ${answer.status}, and yet checks have changed:\n${before}\n${after}`)
  } else if (kind === 'ping') await judgePing(house, request, JSON.parse(before))
  else if (!target.includes('?') && access === 'write') await judgeWrite(house, request, answer)
  return answer
}

async function judgeWrite(house: House, request: Filled, { body }: Answer): Promise<void> {
  const path = pathOf(request)
  const version = /^\/api\/(v[123])\//.exec(path)?.[1]
  if (version === undefined || !/^\/api\/v\d\/checks(?:\/[0-9a-f-]{36}(?:\/(?:pause|resume))?)?\/?$/.test(path)) return
  const answered = JSON.parse(body.toString()) as CheckJson
  const read = await house.api('GET', `checks/${answered.uuid}`)
  if (request.method === 'DELETE') {
    if (read.status !== 404) throw new Error(`a deleted check is still answered with ${read.status}`)
    return
  }
  const held = JSON.parse(read.body.toString()) as CheckJson
  const action = /\/(pause|resume)\/?$/.exec(path)?.[1]
  if (action !== undefined) {
    const status = action === 'pause' ? 'paused' : 'new'
    if (held.status !== status) throw new Error(`${action} was accepted, and the check is ${held.status}`)
    return
  }
  const sent = request.body === '' ? {} : (JSON.parse(Buffer.from(request.body, 'latin1').toString()) as Spec)
  for (const check of [answered, held]) {
    for (const [name, value] of Object.entries(expected(sent, version === 'v3'))) {
      if (name === 'tz' ? !isSameZone(check.tz, value) : check[name] !== value) {
        throw new Error(`${name} was accepted as ${JSON.stringify(value)} and is ${JSON.stringify(check[name])}`)
      }
    }
  }
}

type Spec = Readonly<Record<string, unknown>>

const AS_SENT = [
  ...['tags', 'desc', 'name', 'grace', 'manual_resume', 'methods', 'start_kw', 'success_kw', 'failure_kw'],
  ...['filter_subject', 'filter_body', 'filter_http_body', 'filter_default_fail', 'slug'],
]

/** What a check shows after this was accepted; only fields of which the request alone decides. */
function expected(sent: Spec, isSlugOwn: boolean): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const name of AS_SENT) if (Object.hasOwn(sent, name)) shown[name] = sent[name]
  if (!isSlugOwn && !Object.hasOwn(sent, 'slug')) delete shown.slug
  if (Object.hasOwn(sent, 'schedule')) {
    shown.schedule = sent.schedule
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

/** Zones are shown by their proper name, in whatever case they are sent. */
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

/** The ping is the newest in the log of one check, and of that one only. */
async function judgePing(house: House, request: Filled, before: readonly CheckJson[]): Promise<void> {
  const after = JSON.parse(await house.state()) as CheckJson[]
  const known = new Map(before.map(({ uuid, n_pings }) => [uuid, Number(n_pings)]))
  const changed = after.filter(({ uuid, n_pings }) => n_pings !== known.get(uuid))
  const [check] = changed
  if (check === undefined || changed.length > 1)
    throw new Error(`one ping was accepted, and ${changed.length} checks tell of it`)
  const n = (known.get(check.uuid) ?? 0) + 1
  const list = await house.api('GET', `checks/${check.uuid}/pings/`)
  const [newest] = (JSON.parse(list.body.toString()) as { pings: PingJson[] }).pings
  if (newest?.n !== n || newest.method !== request.method) {
    throw new Error(`ping ${n} by ${request.method} was accepted, the newest in the log is ${JSON.stringify(newest)}`)
  }
  const wanted = CARRIES_BODY.includes(request.method) ? request.body.slice(0, KEPT_BYTES) : ''
  if (wanted === '') return
  const body = await house.api('GET', `checks/${check.uuid}/pings/${n}/body`)
  if (body.body.toString('latin1') !== wanted) throw new Error(`ping ${n} has another body than was sent`)
}
