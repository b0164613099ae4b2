/** Behaviour that needs a socket: the client's address, Content-Length, hanging up, and bytes that a `Request` cannot express. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { exchange } from '../../conformance/wire.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

interface Entry {
  readonly n: number
  readonly method: string
  readonly remote_addr: string | null
  readonly scheme: string
}

let t: TestApp
let port: number
let id: string
beforeEach(() => begin({}))
afterEach(() => t.close())

async function begin(env: Record<string, string>): Promise<void> {
  t = await testApp({ env: { PORT: '0', ...env } })
  port = await t.app.start()
  id = (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: {} })).uuid
}

async function ping(method: string, target: string, headers: [string, string][] = [], body: Uint8Array | null = null) {
  const { status, body: text } = await exchange(`127.0.0.1:${port}`, { method, target, headers, body })
  return `${status} ${text}`.trim()
}

const log = async () =>
  (await t.json<{ pings: Entry[] }>('GET', `/api/v3/checks/${id}/pings/`, { key: t.keys.apiKey })).pings

test('every method pings, including OPTIONS and rare ones', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PURGE', 'QUERY']) {
    expect(await ping(method, `/ping/${id}`)).toBe('200 OK')
  }
  expect(await ping('HEAD', `/ping/${id}`)).toBe('200')
  expect(await log()).toHaveLength(11)
  expect((await log()).slice(0, 2).map((entry) => entry.method)).toEqual(['HEAD', 'QUERY'])
})

describe('the body', () => {
  const SIZES = [2_621_440, 2_621_441, 20_000_000]

  test.skipIf(Bun.which('curl') === null)(
    'of any size is a ping from curl, with and without Content-Length and Expect',
    async () => {
      for (const size of SIZES) {
        const file = new Blob([new Uint8Array(size)])
        for (const words of [
          ['--data-binary', '@-'],
          ['-H', 'Expect:', '--data-binary', '@-'],
          ['-H', 'Expect: 100-continue', '--data-binary', '@-'],
          ['-X', 'POST', '-T', '-'],
        ]) {
          const curl = Bun.spawn(['curl', '-sS', ...words, `http://127.0.0.1:${port}/ping/${id}`], {
            stdin: file,
            stdout: 'pipe',
          })
          expect([size, words, await curl.stdout.text(), await curl.exited]).toEqual([size, words, 'OK', 0])
        }
      }
      expect(await log()).toHaveLength(4 * SIZES.length)
    },
  )

  test('of any size is a ping from a client that reads the answer only after it has sent everything', async () => {
    for (const size of SIZES) {
      const socket = connect({ host: '127.0.0.1', port })
      socket.write(`POST /ping/${id} HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n`)
      const piece = new Uint8Array(65_536)
      for (let left = size; left > 0; left -= piece.length) {
        const hasRoom = socket.write(piece.subarray(0, left))
        if (!hasRoom) await once(socket, 'drain')
      }
      const [answer] = await once(socket, 'data')
      expect([size, String(answer).split('\r\n')[0]]).toEqual([size, 'HTTP/1.1 200 OK'])
      socket.destroy()
    }
    expect(await log()).toHaveLength(SIZES.length)
  })

  test('above 2.5 MB closes the connection', async () => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.write(`POST /ping/${id} HTTP/1.1\r\nHost: x\r\nContent-Length: 2621441\r\n\r\n`)
    socket.write(new Uint8Array(2_621_441))
    let answer = ''
    for await (const chunk of socket) answer += chunk
    expect(answer).toStartWith('HTTP/1.1 200 OK\r\n')
    expect(answer).toMatch(/\r\nConnection: close\r\n/i)
  })

  test('above 2.5 MB that the client stops sending is a ping', async () => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.write(`POST /ping/${id} HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n`)
    socket.write(new Uint8Array(20_000))
    while ((await log()).length === 0) await ping('GET', '/api/v3/status/')
    socket.resetAndDestroy()
    await once(socket, 'close')
    expect(await ping('GET', `/ping/${id}`)).toBe('200 OK')
    expect(await log()).toHaveLength(2)
    expect(t.log).toEqual([])
  })

  test('that never arrives is neither a ping nor an internal error', async () => {
    const long = 'x'.repeat(20_000)
    for (const head of [
      'Content-Length: 50\r\n\r\nhalf',
      `Content-Length: 50000\r\n\r\n${long}`,
      'Transfer-Encoding: chunked\r\n\r\n9\r\nhalf',
      `Transfer-Encoding: chunked\r\n\r\n4e20\r\n${long}\r\n4e20\r\nhalf`,
    ]) {
      const socket = connect({ host: '127.0.0.1', port })
      await once(socket, 'connect')
      socket.write(`POST /ping/${id} HTTP/1.1\r\nHost: x\r\n${head}`)
      // An answer on another connection shows that the server has read what came before it.
      expect(await ping('GET', '/api/v3/status/')).toBe('200 OK')
      socket.resetAndDestroy()
      await once(socket, 'close')
    }
    expect(await ping('GET', `/ping/${id}`)).toBe('200 OK')
    expect(await log()).toMatchObject([{ n: 1, method: 'GET' }])
    expect(t.log).toEqual([])
  })
})

describe('the client', () => {
  const forged: [string, string][] = [
    ['X-Forwarded-For', '203.0.113.9'],
    ['X-Forwarded-Proto', 'https'],
  ]

  test('behind a trusted proxy is the one that the proxy names, even if the path is encoded', async () => {
    await ping('GET', `/ping/${id}`, forged)
    await ping('GET', `/%70ing/${id}`, forged)
    expect(await log()).toMatchObject(Array(2).fill({ remote_addr: '203.0.113.9', scheme: 'https' }))
  })

  test('without a trusted proxy has the address of the socket, even if the path is encoded', async () => {
    await t.close()
    await begin({ TRUSTED_PROXIES: '192.0.2.1' })
    await ping('GET', `/ping/${id}`, forged)
    await ping('GET', `/%70ing/${id}`, forged)
    await ping('POST', `/ping/${id}`, forged, new Uint8Array(100_000))
    expect(await log()).toMatchObject(Array(3).fill({ remote_addr: '127.0.0.1', scheme: 'http' }))
  })
})

describe('HTTP/1.0 without a Host', () => {
  async function ask(request: string): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port })
    socket.write(request)
    let answer = ''
    for await (const chunk of socket) answer += chunk
    return answer
  }

  test('can ping and read the status, as load balancers do', async () => {
    expect(await ask(`GET /ping/${id}/start HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.[01] 200 OK\r\n/)
    expect(await ask('OPTIONS /api/v3/status/ HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.[01] 200 OK\r\n/)
    expect(await ask('GET /nowhere HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.[01] 404 /)
    expect(await log()).toHaveLength(1)
    expect(t.log).toEqual([])
  })
})
