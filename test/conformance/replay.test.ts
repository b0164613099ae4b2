/** The replayer over a real socket: what it sends, byte for byte, and how it reads answers. */
import { afterEach, describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'
import type { Case } from './case.ts'
import { build, runCase } from './replay.ts'
import { exchange, readResponse } from './wire.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Answers every connection with the next of `answers`, and keeps the raw requests. */
async function rawServer(answers: readonly string[]): Promise<{ baseUrl: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((socket) => {
    const index = asked.push('') - 1
    socket.on('data', (chunk) => {
      asked[index] += chunk.toString('latin1')
      socket.write(answers[index] ?? '')
    })
    socket.on('error', () => {})
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return { baseUrl: `http://127.0.0.1:${address.port}`, asked }
}

const ok = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`

function caseOf(...steps: Case['steps']): Case {
  return { area: 'x', name: 'y', steps }
}

describe('a request', () => {
  test('sends path, method, header names and an empty header value unchanged', async () => {
    const { baseUrl, asked } = await rawServer([ok('')])
    const host = new URL(baseUrl).host
    const headers = [['x-API-Key', '']] as const
    await exchange(host, { method: 'BREW', target: '/a//b/../%2563?rid=x%0A', headers, body: null })
    expect(asked).toEqual([`BREW /a//b/../%2563?rid=x%0A HTTP/1.1\r\nHost: ${host}\r\nx-API-Key: \r\n\r\n`])
  })

  test('may be a GET with a body, and a POST without a body has a Content-Length of 0', async () => {
    const { baseUrl, asked } = await rawServer([ok(''), ok('')])
    const { host } = new URL(baseUrl)
    await exchange(host, { method: 'GET', target: '/', headers: [], body: Buffer.from('hi') })
    await exchange(host, { method: 'POST', target: '/', headers: [], body: null })
    expect(asked[0]).toEndWith('Content-Length: 2\r\n\r\nhi')
    expect(asked[1]).toEndWith('Content-Length: 0\r\n\r\n')
  })

  test('with JSON has its content type, which a case may replace or remove', () => {
    const type = (headers: Record<string, string | null>) =>
      new Map(build({ method: 'POST', path: '/', json: {}, headers }, {}).headers)
    expect(type({}).get('Content-Type')).toBe('application/json')
    expect([...type({ 'content-type': 'text/plain' })]).toContainEqual(['content-type', 'text/plain'])
    expect([...type({ 'content-type': 'text/plain' }).keys()]).not.toContain('Content-Type')
    expect([...type({ 'content-type': null }).keys()]).toEqual(['User-Agent'])
  })

  test('has a body of text, bytes or a repetition', () => {
    const body = (request: object) => build({ method: 'POST', path: '/', ...request }, { v: '€' }).body
    expect(body({ body: '{{v}}' })).toEqual(Buffer.from('€'))
    expect(body({ body: '' })).toEqual(Buffer.alloc(0))
    expect(body({ body_hex: 'ff00' })).toEqual(Buffer.from([255, 0]))
    expect(body({ body_repeat: { text: 'ab', times: 3 } })).toEqual(Buffer.from('ababab'))
    expect(body({})).toBeNull()
  })
})

describe('an answer', () => {
  const read = (text: string, method = 'GET', ended = false) => readResponse(Buffer.from(text, 'latin1'), method, ended)

  test('is complete at its Content-Length', () => {
    expect(read('HTTP/1.1 200 OK\r\nContent-Len')).toBeNull()
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nO')).toBeNull()
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK')?.body.toString()).toBe('OK')
  })

  test('is joined from chunks', () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
    expect(read(`${head}1\r\nO\r\n`)).toBeNull()
    expect(read(`${head}1\r\nO\r\n1;x=y\r\nK\r\n0\r\n\r\n`)?.body.toString()).toBe('OK')
  })

  test('without a length lasts to the end of the connection', () => {
    expect(read('HTTP/1.1 200 OK\r\n\r\nOK')).toBeNull()
    expect(read('HTTP/1.1 200 OK\r\n\r\nOK', 'GET', true)?.body.toString()).toBe('OK')
  })

  test('to HEAD or with 204 has no body, with any Content-Length', () => {
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n', 'HEAD')?.body).toHaveLength(0)
    expect(read('HTTP/1.1 204 No Content\r\n\r\n')?.status).toBe(204)
  })

  test('is found after an interim answer, and its repeated headers are joined', () => {
    const response = read('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nVary: a\r\nvary: b\r\n\r\n')
    expect(response?.status).toBe(204)
    expect(response?.headers.get('vary')).toBe('a, b')
  })
})

