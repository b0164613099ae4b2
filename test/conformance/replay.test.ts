/** Tests that the replayer can fail, over a real socket. The recorded cases show that it sends and reads what they contain. */
import { afterEach, describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'
import type { Case } from './case.ts'
import { runCase } from './replay.ts'

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

describe('a case', () => {
  test('stops at the first step that differs, and names it', async () => {
    const { baseUrl, asked } = await rawServer([ok('NO')])
    const step = { request: { method: 'GET', path: '/ping' }, expect: { status: 201, text: 'OK' } }
    expect(await runCase(baseUrl, caseOf(step, step), {})).toEqual([
      'step 1 GET /ping: status: expected 201, got 200',
      'step 1 GET /ping: body: expected "OK", got "NO"',
    ])
    expect(asked).toHaveLength(1)
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
