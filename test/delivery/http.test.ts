import { afterEach, describe, expect, test } from 'bun:test'
import { createHttpReader, createHttpSender, type HttpSenderOptions } from '../../src/delivery/http.ts'
import { temporaryFolder } from '../support/folder.ts'
import { withEnvironment } from '../support/with-environment.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const send = (request: Request, options: Partial<HttpSenderOptions> = {}) =>
  createHttpSender({ allowPrivateAddresses: true, timeoutSeconds: 5, ...options })(request)

/** A web server on a free port of 127.0.0.1 that records its requests. */
function serve(handler: (request: Request) => Response | Promise<Response>) {
  const seen: { method: string; url: string; headers: Record<string, string>; body: string }[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { method, url, headers } = request
      seen.push({ method, url, headers: Object.fromEntries(headers), body: await request.text() })
      return handler(request)
    },
  })
  cleanups.push(() => server.stop(true))
  return { port: server.port, url: `http://127.0.0.1:${server.port}`, seen }
}

/** A server that sends `answer` after an empty line, and records its input and its connections. */
function listen(answer: string | null, { thenClose = false, hostname = '127.0.0.1' } = {}) {
  const state = { received: '', connections: 0, isOpen: 0 }
  const listener = Bun.listen({
    port: 0,
    hostname,
    socket: {
      open() {
        state.connections += 1
        state.isOpen += 1
      },
      close() {
        state.isOpen -= 1
      },
      data(socket, data) {
        state.received += data.toString('latin1')
        if (!state.received.includes('\r\n\r\n')) return
        if (answer !== null) socket.write(answer)
        if (thenClose) socket.end()
      },
    },
  })
  cleanups.push(() => listener.stop(true))
  return Object.assign(state, { port: listener.port, url: `http://${hostname}:${listener.port}` })
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK'
const unreachable = (error: string, permanent = false) => ({ kind: 'unreachable' as const, error, permanent })
const refused = unreachable('Connections to private IP addresses are not allowed', false)

describe('an answer that is read for itself', () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256)
  const read = (url: string, answerLimitBytes: number) =>
    createHttpReader({ allowPrivateAddresses: true, timeoutSeconds: 5, answerLimitBytes })(new Request(url))

  test('is as long as it is, byte by byte', async () => {
    const { url } = serve(() => new Response(bytes))
    const answer = await read(url, 1_000_000)
    if (answer.kind === 'unreachable') throw new Error(answer.error)
    expect([answer.status, answer.body.isCut]).toEqual([200, false])
    expect(Buffer.from(answer.body.bytes).equals(bytes)).toBe(true)
  })

  test('is cut at the limit, and says so', async () => {
    const { url } = serve(() => new Response(bytes))
    for (const limit of [1, 70_000, 100_000]) {
      const answer = await read(url, limit)
      if (answer.kind === 'unreachable') throw new Error(answer.error)
      expect([answer.body.bytes.length, answer.body.isCut]).toEqual([limit, true])
    }
  })
})

describe('an answer', () => {
  test('comes back with status, headers and body, whatever the status', async () => {
    const { url } = serve(() => new Response('no such thing', { status: 404, headers: { 'X-Why': 'because' } }))
    const answer = await send(new Request(`${url}/path?q=1`))
    expect(answer).toMatchObject({ kind: 'answered', status: 404, body: 'no such thing' })
    expect(answer.kind === 'answered' && answer.headers.get('x-why')).toBe('because')
  })

  test('of a megabyte is cut at 16 kB and its connection is dropped', async () => {
    let wasCancelled = false
    const { url } = serve(() => {
      const pull = async (controller: ReadableStreamDefaultController) => {
        controller.enqueue(new Uint8Array(65_536).fill(97))
        await Bun.sleep(1)
      }
      const cancel = () => {
        wasCancelled = true
      }
      return new Response(new ReadableStream({ pull, cancel }))
    })
    expect(await send(new Request(url))).toMatchObject({ status: 200, body: 'a'.repeat(16_384) })
    while (!wasCancelled) await Bun.sleep(1)
  })

  test('cut inside a character ends before it, and bytes that are not text do no harm', async () => {
    const long = serve(() => new Response('ä'.repeat(1) + 'x'.repeat(16_381) + 'ä'.repeat(10)))
    expect(await send(new Request(long.url))).toMatchObject({ body: `ä${'x'.repeat(16_381)}` })
    const binary = serve(() => new Response(new Uint8Array([0x61, 0xff, 0x62])))
    expect(await send(new Request(binary.url))).toMatchObject({ body: 'a\ufffdb' })
  })

  test('leaves no connection behind', async () => {
    const server = listen(OK)
    for (let i = 0; i < 20; i += 1) await send(new Request(server.url))
    while (server.isOpen > 0) await Bun.sleep(1)
    expect(server.connections).toBe(20)
  })
})

