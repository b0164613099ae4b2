/** Calls to a signal-cli daemon that answers, answers in pieces, sends too much, or nothing. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { createServer, type Socket } from 'node:net'
import { createSignalCaller } from '../../src/delivery/signal-cli.ts'
import { type Folder, temporaryFolder } from '../support/folder.ts'

let folder: Folder
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => folder.remove())

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const ID = 'dddddddd-0000-4000-8000-000000000001'
const PARAMS = { recipient: ['+37120000000'], message: 'Größe 🎉\nzwei', textStyle: ['0:5:BOLD'] }

const send = (socket: string, timeoutSeconds = 5) =>
  createSignalCaller({ timeoutSeconds })({ socket, id: ID, method: 'send', params: PARAMS })

/** A daemon that calls `speak` for each line, and records lines and open connections. */
async function daemon(
  speak: (socket: Socket, line: string) => void,
  address: { host: string } | { path: string } = { path: folder.file(`${cleanups.length}-${Bun.nanoseconds()}`) },
) {
  const lines: string[] = []
  const closed: Promise<void>[] = []
  const server = createServer((socket) => {
    closed.push(new Promise((resolve) => socket.on('close', () => resolve())))
    socket.setEncoding('utf8')
    socket.on('error', () => {})
    socket.on('data', (text: string) => {
      lines.push(text)
      speak(socket, text)
    })
  })
  await new Promise<void>((resolve) => server.listen('path' in address ? address : { ...address, port: 0 }, resolve))
  cleanups.push(() => new Promise((resolve) => server.close(resolve)))
  const bound = server.address()
  const port = typeof bound === 'object' ? bound?.port : undefined
  return { lines, closed, port, socket: 'path' in address ? address.path : `${address.host}:${port}` }
}

const json = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
const RESULT = { timestamp: 999, results: [{ type: 'SUCCESS' }] }
const ANSWER = json({ id: ID, result: RESULT })
const answered = { kind: 'answered', result: RESULT } as const
const unreachable = (error: string) => ({ kind: 'unreachable', error }) as const

describe('a call', () => {
  test('is one line of JSON-RPC, and its connection is closed after the answer', async () => {
    const { lines, closed, socket } = await daemon((to) => to.write(ANSWER))
    expect(await send(socket)).toEqual(answered)
    expect(lines).toEqual([`${JSON.stringify({ jsonrpc: '2.0', id: ID, method: 'send', params: PARAMS })}\n`])
    expect(closed).toHaveLength(1)
    await Promise.all(closed)
  })

  test.each(['127.0.0.1', 'localhost'])('goes over TCP when the operator names a host: %s', async (host) => {
    const { socket } = await daemon((to) => to.write(ANSWER), { host })
    expect(await send(socket)).toEqual(answered)
  })

  test('goes over TCP to an IPv6 address in brackets', async () => {
    const { port } = await daemon((to) => to.write(ANSWER), { host: '::1' })
    expect(await send(`[::1]:${port}`)).toEqual(answered)
  })
})

describe('an answer', () => {
  test('that is an error is passed on unchanged', async () => {
    const error = { code: -1, message: 'Failed to send message', data: { response: { results: [] } } }
    const { socket } = await daemon((to) => to.write(json({ id: ID, error })))
    expect(await send(socket)).toEqual({ kind: 'answered', error })
  })

  test('may come after notifications, answers to others and nonsense', async () => {
    const noise = [
      json({ method: 'receive', params: { envelope: { dataMessage: { message: 'hi' } } } }),
      json({ method: 'receive', params: { id: ID } }),
      json({ id: 'another', result: { timestamp: 1 } }),
      json({ id: null, result: 1 }),
      'no JSON\n',
      '\n',
      'null\n',
      '7\n',
      '[]\n',
    ].join('')
    const { socket } = await daemon((to) => to.write(noise + ANSWER))
    expect(await send(socket)).toEqual(answered)
  })

  test('may come in pieces, also within characters', async () => {
    const result = { text: 'Größe 🎉' }
    const bytes = new TextEncoder().encode(json({ id: ID, result }))
    const { socket } = await daemon(async (to) => {
      to.setNoDelay(true)
      for (const byte of bytes) {
        to.write(new Uint8Array([byte]))
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    expect(await send(socket)).toEqual({ kind: 'answered', result })
  })

  test('without an id is about our call when it says that a request could not be read', async () => {
    const error = { code: -32700, message: 'Parse error' }
    const { socket } = await daemon((to) => to.write(json({ id: null, error })))
    expect(await send(socket)).toEqual({ kind: 'answered', error })
  })

  test('that never ends is abandoned', async () => {
    const { closed, socket } = await daemon((to) => {
      const more = () => void to.write('x'.repeat(64 * 1024), (error) => error || setImmediate(more))
      more()
    })
    expect(await send(socket)).toEqual(unreachable('the answer of signal-cli is too long'))
    await Promise.all(closed)
  })

  test('that does not come is not waited for', async () => {
    const { closed, socket } = await daemon(() => {})
    expect(await send(socket, 0.05)).toEqual(unreachable('signal-cli did not answer in time'))
    await Promise.all(closed)
  })

  test('times out when only other messages come', async () => {
    const { socket } = await daemon((to) => to.write(json({ method: 'receive', params: {} })))
    expect(await send(socket, 0.05)).toEqual(unreachable('signal-cli did not answer in time'))
  })

  test.each([
    ['at once', (to: Socket) => to.end()],
    ['in the middle of the answer', (to: Socket) => to.end(ANSWER.slice(0, 20))],
    ['rudely', (to: Socket) => to.destroy()],
  ])('cannot come when the daemon hangs up %s', async (_, speak) => {
    const { socket } = await daemon(speak)
    expect(await send(socket)).toEqual(unreachable('signal-cli closed the connection'))
  })
})

describe('a daemon that is not there', () => {
  test.each(['/no/such/folder/signal.socket', '127.0.0.1:1', 'relative.socket', 'no-such-host.invalid:7583'])(
    'cannot be reached: %s',
    async (socket) => {
      expect(await send(socket)).toEqual(unreachable('Could not reach signal-cli'))
    },
  )

  test('with an invalid address names the setting', async () => {
    const error = 'SIGNAL_CLI_SOCKET is not a valid address'
    expect(await send('localhost:99999')).toEqual(unreachable(error))
  })
})
