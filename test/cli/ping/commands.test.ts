/** `overdue ping` against a server process: its pings are in the log of the check. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fromSeconds, isoSeconds } from '../../../src/lib/time.ts'
import { run } from '../../support/command-line.ts'
import { freePort } from '../../support/free-port.ts'
import { type Served, serve } from '../../support/served.ts'

const RID = '4a9f7c3e-8a55-4a63-9f6b-0d3d1c2b4e5f'

let server: Served
let key: string
let uuid: string
beforeAll(async () => {
  server = await serve()
  key = (await server.overdue<{ api_key: string }>('project', 'create', 'P')).api_key
  const made = await server.overdue<{ uuid: string }>('check', 'create', '--project', 'P', '--name', 'Backup')
  uuid = made.uuid
})
afterAll(() => server.stop())

const ping = (words: readonly string[], input = '', settings = {}) =>
  run(['ping', ...words], { DATABASE_URL: server.databaseUrl, SITE_ROOT: server.baseUrl, ...settings }, input)
interface Shown {
  readonly n_pings: number
  readonly pings: readonly { readonly n: number }[]
}
async function api(path: string): Promise<Shown> {
  const response = await fetch(`${server.baseUrl}/api/v3/checks/${uuid}${path}`, { headers: { 'X-Api-Key': key } })
  return (await response.json()) as Shown
}

/** Time in seconds since 1970. */
const AN_HOUR_AGO = Math.floor(Date.now() / 1_000) - 3_600

test.each([
  [[], '', { type: 'success', rid: null }, ''],
  [['--start', '--rid', RID.toUpperCase()], '', { type: 'start', rid: RID }, ''],
  [['--at', `${AN_HOUR_AGO}`], '', { type: 'success', occurred_at: isoSeconds(fromSeconds(AN_HOUR_AGO)) }, ''],
  [['--fail', '--body', 'out of space'], '', { type: 'fail' }, 'out of space'],
  [['--log', '--body', '-'], 'from a pipe\n', { type: 'log' }, 'from a pipe\n'],
  [['--exit-status', '3'], '', { type: 'fail' }, ''],
  [['--exit-status', '0'], '', { type: 'success' }, ''],
])('with %j the ping has its type, run id and body', async (words, input, expected, body) => {
  const { code, out, err } = await ping(['Backup', '--project', 'P', ...words], input)
  expect({ code, out, err }).toEqual({ code: 0, out: `${server.baseUrl}/ping/ answers: OK\n`, err: '' })
  const [newest] = (await api('/pings/')).pings
  expect(newest).toMatchObject({ ...expected, method: 'POST', ua: expect.stringMatching(/^overdue\/\d/) })
  if (body === '') return
  const url = `${server.baseUrl}/api/v3/checks/${uuid}/pings/${newest?.n}/body`
  expect(await (await fetch(url, { headers: { 'X-Api-Key': key } })).text()).toBe(body)
})

test('a whole UUID needs neither a project nor a database', async () => {
  const { n_pings: before } = await api('')
  const { code, out } = await ping([uuid, '--json'], '', { DATABASE_URL: 'sqlite:/nowhere/at/all.db' })
  expect([code, JSON.parse(out)]).toEqual([0, { check: uuid, status: 200, answer: 'OK' }])
  expect((await api('')).n_pings).toBe(before + 1)
})

test('an unknown check and a server that does not answer have different errors', async () => {
  const stranger = await ping([RID])
  expect([stranger.code, stranger.out]).toEqual([1, ''])
  expect(stranger.err).toStartWith(`${server.baseUrl}/ping/ answers 404`)
  expect(stranger.err).toContain('→ check the UUID: there may be no such check;')

  const nowhere = `http://127.0.0.1:${freePort()}`
  const alone = await ping([uuid], '', { SITE_ROOT: nowhere })
  expect([alone.code, alone.out]).toEqual([1, ''])
  expect(alone.err).toStartWith(`no server answers at ${nowhere}/ping/: connection refused\n`)
  expect(alone.err).toContain('→ start the server with `overdue serve`')
  expect(alone.err).not.toContain(uuid)
})

test.each([
  [['--fail', '--log'], 2, 'use only one of'],
  [['--exit-status', '256'], 2, 'a whole number from 0 to 255'],
  [['--exit-status=-1'], 2, 'a whole number from 0 to 255'],
  [['--rid', 'x'], 2, 'is not a UUID'],
  [['--at', 'noon'], 1, 'answers 400 at is not a time: write milliseconds'],
])('%j is refused, and nothing is sent', async (words, status, message) => {
  const { n_pings: before } = await api('')
  const { code, err } = await ping([uuid, ...words])
  expect(code).toBe(status)
  expect(err).toContain(message)
  expect((await api('')).n_pings).toBe(before)
})