describe('a request', () => {
  test('is sent with exactly its own headers, plus Host', async () => {
    const server = listen(OK)
    const headers = { 'X-Custom': 'caf\u00e9, "quoted"; a=b', Authorization: 'Bearer t', 'User-Agent': 'mine/1' }
    await send(new Request(`${server.url}/a%20b?c=d&e#f`, { headers }))
    expect(server.received).toBe(
      'GET /a%20b?c=d&e HTTP/1.1\r\n' +
        `Host: 127.0.0.1:${server.port}\r\n` +
        'authorization: Bearer t\r\n' +
        'user-agent: mine/1\r\n' +
        'x-custom: caf\u00e9, "quoted"; a=b\r\n' +
        'Connection: close\r\n\r\n',
    )
  })

  test('with a body has its length counted in bytes and no content type added', async () => {
    const server = listen(OK)
    await send(new Request(server.url, { method: 'PUT', body: new TextEncoder().encode('h\u00e9') }))
    expect(server.received).toBe(
      `PUT / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nuser-agent: Overdue\r\nContent-Length: 3\r\n` +
        'Connection: close\r\n\r\nh\u00c3\u00a9',
    )
  })

  test('without a body has a length of zero for POST', async () => {
    const server = listen(OK)
    await send(new Request(server.url, { method: 'POST' }))
    expect(server.received).toContain('\r\nContent-Length: 0\r\n')
  })

  test('cannot smuggle in headers about the connection', async () => {
    const server = listen(OK)
    const headers = {
      Connection: 'upgrade',
      Upgrade: 'websocket',
      'Transfer-Encoding': 'chunked',
      'Content-Length': '99',
      TE: 'trailers',
      'Proxy-Authorization': 'secret',
    }
    await send(new Request(server.url, { method: 'POST', body: 'x', headers }))
    expect(server.received).toBe(
      `POST / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n` +
        'user-agent: Overdue\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx',
    )
  })

  test('may have another Host than the one it goes to', async () => {
    const server = listen(OK)
    await send(new Request(server.url, { headers: { Host: 'virtual.example' } }))
    expect(server.received).toStartWith('GET / HTTP/1.1\r\nHost: virtual.example\r\n')
    expect(server.received.match(/host/gi)).toHaveLength(1)
  })

  test('with credentials in its URL sends them as Basic authorization and not in the path', async () => {
    const server = serve(() => new Response())
    await send(new Request(`http://us%20er:p%C3%A4ss%3A@127.0.0.1:${server.port}/x`))
    const token = Buffer.from('us er:p\u00e4ss:').toString('base64')
    expect(server.seen).toMatchObject([{ url: `${server.url}/x`, headers: { authorization: `Basic ${token}` } }])
  })

  test('keeps its own authorization over the one of the URL', async () => {
    const server = serve(() => new Response())
    await send(new Request(`http://a:b@127.0.0.1:${server.port}/`, { headers: { Authorization: 'Bearer t' } }))
    expect(server.seen[0]?.headers.authorization).toBe('Bearer t')
  })
})

