/** `pings`: a check's log, and the bodies of its pings. */
import type { Context } from 'elysia'
import { type ApiVersion, checkUrl, type Links } from '../../domain/check/representation.ts'
import { Refusal } from '../../domain/errors.ts'
import { fits } from '../../domain/schema.ts'
import { isoMicroseconds } from '../../lib/time.ts'
import { findPingBody, type ListedPing, listPings } from '../../services/pings/pings.ts'
import { NOT_SNIFFED } from '../headers.ts'
import { type ApiDeps, type CheckRequest, checkDoor, type Resource } from './door/door.ts'
import { PingNumber } from './door/path-parameters.ts'

const LIST = { path: '/checks/:id/pings', methods: { GET: 'write' }, listedByPost: true } as const satisfies Resource
const BODY = { path: '/checks/:id/pings/:n/body', methods: { GET: 'write' } } as const satisfies Resource

/**
 * Response header: the number of listed pings whose bodies were dropped because of PING_LOG_BYTES. Healthchecks' JSON has no field for it.
 */
const DROPPED_BODIES = 'x-dropped-bodies'

export function pings(deps: ApiDeps, version: ApiVersion) {
  const readLog = async ({ actor, found, set }: CheckRequest & Pick<Context, 'set'>) => {
    const log = await listPings(deps, actor, found.check)
    const dropped = log.filter(({ droppedBytes }) => droppedBytes !== null).length
    set.headers[DROPPED_BODIES] = String(dropped)
    return { pings: log.map((ping) => representPing(ping, version, deps.site.links)) }
  }
  const list = checkDoor(deps, LIST)
    .get(LIST.path, readLog)
    .post(LIST.path, readLog, { detail: { hide: true } })

  const body = checkDoor(deps, BODY).get(BODY.path, async ({ actor, found, params: { n } }) => {
    const bytes = fits(PingNumber, n) ? await findPingBody(deps, actor, found.check, Number(n)) : null
    if (bytes === null) throw new Refusal('not-found', 'not found')
    // The body comes from an unknown sender, so browsers must never render it as a page.
    const headers = { 'content-type': 'text/plain; charset=utf-8', ...NOT_SNIFFED }
    return new Response(bytes, { headers })
  })

  return [list, body]
}

function representPing(ping: ListedPing, version: ApiVersion, links: Links) {
  return {
    type: ping.kind,
    date: isoMicroseconds(ping.receivedAt),
    ...(ping.occurredAt === null ? {} : { occurred_at: isoMicroseconds(ping.occurredAt) }),
    n: ping.n,
    scheme: ping.scheme,
    remote_addr: ping.remoteAddr,
    method: ping.method,
    ua: ping.ua,
    rid: ping.rid,
    body_url: ping.hasBody ? `${checkUrl(ping.checkId, version, links)}/pings/${ping.n}/body` : null,
    ...(ping.duration === null ? {} : { duration: Math.round(ping.duration / 10_000) / 100 }),
  }
}
