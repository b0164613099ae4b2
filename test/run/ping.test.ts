import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { pingUrl, type RunPing, sendPing } from '../../src/run/ping.ts'

const UUID = '9a1e0d0f-7d0b-4a58-9d5c-111111111111'
const RID = '00000000-0000-4000-8000-000000000001'
const PING: RunPing = {
  target: { kind: 'uuid', uuid: UUID },
  create: null,
  action: 0,
  rid: RID,
  at: 1_772_625_600_123,
  body: Buffer.from('done\n'),
}

describe('the URL of a ping', () => {
  const server = { url: 'https://overdue.example.org/', pingKey: 'pkey' }
  const slug = { kind: 'slug', slug: 'nightly' } as const

  test.each<[string, Partial<RunPing>, boolean, string]>([
    ['names a UUID', {}, false, `https://overdue.example.org/ping/${UUID}/0?rid=${RID}`],
    [
      'says when it happened if it is late',
      {},
      true,
      `https://overdue.example.org/ping/${UUID}/0?rid=${RID}&at=1772625600123`,
    ],
    [
      'names a slug behind the ping key',
      { target: slug, action: 'start' },
      false,
      `https://overdue.example.org/ping/pkey/nightly/start?rid=${RID}`,
    ],
    [
      'says which check is to be made',
      { target: slug, create: { schedule: '0 3 * * *', tz: 'Europe/Rome', grace: null } },
      false,
      `https://overdue.example.org/ping/pkey/nightly/0?rid=${RID}&create=1&schedule=0+3+*+*+*&tz=Europe%2FRome`,
    ],
    [
      'keeps the query of a whole URL',
      { target: { kind: 'url', url: `http://host:8080/a/ping/${UUID}/?create=1` }, action: 'fail' },
      false,
      `http://host:8080/a/ping/${UUID}/fail?create=1&rid=${RID}`,
    ],
  ])('%s', (_, changed, isLate, url) => {
    expect(pingUrl({ ...PING, ...changed }, server, isLate)?.href).toBe(url)
  })

  test.each([
    ['without OVERDUE_URL', { url: null, pingKey: 'pkey' }, 'OVERDUE_URL'],
    ['with an OVERDUE_URL that is none', { url: 'overdue.example.org', pingKey: 'pkey' }, 'OVERDUE_URL'],
    ['without a ping key', { url: 'https://overdue.example.org', pingKey: null }, 'OVERDUE_PING_KEY'],
  ])('is missing %s, which is said', async (_, given, word) => {
    const answer = await sendPing({ ...PING, target: slug }, given, { timeout: 100, isLate: false, userAgent: 'test' })
    expect(answer).toEqual({ kind: 'refused', reason: expect.stringContaining(word) })
  })
})

describe('a try', () => {
  interface Seen {
    readonly method: string
    readonly path: string
    readonly agent: string | null
    readonly body: string
  }
  const seen: Seen[] = []
  let respond: (path: string) => Response | Promise<Response>
  let server: ReturnType<typeof Bun.serve>

  beforeAll(() => {
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const path = new URL(request.url).pathname
        seen.push({
          method: request.method,
          path,
          agent: request.headers.get('user-agent'),
          body: await request.text(),
        })
        return respond(path)
      },
    })
  })
  afterEach(() => seen.splice(0))
  afterAll(() => server.stop(true))

  const send = (answer: typeof respond, timeout = 5_000) => {
    respond = answer
    const place = { url: `http://127.0.0.1:${server.port}`, pingKey: null }
    return sendPing(PING, place, { timeout, isLate: false, userAgent: 'overdue-run/1' })
  }

  test('posts the body, and reads how much of it the server keeps', async () => {
    expect(await send(() => new Response('OK', { headers: { 'ping-body-limit': '100000' } }))).toEqual({
      kind: 'taken',
      bodyLimit: 100_000,
    })
    expect(seen).toEqual([{ method: 'POST', path: `/ping/${UUID}/0`, agent: 'overdue-run/1', body: 'done\n' }])
  })

  test('takes a server without that header for one that keeps all', async () => {
    expect(await send(() => new Response('Created', { status: 201 }))).toEqual({ kind: 'taken', bodyLimit: null })
  })

  test.each([
    [400, 'invalid url format'],
    [404, 'not found'],
    [409, 'ambiguous slug'],
  ])('is refused with %d %s', async (status, words) => {
    expect(await send(() => new Response(words, { status }))).toEqual({ kind: 'refused', reason: `${status} ${words}` })
  })

  test.each([
    [404, '404 page not found'],
    [403, 'Forbidden'],
    [408, ''],
    [429, ''],
    [500, 'internal error'],
    [502, '<html>Bad Gateway</html>'],
    [200, '<html>Welcome</html>'],
  ])('finds the server away with %d %s, which others say too', async (status, words) => {
    expect(await send(() => new Response(words, { status }))).toEqual({
      kind: 'away',
      reason: expect.stringContaining(String(status)),
    })
  })

  test('reads only the beginning of an answer without end', async () => {
    const endless = () =>
      new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(65_536).fill(65)) }))
    expect(await send(endless)).toMatchObject({ kind: 'away' })
  })

  test('ends in time if the server does not answer', async () => {
    expect(await send(() => new Promise<Response>(() => {}), 50)).toEqual({
      kind: 'away',
      reason: 'no answer within 50 ms',
    })
  })

  test('finds the server away if nobody listens', async () => {
    const place = { url: 'http://127.0.0.1:1', pingKey: null }
    expect(await sendPing(PING, place, { timeout: 1_000, isLate: false, userAgent: 'test' })).toEqual({
      kind: 'away',
      reason: 'connection refused',
    })
  })

  test.each([301, 302, 303, 307, 308])('posts again after a redirect %d to the same server', async (status) => {
    const moved = (path: string) =>
      path.startsWith('/moved')
        ? new Response('OK')
        : new Response('', { status, headers: { location: `/moved${path}` } })
    expect(await send(moved)).toMatchObject({ kind: 'taken' })
    expect(seen.at(-1)).toMatchObject({ method: 'POST', path: `/moved/ping/${UUID}/0`, body: 'done\n' })
  })

  test('does not carry a ping key to another server', async () => {
    const elsewhere = `http://localhost:${server.port}/ping`
    expect(await send(() => Response.redirect(elsewhere, 307))).toEqual({
      kind: 'away',
      reason: `the answer was 307, a redirect to localhost:${server.port}`,
    })
    expect(seen).toHaveLength(1)
  })

  test('gives up redirects that lead in a circle', async () => {
    expect(await send((path) => new Response('', { status: 302, headers: { location: path } }))).toMatchObject({
      kind: 'away',
    })
    expect(seen).toHaveLength(4)
  })
})