describe('a failure', () => {
  test('is a time-out when the head, the body or the name takes too long', async () => {
    const timeout = unreachable('Connection timed out')
    const silent = listen(null)
    const slow = listen('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nno more than this')
    const options = { timeoutSeconds: 0.5 }
    const resolve = () => new Promise<string[]>(() => {})
    const startedAt = performance.now()
    const answers = [
      send(new Request(silent.url), options),
      send(new Request(slow.url), options),
      send(new Request('http://slow.example/'), { ...options, resolve }),
    ]
    // The receiver may have the message, so the error must not call it unsent.
    const unanswered = unreachable('Sent, but no answer within 0.5 seconds')
    expect(await Promise.all(answers)).toEqual([unanswered, timeout, timeout])
    expect(performance.now() - startedAt).toBeGreaterThan(450)
    while (silent.isOpen + slow.isOpen > 0) await Bun.sleep(1)
  })

  test('is a time-out when redirects together take too long, though each is quick', async () => {
    const { url } = serve(async () => {
      await Bun.sleep(300)
      return Response.redirect('/again', 302)
    })
    expect(await send(new Request(url), { timeoutSeconds: 0.5 })).toEqual(
      unreachable('Sent, but no answer within 0.5 seconds'),
    )
  })

  test('has different errors for no listener, no such host and no TLS', async () => {
    const closed = Bun.listen({ port: 0, hostname: '127.0.0.1', socket: { data() {} } })
    closed.stop(true)
    expect(await send(new Request(`http://127.0.0.1:${closed.port}/`))).toEqual(unreachable('Connection failed'))
    expect(await send(new Request(`https://127.0.0.1:${closed.port}/`))).toEqual(unreachable('Connection failed'))
    expect(await send(new Request('http://no-such-host.invalid/'))).toEqual(unreachable('Could not resolve host'))
    const plain = serve(() => new Response())
    const secure = new Request(`https://127.0.0.1:${plain.port}/`)
    expect(await send(secure)).toEqual(unreachable('TLS handshake failed'))
    const hangsUp = listen(null, { thenClose: true })
    hangsUp.received = '\r\n\r\n'
    const cut = new Request(`https://127.0.0.1:${hangsUp.port}/`)
    expect(await send(cut)).toEqual(unreachable('TLS handshake failed'))
  })

  test.each([
    ['nothing', '', 52],
    ['something else than HTTP', '220 smtp.example ESMTP\r\n\r\n', 8],
    ['half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf', 18],
    ['an endless head', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 8],
    ['a switch of protocols', 'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', 52],
    ['a location that is no URL', 'HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n', 3],
  ])('of a server that answers %2$s', async (_, answer, code) => {
    const { url } = listen(answer, { thenClose: true })
    expect(await send(new Request(url))).toEqual(unreachable(`HTTP request failed, code: ${code}`))
  })

  test('is permanent for a scheme that is not http or https', async () => {
    expect(await send(new Request('ftp://127.0.0.1/'))).toEqual(unreachable('HTTP request failed, code: 1', true))
  })

  test('does not throw when the body of the request cannot be read', async () => {
    const { url } = serve(() => new Response())
    const used = new Request(url, { method: 'POST', body: 'x' })
    await used.text()
    expect(await send(used)).toEqual(unreachable('HTTP request failed, code: 26'))
  })
})

describe('the address', () => {
  test.each(['http://127.0.0.1:1/', 'http://2130706433:1/', 'http://[::ffff:127.0.0.1]:1/', 'http://localhost.:1/'])(
    'of %s is refused, and so is https',
    async (url) => {
      const options = { allowPrivateAddresses: false }
      expect(await send(new Request(url), options)).toEqual(refused)
      expect(await send(new Request(url.replace('http:', 'https:')), options)).toEqual(refused)
    },
  )

  test('is refused without a connection when a name leads to it', async () => {
    const server = listen(OK)
    const options = { allowPrivateAddresses: false, resolve: async () => ['127.0.0.1'] }
    expect(await send(new Request(`http://rebind.example:${server.port}/`), options)).toEqual(refused)
    expect(server.connections).toBe(0)
  })

  test('that was checked is the one connected to, under the name of the URL', async () => {
    const [right, asked] = [listen(OK), [] as string[]]
    const resolve = async (host: string) => {
      asked.push(host)
      return asked.length === 1 ? ['127.0.0.1'] : ['127.0.0.2']
    }
    const answer = await send(new Request(`http://rebind.example:${right.port}/`), { resolve })
    expect(answer).toMatchObject({ kind: 'answered', body: 'OK' })
    expect(asked).toEqual(['rebind.example'])
    expect(right.received).toContain(`\r\nHost: rebind.example:${right.port}\r\n`)
  })

  test('is not looked up again when the checked one does not answer (rebinding)', async () => {
    const inside = listen(OK)
    let lookups = 0
    const resolve = async () => {
      lookups += 1
      // 2000::1 counts as public and belongs to nobody.
      return lookups === 1 ? ['2000::1'] : ['127.0.0.1']
    }
    const options = { allowPrivateAddresses: false, resolve, timeoutSeconds: 0.3 }
    const answer = await send(new Request(`http://rebind.example:${inside.port}/`), options)
    expect(answer.kind).toBe('unreachable')
    expect(lookups).toBe(1)
    expect(inside.connections).toBe(0)
  })

  test('that is dead is followed by the next one of the same answer', async () => {
    const server = listen(OK)
    const resolve = async () => ['127.0.0.2', '127.0.0.1']
    expect(await send(new Request(`http://two.example:${server.port}/`), { resolve })).toMatchObject({ body: 'OK' })
  })

  test('is not changed by a proxy from the environment', async () => {
    const server = listen(OK)
    const proxy = 'http://127.0.0.1:9'
    using _env = withEnvironment({ HTTP_PROXY: proxy, http_proxy: proxy })
    expect(await send(new Request(server.url))).toMatchObject({ body: 'OK' })
  })
})

