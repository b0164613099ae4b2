/** Imports from a running server and from an Uptime Kuma, to the end: the imported checks work here. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../support/command-line.ts'
import { environment } from '../../support/environment.ts'
import { recorded, recordedAnswer } from '../../support/recorded-api.ts'
import { FROM_SOURCE } from '../../support/served.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { createKumaFile } from '../../support/uptime-kuma.ts'
import { type Folder, folder } from '../support.ts'

let place: Folder
const cleanups: (() => unknown)[] = []
beforeEach(async () => {
  place = folder()
  expect((await run(['migrate'], { DATABASE_URL: place.url })).code).toBe(0)
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
  place.remove()
})

interface Report {
  readonly applied: boolean
  readonly projects: readonly { readonly name: string; readonly new: boolean; readonly checks: number }[]
  readonly notes: readonly { readonly kind: string; readonly subject: string; readonly name: string }[]
}

async function imported(...words: readonly string[]): Promise<Report> {
  const { code, out, err } = await run(['import', ...words, '--json'], { DATABASE_URL: place.url })
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

/** Opens the app on the imported database. Its secret differs from that of the source. */
async function open(): Promise<TestApp> {
  const app = await testApp({ env: { DATABASE_URL: place.url } })
  cleanups.push(() => app.close())
  return app
}

describe('overdue import healthchecks --url', () => {
  const [first] = recorded
  const key = first?.keys.api_key ?? ''
  let url: string
  beforeEach(() => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: recordedAnswer })
    cleanups.push(() => server.stop(true))
    url = `http://127.0.0.1:${server.port}`
  })

  test('says what would come, and then moves it: keys, UUIDs, bodies and published badges go on working', async () => {
    const keys = join(place.path, 'keys')
    writeFileSync(keys, `${key}\n`)
    const words = ['healthchecks', '--url', url, '--api-key-file', keys, '--project', 'Moved']
    const before = await imported(...words)
    expect(before).toMatchObject({ applied: false, projects: [{ name: 'Moved', new: true, checks: 43 }] })
    const report = await imported(...words, '--apply')
    expect(report).toMatchObject({ applied: true, projects: [{ name: 'Moved', new: true, checks: 43 }] })
    expect(report.notes.map(({ subject }) => subject)).toContain('ping key')

    const app = await open()
    const { checks } = await app.json<{ checks: { uuid: string; n_pings: number; badge_url: string }[] }>(
      'GET',
      '/api/v3/checks/',
      { key },
    )
    const list = first?.answers.find(({ path, key: role }) => path === '/api/v3/checks/' && role === 'rw')
    const told = (list?.json as { checks: typeof checks } | undefined)?.checks ?? []
    const idOf = ({ uuid, n_pings, badge_url }: (typeof told)[number]) =>
      `${uuid} ${n_pings} ${badge_url.split('/').at(-1)}`
    expect(checks.map(idOf).sort()).toEqual(told.map(idOf).sort())
    const bodies = first?.answers.filter(({ path, status }) => /\/api\/v3.*\/body$/.test(path) && status === 200) ?? []
    expect(bodies.length).toBeGreaterThan(10)
    for (const { path, text, base64 } of bodies.slice(0, 20)) {
      const body = Buffer.from(await (await app.call('GET', path, { key })).arrayBuffer())
      const expected = Buffer.from(base64 ?? text ?? '', base64 === undefined ? 'utf8' : 'base64')
      expect([path, body.equals(expected)]).toEqual([path, true])
    }
    const badges = first?.answers.filter(({ path }) => path.startsWith('/badge/')) ?? []
    expect(badges.length).toBeGreaterThan(10)
    for (const { path } of badges) expect([path, (await app.call('GET', path)).status]).toEqual([path, 200])
    const [sign = ''] = /[-\w]{8}-2/.exec(badges[0]?.path ?? '') ?? []
    const forged = badges[0]?.path.replace(sign, 'AAAAAAAA-2') ?? ''
    expect((await app.call('GET', forged)).status).toBe(404)
  }, 60_000)

  test('refuses what does not go together, and a key that is none, and writes nothing', async () => {
    const cases: readonly (readonly [words: readonly string[], message: string])[] = [
      [[], 'an import needs --database or --url'],
      [['--url', url], '--url needs an API key'],
      [['--url', url, '--database', 'x'], 'an import needs --database or --url'],
      [['--url', url, '--api-key', key, '--secret-key', 'x'], '--secret-key cannot be used with --url'],
      [['--database', 'x', '--api-key', key], '--api-key is used with --url'],
      [['--url', url, '--api-key', key, '--project', 'a', '--project', 'b'], 'more project names than API keys'],
      [['--url', url, '--api-key', 'ключ'], 'API key 1 has a character that API keys never have'],
      [['--url', url, '--api-key', 'wrong'], 'does not accept API key 1'],
    ]
    for (const [words, message] of cases) {
      const { code, err } = await run(['import', 'healthchecks', ...words, '--apply'], { DATABASE_URL: place.url })
      expect([message, code === 0, err.includes(message)]).toEqual([message, false, true])
      expect(err).not.toContain(key)
    }
  }, 60_000)
})

