import { expect, test } from 'bun:test'
import { outputOf, startChild } from '../../bench/support/children.ts'
import type { LoadJob, LoadResult } from '../../bench/support/load.ts'

test('a load makes a new connection for each request if connections are not kept', async () => {
  let opened = 0
  const requests: string[] = []
  using server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open: () => {
        opened += 1
      },
      data(socket, bytes) {
        requests.push(bytes.toString())
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      },
    },
  })
  const job: LoadJob = {
    ...{ port: server.port, paths: ['/a'], method: 'POST', headers: { Authorization: 'Bearer x' }, bodyBytes: 0 },
    ...{ answer: { bytes: 0, end: '' }, connections: 2, isKeptAlive: false, perSecond: null, pid: null },
    ...{ warmUpSeconds: 0, seconds: 5, limit: 20 },
  }
  const result: LoadResult = JSON.parse(await outputOf(startChild(['bench/support/load.ts']), JSON.stringify(job), 20))
  expect(result).toMatchObject({ answers: 20, errors: 0 })
  expect(opened).toBe(requests.length)
  expect(requests[0]).toStartWith('POST /a HTTP/1.1\r\n')
  expect(requests[0]).toContain('\r\nContent-Length: 0\r\nAuthorization: Bearer x\r\n')
})
