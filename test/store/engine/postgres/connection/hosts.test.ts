import { describe, expect, test } from 'bun:test'
import { databaseAddress } from '../../../../../src/config/database-address.ts'
import type { PostgresAddress } from '../../../../../src/domain/database-address.ts'
import { faultReason, isLost } from '../../../../../src/store/engine/postgres/connection/faults.ts'
import { withNameFault } from '../../../../../src/store/engine/postgres/connection/host-names.ts'
import { findHost } from '../../../../../src/store/engine/postgres/connection/hosts.ts'
import { freePort } from '../../../../support/free-port.ts'
import { refusingServer } from '../../../../support/postgres/refusing-server.ts'
import { rejection } from '../../../../support/store-builders.ts'

function address(...ports: readonly number[]): PostgresAddress {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
  const read = databaseAddress(`postgres://overdue:battery@${hosts}/overdue?sslmode=disable`)
  if (read.engine !== 'postgres') throw new Error('this is no address of PostgreSQL')
  return read
}

test('a host where nothing listens is told with what to check', async () => {
  const error = await rejection(findHost(address(freePort())))
  expect(faultReason(error)).toStartWith('nothing accepts connections there')
  expect(isLost(error)).toBe(true)
})

test('a host that is unknown is told as such, not as one that refuses connections', async () => {
  // A name with an empty part is not sent to a name server.
  const error = await rejection(findHost({ ...address(5432), hosts: [{ host: 'db..example', port: 5432 }] }))
  expect(faultReason(error)).toBe('the host of PostgreSQL is unknown: check its name in DATABASE_URL')
  expect(String(error)).toContain('db..example:5432: there is no host of that name')
})

describe('a host that cannot be reached', () => {
  const refused = Object.assign(new Error('Failed to connect'), { code: 'ERR_POSTGRES_CONNECTION_REFUSED' })
  const timedOut = Object.assign(new Error('Connection timeout'), { code: 'ERR_POSTGRES_CONNECTION_TIMEOUT' })
  const named = { host: 'db.example.org', port: 5432 }
  const fails = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))

  test('and whose name is known keeps its fault', async () => {
    for (const error of [refused, timedOut])
      expect(await withNameFault(error, named, async () => '10.0.0.1')).toBe(error)
  })

  test.each([
    ['ENOTFOUND', 'the host of PostgreSQL is unknown'],
    ['ENODATA', 'the host of PostgreSQL is unknown'],
    ['EAI_AGAIN', 'the name of the host of PostgreSQL cannot be looked up'],
    ['ETIMEOUT', 'the name of the host of PostgreSQL cannot be looked up'],
  ])('for %s is told in words of its own', async (code, words) => {
    for (const error of [refused, timedOut])
      expect(faultReason(await withNameFault(error, named, fails(code)))).toStartWith(words)
  })

  test('is not looked up by an address or a socket, nor if it has answered', async () => {
    const answered = Object.assign(new Error('starting up'), { errno: '57P03' })
    for (const host of ['10.0.0.1', '::1', '/run/postgresql'])
      expect(await withNameFault(refused, { host, port: 5432 }, fails('ENOTFOUND'))).toBe(refused)
    expect(await withNameFault(answered, named, fails('ENOTFOUND'))).toBe(answered)
  })
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
  // Only the code is examined.
  using waiting = refusingServer('OVERDUE_STANDBY', 'commits wait')
  const error = await rejection(findHost(address(starting.port, waiting.port)))
  expect(faultReason(error)).toStartWith('PostgreSQL waits for a standby that is not connected')
})