test('an import that waits for a server which limits requests ends at once by Ctrl-C', async () => {
  const asked = Promise.withResolvers<void>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      asked.resolve()
      return new Response('', { status: 429, headers: { 'retry-after': '300' } })
    },
  })
  cleanups.push(() => server.stop(true))
  const words = ['import', 'healthchecks', '--url', `http://127.0.0.1:${server.port}`, '--api-key', 'any']
  const child = Bun.spawn([...FROM_SOURCE.command, ...words], {
    ...{ cwd: FROM_SOURCE.cwd, env: environment({ DATABASE_URL: place.url }) },
    ...{ stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  })
  await asked.promise
  child.kill('SIGINT')
  expect([await child.exited, await child.stderr.text()]).toEqual([
    130,
    expect.stringContaining('the import was stopped'),
  ])
}, 60_000)

describe('overdue import uptime-kuma', () => {
  test('makes checks of push monitors, whose new ping URLs work, and warns of a file that others may read', async () => {
    const path = join(place.path, 'kuma.db')
    const file = createKumaFile(path, 2)
    chmodSync(path, 0o644)
    const monitor_id = file.add('monitor', {
      ...{ name: 'Nightly', type: 'push', interval: 3600, push_token: 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6' },
      maxretries: 2,
      created_date: '2026-01-01 00:00:00',
    })
    const config = JSON.stringify({ type: 'slack', slackwebhookURL: 'https://hooks.slack.com/services/T/B/x' })
    const notification_id = file.add('notification', { name: 'Ops', config, user_id: 1 })
    file.add('monitor_notification', { monitor_id, notification_id })
    const beat = (time: string, status: number, important: number, msg: string) =>
      file.add('heartbeat', { monitor_id, time: `2026-01-02 ${time}:00.000`, status, important, msg })
    beat('10:00', 1, 1, 'OK')
    beat('11:00', 0, 1, 'disk full')

    const dry = await run(['import', 'uptime-kuma', '--database', path], { DATABASE_URL: place.url })
    expect([dry.code, dry.out.includes('Nothing was written'), dry.out.includes('push URL')]).toEqual([0, true, true])
    expect(dry.err).toContain(`every user of this machine can read ${path}`)
    chmodSync(path, 0o600)
    expect((await imported('uptime-kuma', '--database', path, '--apply')).projects).toMatchObject([
      { name: 'Uptime Kuma', new: true, checks: 1 },
    ])
    beat('12:00', 1, 1, 'OK')
    file.close()
    await imported('uptime-kuma', '--database', path, '--apply')
    const app = await open()
    const [project] = (await app.app.deps.store.projects.list()).filter(({ name }) => name === 'Uptime Kuma')
    if (project === undefined) throw new Error('no project')
    const [check] = (await app.app.deps.store.checks.list(project.id, {}, null)).items.map((each) => each.check)
    expect(check).toMatchObject({ name: 'Nightly', status: 'up', nPings: 3, nEvents: 3 })
    expect((await app.call('GET', `/ping/${check?.id}`)).status).toBe(200)
    expect(app.sent).toEqual([])
  }, 60_000)
})