describe('a case', () => {
  test('uses in one step what an earlier one captured', async () => {
    const { baseUrl, asked } = await rawServer([ok('{"a":{"url":"http://h/p/1"},"n":7}'), ok('OK'), ok('OK')])
    const capture = { url: '/a/url', n: '/n', last: { from: '/a/url', regex: '/(\\d)$' }, body: '"n":(.)' }
    const differences = await runCase(
      baseUrl,
      caseOf(
        { request: { method: 'GET', path: '/first' }, capture, expect: { status: 200 } },
        { request: { method: 'GET', path: '{{url}}' }, expect: { status: 200, text: 'OK' } },
        { request: { method: 'GET', path: '/{{n}}{{last}}{{body}}' }, expect: { status: 200 } },
      ),
      {},
    )
    expect(differences).toEqual([])
    expect(asked.map((request) => request.split(' ')[1])).toEqual(['/first', '/p/1', '/717'])
  })

  test('stops at the first step that differs, and names it', async () => {
    const { baseUrl, asked } = await rawServer([ok('NO')])
    const step = { request: { method: 'GET', path: '/ping' }, expect: { status: 201, text: 'OK' } }
    expect(await runCase(baseUrl, caseOf(step, step), {})).toEqual([
      'step 1 GET /ping: status: expected 201, got 200',
      'step 1 GET /ping: body: expected "OK", got "NO"',
    ])
    expect(asked).toHaveLength(1)
  })

  test('sends a repeated step that many times', async () => {
    const { baseUrl, asked } = await rawServer([ok(''), ok(''), ok('')])
    const step = { request: { method: 'GET', path: '/' }, repeat: 3, expect: { status: 200 } }
    expect(await runCase(baseUrl, caseOf(step), {})).toEqual([])
    expect(asked).toHaveLength(3)
  })

  test('reports a capture that finds nothing as a difference', async () => {
    const { baseUrl } = await rawServer([ok('{}')])
    const step = { request: { method: 'GET', path: '/' }, capture: { uuid: '/uuid' }, expect: { status: 200 } }
    expect(await runCase(baseUrl, caseOf(step), {})).toEqual(['step 1 GET /: could not capture uuid by "/uuid"'])
  })

  test('reports a missing variable, an unreadable answer and a closed port as differences', async () => {
    const { baseUrl } = await rawServer(['SSH-2.0-x\r\n\r\n'])
    const step = (path: string) => ({ request: { method: 'GET', path }, expect: { status: 200 } })
    expect(await runCase(baseUrl, caseOf(step('/{{lost}}')), {})).toEqual([
      'step 1 GET /{{lost}}: no value for {{lost}}',
    ])
    expect(await runCase(baseUrl, caseOf(step('/')), {})).toEqual([
      'step 1 GET /: no answer: not an HTTP answer: SSH-2.0-x',
    ])
    const gone = await runCase('http://127.0.0.1:1', caseOf(step('/')), {})
    expect(gone).toHaveLength(1)
    expect(gone[0]).toContain('no answer')
  })

  test('that needs another time does not pass by accident', async () => {
    expect(await runCase('http://127.0.0.1:1', caseOf({ setup: 'an hour later' }), {})).toHaveLength(1)
  })
})
