/** Runs real clients in Rust against a real server: `bun run test:rust-clients` compiles them first, which takes minutes. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { CLIENTS, clientFixture } from '../fixture.ts'

const PROGRAMS = join(CLIENTS, 'rust/bin')

const c = clientFixture()

test('task-mon reports start and end of a command, by UUID and by slug', async () => {
  const uuid = await c.createCheck('task-mon')
  const taskMon = [join(PROGRAMS, 'task-mon'), '--base-url', `${c.baseUrl}/ping`]
  await c.run([...taskMon, '--uuid', uuid, '--time', '--detailed', '--', 'sh', '-c', 'echo out; exit 1'])
  await c.run([...taskMon, '--ping-key', c.pingKey, '--slug', 'task-mon', '--', 'true'])
  expect(await c.pings(uuid)).toEqual(['start GET', 'fail POST', 'success POST'])
  const [start, end] = await c.logged(uuid)
  expect(start?.rid).toMatch(/^[0-9a-f-]{36}$/)
  expect(end?.rid).toBe(start?.rid as string)
})

test('the crate healthchecks makes every call of the API v3', async () => {
  expect(await c.run([join(PROGRAMS, 'accept')])).toBe('passed\n')
})
