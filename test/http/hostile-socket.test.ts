/** Bytes that no `Request` can express, each followed by a request that shows that the server still works. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { overdue, type Served, serve } from '../support/served.ts'

let server: Served
let key: string
let id: string

beforeAll(async () => {
  server = await serve({ LOG_LEVEL: 'debug' })
  const project = await overdue<{ api_key: string }>(server.databaseUrl, 'project', 'create', 'Tests')
  key = project.api_key
  const made = await fetch(`${server.baseUrl}/api/v3/checks/`, { method: 'POST', headers: { 'X-Api-Key': key } })
  id = ((await made.json()) as { uuid: string }).uuid
})

afterAll(async () => {
  await server.stop()
  expect(server.logs()).not.toContain('unexpected error')
  expect(server.logs()).not.toContain('TypeError')
})

/** Sends bytes, and returns the server's output until the first answer is complete or the connection ends. */
function send(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.baseUrl).port) })
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (/\r\n\r\n/.test(answer)) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
    socket.write(Buffer.from(bytes, 'latin1'))
  })
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? 0)

async function checkNames(): Promise<unknown> {
  const list = await fetch(`${server.baseUrl}/api/v3/checks/`, { headers: { 'X-Api-Key': key } })
  return ((await list.json()) as { checks: { name: string }[] }).checks.map(({ name }) => name)
}

const HOSTS = [
  '[',
  '',
  'a b',
  'x:99999',
  'x:abc',
  '%',
  '%zz',
  '\xfc',
  'a/b',
  'a?b',
  'a#b',
  'u@h',
  '<script>',
  '\\',
  '::1',
  '[::1',
  'a\tb',
  '..',
  'hc',
  `${'x'.repeat(3000)}`,
]

test.each(HOSTS)('the Host %j is ignored', async (host) => {
  const ask = async (method: string, target: string, rest = '') =>
    statusOf(await send(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${key}\r\n${rest}\r\n`))
  expect(await ask('GET', '/nowhere')).toBe(404)
  expect(await ask('GET', '/api/v3/nowhere')).toBe(404)
  expect(await ask('GET', '/api/v3/checks/?tag=x')).toBe(200)
  expect(await ask('GET', `/api/v3/checks/${id}/flips/?start=x`)).toBe(400)
  expect(await ask('POST', '/api/v3/checks/', 'Content-Length: 0\r\nX-Api-Key: x\r\n')).toBe(401)
  expect(await ask('GET', `/ping/${id}?rid=x`)).toBe(400)
  expect(await ask('GET', `/%70ing/${id}/256`)).toBe(400)
})

test.each([
  '*',
  'nowhere',
  '/%',
  '/%zz',
  '/%ff',
  '/\xff\xfe',
  '//example.org/api/v3/checks/',
  'http://example.org/api/v3/nowhere',
  'http://[/api/v3/nowhere',
  '/api/v3/checks/../../../etc/passwd',
  '/api/v3/checks/%2e%2e/x',
  '/api\\v3\\checks\\x',
  `/${'a'.repeat(10_000)}`,
  `/${'a'.repeat(100_000)}`,
  `/api/v3/${'%'.repeat(5000)}${'3'.repeat(4999)}63hecks`,
])('the target %.60j is refused', async (target) => {
  const status = statusOf(await send(`GET ${target} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n\r\n`))
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
})

test.each([
  'Content-Length: -1\r\n\r\n',
  'Content-Length: x\r\n\r\n',
  'Content-Length: 99999999999999999999\r\n\r\n',
  'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!',
  'Content-Length: 5000000\r\n\r\n{}',
  'Transfer-Encoding: chunked\r\n\r\nzz\r\n',
  'Transfer-Encoding: chunked\r\n\r\n-1\r\n',
  'Content-Length: 1\r\n\r\n{',
  'Content-Length: 3\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08',
  'X-Nul: a\0b\r\nContent-Length: 0\r\n\r\n',
  `X-Long: ${'x'.repeat(100_000)}\r\nContent-Length: 0\r\n\r\n`,
])('a request that goes on with %.50j is refused and changes nothing', async (rest) => {
  const status = statusOf(await send(`POST /api/v3/checks/ HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n${rest}`))
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  expect(await checkNames()).toEqual([''])
})

test('a body far above the limit is refused, with or without Content-Length, and is not an internal error', async () => {
  const body = 'x'.repeat(17 * 1024 * 1024)
  const head = `POST /api/v3/checks/ HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n`
  expect(statusOf(await send(`${head}Content-Length: ${body.length}\r\n\r\n${body}`))).toBe(400)
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  expect(statusOf(await send(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`))).toBe(400)
  expect(await checkNames()).toEqual([''])
})

test('a connection that does not speak HTTP is closed', async () => {
  for (const bytes of ['\0\0\0\0\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 'hello\r\n\r\n']) {
    expect([0, 400, 505]).toContain(statusOf(await send(bytes)))
  }
  expect(await checkNames()).toEqual([''])
})

test('no error shows source code', async () => {
  const answer = await send(`GET /nowhere HTTP/1.1\r\nHost: [\r\n\r\n`)
  expect(answer).toEndWith('\r\n\r\nnot found')
})
