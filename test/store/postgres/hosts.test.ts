import { expect, test } from 'bun:test'
import { databaseAddress } from '../../../src/config/database-address.ts'
import type { PostgresAddress } from '../../../src/domain/database-address.ts'
import { faultReason, isLost } from '../../../src/store/postgres/faults.ts'
import { findHost } from '../../../src/store/postgres/hosts.ts'
import { freePort } from '../../support/free-port.ts'
import { rejection } from '../../support/store-builders.ts'

function address(...ports: readonly number[]): PostgresAddress {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
  const read = databaseAddress(`postgres://overdue:battery@${hosts}/overdue?sslmode=disable`)
  if (read.engine !== 'postgres') throw new Error('this is no address of PostgreSQL')
  return read
}

/** Accepts connections, and ends each one with this error as soon as it says something. */
function refusingServer(code: string, message: string) {
  const fields = `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`
  const length = Buffer.alloc(4)
  length.writeUInt32BE(fields.length + 4)
  const answer = Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)])
  const socket = { data: (client: Bun.Socket) => void client.end(answer) }
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket })
  return { port: listener.port, [Symbol.dispose]: () => listener.stop(true) }
}

test('a host where nothing listens is told with what to check', async () => {
  const error = await rejection(findHost(address(freePort())))
  expect(faultReason(error)).toStartWith('nothing accepts connections there')
  expect(isLost(error)).toBe(true)
})

test('of several hosts all are named, and the reason is that of one that answers', async () => {
  using starting = refusingServer('57P03', 'the database system is starting up')
  const down = freePort()
  const error = await rejection(findHost(address(down, starting.port)))
  expect(faultReason(error)).toBe('PostgreSQL is starting, stopping or recovering')
  expect(String(error)).toContain(`127.0.0.1:${down}: `)
  expect(String(error)).toContain(`127.0.0.1:${starting.port}: the database system is starting up`)
  expect(String(error)).not.toContain('battery')
})

test('a password that is refused is told as such', async () => {
  using server = refusingServer('28P01', 'password authentication failed for user "overdue"')
  const error = await rejection(findHost(address(server.port)))
  expect(faultReason(error)).toStartWith('PostgreSQL refuses this user or password')
})

test('of several hosts, one that accepts writes but for its standby tells the reason', async () => {
  using starting = refusingServer('57P03', 'the database system is starting up')
  // Nothing but the code is looked at.
  using waiting = refusingServer('OVERDUE_STANDBY', 'commits wait')
  const error = await rejection(findHost(address(starting.port, waiting.port)))
  expect(faultReason(error)).toStartWith('PostgreSQL waits for a standby that is not there')
})
