/** `pings` and the body of one (spec 4.3). */
import { type Context, Elysia } from 'elysia'
import { Refusal } from '../../domain/errors.ts'
import { type ApiVersion, checkUrl, type Links } from '../../domain/representation.ts'
import { isoMicroseconds } from '../../domain/time.ts'
import { findPingBody, type ListedPing, listPings } from '../../services/pings.ts'
import { NOT_SNIFFED } from '../sniffing.ts'
import { type ApiDeps, checkDoor, frame, type Opened, type Resource } from './door.ts'

const LIST = { path: '/checks/:id/pings', methods: ['GET'], listedByPost: true } as const satisfies Resource
const BODY = { path: '/checks/:id/pings/:n/body', methods: ['GET'] } as const satisfies Resource

/** How many pings of a list have lost their body to PING_LOG_BYTES. The JSON has no place for it. */
const DROPPED_BODIES = 'x-dropped-bodies'

export function pings(deps: ApiDeps, version: ApiVersion) {
  const listOf = async ({ access, found, set }: Opened & Pick<Context, 'set'>) => {
    const log = await listPings(deps, access.project, found)
    const dropped = log.filter(({ droppedBytes }) => droppedBytes !== null).length
    set.headers[DROPPED_BODIES] = String(dropped)
    return { pings: log.map((ping) => representPing(ping, version, deps.site.links)) }
  }
  const list = new Elysia()
    .use(checkDoor(deps, LIST, 'write'))
    .get(LIST.path, ({ access, found, set }) => listOf({ access, found, set }))
    .post(LIST.path, ({ access, found, set }) => listOf({ access, found, set }), { detail: { hide: true } })

  const body = new Elysia().use(checkDoor(deps, BODY, 'write')).get(BODY.path, async ({ access, found, params }) => {
    const bytes = /^\d{1,15}$/.test(params.n) ? await findPingBody(deps, access.project, found, Number(params.n)) : null
    if (bytes === null) throw new Refusal('not-found', 'not found')
    // A stranger wrote these bytes: never let a browser take them for a page.
    const headers = { 'content-type': 'text/plain; charset=utf-8', ...NOT_SNIFFED }
    return new Response(bytes, { headers })
  })

  return new Elysia().use([list, body]).use([LIST, BODY].map(frame))
}

function representPing(ping: ListedPing, version: ApiVersion, links: Links) {
  return {
    type: ping.kind,
    date: isoMicroseconds(ping.receivedAt),
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