describe('a redirect', () => {
  const redirect = (status: number, location: string) => new Response(null, { status, headers: { location } })

  test.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'GET', ''],
    [308, 'GET', ''],
    [303, 'HEAD', ''],
    [307, 'POST', 'payload'],
    [308, 'POST', 'payload'],
    [307, 'PUT', 'payload'],
  ])('with %d is followed by a %s, with everything in it', async (status, method, body) => {
    const { url, seen } = serve(({ url }) => (url.endsWith('/end') ? new Response('there') : redirect(status, '/end')))
    const headers = { 'Content-Type': 'text/x', Authorization: 'secret' }
    const answer = await send(new Request(`${url}/start`, { method, headers, ...(body === '' ? {} : { body }) }))
    expect(answer).toMatchObject({ kind: 'answered', status: 200, body: method === 'HEAD' ? '' : 'there' })
    expect(seen).toHaveLength(2)
    expect(seen[1]).toMatchObject({ method, body, headers: { authorization: 'secret', 'content-type': 'text/x' } })
  })

  test.each([301, 302])('with %d to the same path is repeated with method and body', async (status) => {
    let isFirst = true
    const { url, seen } = serve(({ url }) => {
      if (!isFirst) return new Response('there')
      isFirst = false
      return redirect(status, url)
    })
    const answer = await send(new Request(`${url}/hook?a=1`, { method: 'POST', body: 'payload' }))
    expect(answer).toMatchObject({ kind: 'answered', status: 200, body: 'there' })
    expect(seen[1]).toMatchObject({ method: 'POST', url: `${url}/hook?a=1`, body: 'payload' })
  })

  test.each([
    [301, 'POST', 'use the new URL'],
    [302, 'POST', 'use the new URL'],
    [301, 'PUT', 'use the new URL'],
    [303, 'POST', 'use a URL that accepts POST'],
    [303, 'PUT', 'use a URL that accepts PUT'],
  ])(
    'with %d to another path is a failure of a %s that names the address, and no request follows',
    async (status, method, advice) => {
      const { url, seen } = serve(({ url }) =>
        url.endsWith('/end') ? new Response('there') : redirect(status, '/end'),
      )
      const answer = await send(new Request(`${url}/start`, { method, body: 'payload' }))
      const where = `redirected to ${url} with another path`
      expect(answer).toEqual(unreachable(`Received status code ${status}, ${where}: ${advice}`))
      expect(seen).toHaveLength(1)
    },
  )

  test('is followed at most three times', async () => {
    const { url, seen } = serve(({ url }) => {
      const left = Number(new URL(url).pathname.slice(1))
      return left === 0 ? new Response('there') : redirect(302, `/${left - 1}`)
    })
    expect(await send(new Request(`${url}/3`))).toMatchObject({ status: 200, body: 'there' })
    expect(await send(new Request(`${url}/4`))).toEqual(unreachable('Too many redirects'))
    expect(seen).toHaveLength(8)
  })

  test('to another origin carries no secrets', async () => {
    const other = serve(() => new Response())
    const { port } = serve(() => redirect(307, `${other.url}/`))
    const headers = { Authorization: 'a', Cookie: 'b', 'X-Api-Key': 'c', Host: 'd', 'Content-Type': 'e', Accept: 'f' }
    await send(new Request(`http://u:p@127.0.0.1:${port}/`, { method: 'POST', body: 'x', headers }))
    expect(other.seen).toMatchObject([{ method: 'POST', body: 'x' }])
    expect(other.seen[0]?.headers).toEqual({
      accept: 'f',
      connection: 'close',
      'content-length': '1',
      'content-type': 'e',
      host: `127.0.0.1:${other.port}`,
      'user-agent': 'Overdue',
    })
  })

  test('to a private address is refused, by number and by name', async () => {
    const inside = listen(OK, { hostname: '127.0.0.2' })
    const isAllowedAddress = (address: string) => address === '127.0.0.1'
    const resolve = async (host: string) => [host === 'inside.example' ? '127.0.0.2' : '127.0.0.1']
    for (const target of [
      inside.url,
      `http://inside.example:${inside.port}/`,
      'http://[::1]/',
      'http://169.254.169.254/',
    ]) {
      const { port } = serve(() => redirect(302, target))
      const answer = await send(new Request(`http://outside.example:${port}/`), { isAllowedAddress, resolve })
      expect(answer).toEqual(refused)
    }
    expect(inside.connections).toBe(0)
  })

  test.each([1, 2, 3])('that leads to a private address at hop %i is not followed there', async (hop) => {
    const inside = listen(OK, { hostname: '127.0.0.2' })
    const outside = serve(({ url }) => {
      const step = Number(new URL(url).pathname.slice(1))
      return redirect(307, step < hop ? `/${step + 1}` : `${inside.url}/`)
    })
    const isAllowedAddress = (address: string) => address === '127.0.0.1'
    const request = new Request(`${outside.url}/1`, { method: 'POST', body: 'x' })
    expect(await send(request, { isAllowedAddress })).toEqual(refused)
    expect(outside.seen).toHaveLength(hop)
    expect(inside.connections).toBe(0)
  })

  test('to the same name asks for its addresses anew, and checks them anew (rebinding between hops)', async () => {
    const inside = listen(OK, { hostname: '127.0.0.2' })
    let lookups = 0
    const resolve = async () => {
      lookups += 1
      return [lookups === 1 ? '127.0.0.1' : '127.0.0.2']
    }
    const outside = serve(() => redirect(302, `http://rebind.example:${inside.port}/`))
    const isAllowedAddress = (address: string) => address === '127.0.0.1'
    const request = new Request(`http://rebind.example:${outside.port}/`)
    expect(await send(request, { isAllowedAddress, resolve })).toEqual(refused)
    expect([lookups, inside.connections]).toEqual([2, 0])
  })

  test('may be written in raw UTF-8', async () => {
    const { url, seen } = serve(() => new Response('there'))
    const location = Buffer.from(`${url}/\u00e4`).toString('latin1')
    const raw = Bun.listen({
      port: 0,
      hostname: '127.0.0.1',
      socket: {
        data: (socket) =>
          void socket.write(Buffer.from(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\n\r\n`, 'latin1')),
      },
    })
    cleanups.push(() => raw.stop(true))
    expect(await send(new Request(`http://127.0.0.1:${raw.port}/`))).toMatchObject({ body: 'there' })
    expect(seen).toMatchObject([{ url: `${url}/%C3%A4` }])
  })

  test('to another scheme is refused, but not permanently', async () => {
    const { url } = serve(() => redirect(302, 'file:///etc/passwd'))
    expect(await send(new Request(url))).toEqual(unreachable('HTTP request failed, code: 1'))
  })

  test('without a location is an ordinary answer', async () => {
    const { url } = serve(() => new Response('where?', { status: 302 }))
    expect(await send(new Request(url))).toMatchObject({ kind: 'answered', status: 302, body: 'where?' })
  })
})

describe.skipIf(Bun.which('openssl') === null)('a certificate', () => {
  test('must be trusted and have the name of the URL', async () => {
    const folder = temporaryFolder()
    cleanups.push(() => folder.remove())
    const [key, cert] = [folder.file('key.pem'), folder.file('cert.pem')]
    const name = ['-subj', '/CN=secure.example', '-addext', 'subjectAltName=DNS:secure.example']
    const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    Bun.spawnSync(['openssl', 'req', ...made, ...name, '-keyout', key, '-out', cert], { stderr: 'ignore' })
    const tls = { key: Bun.file(key), cert: Bun.file(cert) }
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', tls, fetch: () => new Response('secret') })
    cleanups.push(() => server.stop(true))

    const untrusted = new Request(`https://secure.example:${server.port}/`)
    const resolve = async () => ['127.0.0.1']
    expect(await send(untrusted, { resolve })).toEqual(unreachable('TLS handshake failed'))

    // Trusted certificates are read when a process starts, hence the child.
    const script = `
      const { createHttpSender } = await import('${new URL('../../src/delivery/http.ts', import.meta.url).href}')
      const send = createHttpSender({ allowPrivateAddresses: true, resolve: async () => ['127.0.0.1'] })
      for (const name of ['secure.example', 'other.example', '127.0.0.1']) {
        const answer = await send(new Request('https://' + name + ':${server.port}/'))
        process.stdout.write((answer.body ?? answer.error) + '\\n')
      }`
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: cert }
    const child = Bun.spawn([process.execPath, '-e', script], { env, stdout: 'pipe' })
    expect(await child.stdout.text()).toBe('secret\nTLS handshake failed\nTLS handshake failed\n')
  })
})
