import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createHttpReader } from '../../src/delivery/http.ts'
import { signBadge } from '../../src/domain/badge-urls.ts'
import { isSameStep, runMarks } from '../../src/domain/check/run-history.ts'
import type { ImportedCheck, ImportSource } from '../../src/domain/import/import-source.ts'
import { type HealthchecksApiOptions, openHealthchecksApi } from '../../src/import/from-healthchecks-api/source.ts'
import { isoMicroseconds, isoSeconds, Temporal } from '../../src/lib/time.ts'
import { FIXTURE, type Recorded, recorded, recordedAnswer, SECRET } from '../support/recorded-api.ts'
import { refusalOf } from '../support/store-builders.ts'
import { testApp } from '../support/test-app.ts'

const NOW = Temporal.Instant.from('2026-11-20T10:00:00Z')

/** A key that no server here knows. */
const KEY = 'hcw_AAAAAAAAAAAAAAAAAAAAAAAAAAAA'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

type Handler = (request: Request) => Response | Promise<Response>

const serverOf = (fetch: Handler) => Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
const urlOf = ({ port }: { readonly port: number | undefined }) => `http://127.0.0.1:${port}`

/** Starts a server that is stopped after the test. */
function serve(fetch: Handler): string {
  const server = serverOf(fetch)
  cleanups.push(() => server.stop(true))
  return urlOf(server)
}

/** Opens the source. Pauses are recorded, and end at once. */
function open(
  url: string,
  apiKeys: readonly string[],
  options: Partial<HealthchecksApiOptions> & { waits?: number[]; timeoutSeconds?: number } = {},
): Promise<ImportSource> {
  const { waits = [], timeoutSeconds = 5, ...rest } = options
  return openHealthchecksApi({
    url,
    apiKeys,
    names: [],
    read: createHttpReader({ allowPrivateAddresses: true, timeoutSeconds, answerLimitBytes: 64 * 1024 * 1024 }),
    wait: async (seconds) => void waits.push(seconds),
    now: () => NOW,
    ...rest,
  })
}

async function all<Row>(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}

const rwKeys = recorded.map(({ keys }) => keys.api_key ?? '')

describe('the recorded answers of Healthchecks', () => {
  /** source that is read once, because none of these tests changes it */
  let source: ImportSource
  let server: ReturnType<typeof serverOf>
  beforeAll(async () => {
    server = serverOf(recordedAnswer)
    source = await open(urlOf(server), rwKeys)
  })
  afterAll(() => server.stop(true))

  const truth = new Database(gunzipSync(readFileSync(join(FIXTURE, 'healthchecks.sqlite.gz'))) as unknown as string)

  test('give every project with all of its checks, as the API showed them', async () => {
    expect(source.projects.map(({ badgeKey }) => badgeKey)).toEqual(recorded.map(({ badge_key }) => badge_key))
    expect(source.projects.map(({ checks }) => checks.length)).toEqual([43, 61, 10, 6])
    for (const [index, project] of source.projects.entries()) {
      const list = recorded[index]?.answers.find(({ path, key }) => path === '/api/v3/checks/' && key === 'rw')
      const told = (list?.json as { checks: Record<string, unknown>[] } | undefined)?.checks ?? []
      expect(project.checks.map(({ id }) => id)).toEqual(told.map(({ uuid }) => String(uuid)))
      for (const [at, check] of project.checks.entries()) expect(shown(check)).toMatchObject(settingsIn(told[at] ?? {}))
    }
    expect(source.notes.filter(({ subject }) => subject === 'check')).toEqual([])
  })

  test('give the flips that were stored, with what the API does not tell found out', async () => {
    for (const check of source.projects.flatMap(({ checks }) => checks)) {
      const stored = truth
        .query('SELECT f.* FROM api_flip f JOIN api_check c ON c.id = f.owner_id WHERE c.code = ? ORDER BY f.id')
        .all(check.id.replaceAll('-', '')) as Record<string, string>[]
      const expected: unknown[] = stored.map((row, index) => ({
        n: index + 1,
        second: row.created?.replace(' ', 'T').slice(0, 19),
        oldStatus: row.old_status,
        newStatus: row.new_status,
        reason: row.reason,
      }))
      const flips = (await all(source.flips(check, 0))).map(({ n, createdAt, oldStatus, newStatus, reason }) => {
        return { n, second: isoSeconds(createdAt).slice(0, 19), oldStatus, newStatus, reason }
      })
      expect<unknown>(flips).toEqual(expected)
      expect(check.nEvents).toBe(stored.length)
    }
  })

  test('give the state that was stored, but for starts that have left the log', async () => {
    for (const check of source.projects.flatMap(({ checks }) => checks)) {
      const row = truth.query('SELECT * FROM api_check WHERE code = ?').get(check.id.replaceAll('-', '')) as Row
      const stored = [row.status, row.n_pings, stampOf(row.last_ping), stampOf(row.last_start)]
      const told = [check.status, check.nPings, stamp(check.lastPingAt), stamp(check.lastStartAt)]
      expect<unknown>(told).toEqual(stored)
    }
  })

  test('give the pings to the microsecond with their bodies, only those after a number if it is asked for', async () => {
    let pings = 0
    for (const { path, json } of recorded.flatMap(({ answers }) => answers)) {
      const [, id] = /^\/api\/v3\/checks\/([^/]+)\/pings\/$/.exec(path) ?? []
      const told = (json as { pings?: Record<string, unknown>[] } | undefined)?.pings
      const check = source.projects.flatMap(({ checks }) => checks).find((each) => each.id === id)
      if (told === undefined || check === undefined) continue
      const log = await all(source.pings(check, 0))
      pings += log.length
      expect(log.map(({ n }) => n)).toEqual(told.map(({ n }) => Number(n)).reverse())
      for (const ping of log) {
        const { type, date, scheme, method, ua, remote_addr, rid } = told.find(({ n }) => n === ping.n) ?? {}
        const entry = [ping.kind, isoMicroseconds(ping.receivedAt), ping.scheme, ping.method, ping.remoteAddr, ping.rid]
        expect(entry).toEqual([type, date, scheme, method, remote_addr, rid] as typeof entry)
        expect(ping.ua).toBe(String(ua).slice(0, 200))
        const body = recorded.flatMap(({ answers }) => answers).find((each) => each.path === `${path}${ping.n}/body`)
        if (body !== undefined) expect(Buffer.from(ping.body ?? []).toString('hex')).toBe(hexOf(body))
      }
      const half = log[Math.floor(log.length / 2)]?.n ?? 0
      expect((await all(source.pings(check, half))).map(({ n }) => n)).toEqual(
        log.map(({ n }) => n).filter((n) => n > half),
      )
    }
    expect(pings).toBe(await source.countPings())
    expect(pings).toBeGreaterThan(1_400)
  })

  test('name the check whose bodies the server has lost', async () => {
    const source = await open(urlOf(server), rwKeys.slice(0, 1))
    const check = source.projects[0]?.checks.find(({ id }) => id === 'b6877be6-60fa-4d4e-b1a8-cca871357ac1')
    if (check === undefined) throw new Error('the recording has changed')
    await all(source.pings(check, 0))
    const notes = source.notes.filter(({ subject }) => subject === 'body')
    expect(notes.map(({ name, reason }) => [name, reason])).toEqual([
      [check.name, 'The server did not give the bodies of 3 of its pings, which are imported without them.'],
    ])
  })

  test('keep the keys, the UUIDs, and the signatures of published badges, without the secret', async () => {
    for (const [index, { badgeKey, badges, keys, secret }] of source.projects.entries()) {
      expect(secret).toBeNull()
      expect(keys.map((key) => ('text' in key ? key.text : ''))).toEqual([rwKeys[index] ?? ''])
      expect(badges.find(({ tag }) => tag === '*')?.signature).toBe(signBadge(badgeKey, '*', SECRET))
      for (const { tag, signature } of badges) expect(signature).toBe(signBadge(badgeKey, tag, SECRET))
    }
    // Only a person's first project has a badge key that is not its code.
    expect(source.projects[1]?.id).toBe(recorded[1]?.code ?? '')
  })

  test('give integrations of the same id and name, switched off, and say what to do about each', async () => {
    const [first] = source.projects
    expect(first?.channels.map(({ name, kind }) => [name, kind])).toContainEqual(['dead Slack', 'slack'])
    expect(first?.channels.every(({ disabledReason }) => disabledReason !== null)).toBe(true)
    expect(first?.checks.some(({ channelIds }) => channelIds.length > 1)).toBe(true)
    const todo = source.notes.filter(({ kind }) => kind === 'to-do')
    expect(todo).toHaveLength(source.projects.flatMap(({ channels }) => channels).length)
  })

  test('are read the same again, so that a second import finds nothing new', async () => {
    const again = await open(urlOf(server), rwKeys)
    expect(JSON.stringify(again.projects)).toBe(JSON.stringify(source.projects))
  })

  test('leave no key in what the source says', async () => {
    const said = JSON.stringify([source.name, source.notes])
    for (const secret of [...rwKeys, ...source.projects.flatMap(({ checks }) => checks.map(({ id }) => id))]) {
      expect(said).not.toContain(secret)
    }
  })
})

describe('the address', () => {
  for (const end of ['', '/', '/api/v3/checks/', '/?x=1#y']) {
    test(`may end with "${end}"`, async () => {
      const source = await open(`${serve(recordedAnswer)}${end}`, rwKeys.slice(0, 1), { names: ['Work'] })
      expect(source.projects.map(({ name, checks }) => [name, checks.length])).toEqual([['Work', 43]])
    })
  }

  test('names projects that are given no name', async () => {
    const url = serve(recordedAnswer)
    const { host } = new URL(url)
    const names = async (keys: readonly string[]) => (await open(url, keys)).projects.map(({ name }) => name)
    expect(await names(rwKeys.slice(0, 1))).toEqual([host])
    expect(await names(rwKeys.slice(0, 2))).toEqual([`${host} 1`, `${host} 2`])
  })

  for (const text of ['hc.example.org', 'ftp://hc.example.org', '']) {
    test(`is refused when it is "${text}"`, async () => {
      expect(await refused(open(text, rwKeys))).toBe('api-foreign')
    })
  }
})

describe('a server of another version', () => {
  const check = { n_pings: 0, status: 'new', last_ping: null, name: 'Old', timeout: 600, grace: 60 }
  const id = '3c1169a0-7b50-11ea-873d-3c970e75c219'
  const answering = (checks: unknown, rest: Readonly<Record<string, unknown>> = {}): Handler => {
    const answers: Record<string, unknown> = { 'checks/': { checks }, 'channels/': { channels: [] }, ...rest }
    return ({ url }) => {
      const path = new URL(url).pathname.replace('/api/v3/', '')
      if (path.endsWith('/flips/')) return Response.json({ flips: [] })
      return path in answers ? Response.json(answers[path]) : new Response('Not Found', { status: 404 })
    }
  }

  test('before it had uuid and badge_url has checks by their ping URLs, and badges of checks that do not tell the UUID', async () => {
    const old = { ...check, ping_url: `https://hc.example.org/ping/${id}` }
    const source = await open(serve(answering([old])), [KEY])
    const [found] = source.projects[0]?.checks ?? []
    expect(found?.id).toBe(id)
    expect(found?.badgeKey).toMatch(/^[0-9a-f-]{36}$/)
    expect(found?.badgeKey).not.toBe(id)
  })

  test('lists flips without a member around them, and statuses that are computed', async () => {
    const down = { ...check, uuid: id, status: 'down', n_pings: 1, last_ping: '2026-11-19T09:00:00+00:00' }
    const flips = [{ timestamp: '2026-11-19T09:00:00+00:00', up: 1 }]
    const handler = answering([down])
    const url = serve((request) => (request.url.includes('/flips/') ? Response.json(flips) : handler(request)))
    const [found] = (await open(url, [KEY])).projects[0]?.checks ?? []
    // Its time is over, but its own server has not flipped it yet.
    expect([found?.status, found?.nEvents]).toEqual(['up', 1])
  })

  test('has settings that are not accepted here: the check comes without them, and a note says so', async () => {
    const odd = { ...check, uuid: id, tz: 'Mars/Base', schedule: 'every full moon', tags: 'x'.repeat(501) }
    const source = await open(serve(answering([odd])), [KEY])
    const [found] = source.projects[0]?.checks ?? []
    expect([found?.kind, found?.timeoutSeconds, found?.tz, found?.tags]).toEqual(['simple', 600, 'UTC', ''])
    const notes = source.notes.filter(({ subject, name }) => subject === 'check' && name === 'Old')
    expect(notes.map(({ kind }) => kind)).toEqual(['changed', 'changed', 'changed'])
  })

  test('has checks and integrations that cannot be taken: they are named', async () => {
    const channels = [{ id, name: 'Pager', kind: 'hipchat' }]
    const url = serve(answering([{ ...check, ping_url: 'x' }, { name: 'No numbers' }], { 'channels/': { channels } }))
    const source = await open(url, [KEY])
    expect(source.projects[0]?.checks).toEqual([])
    const left = source.notes.filter(({ kind, name }) => kind === 'left-out' && name !== 'all')
    expect(left.map(({ subject, name }) => [subject, name])).toEqual([
      ['check', '1 of 2'],
      ['check', 'Old'],
      ['integration', 'Pager'],
    ])
  })
})

describe('a key', () => {
  test('that may only read is refused, also in a project without checks', async () => {
    const url = serve(recordedAnswer)
    for (const { keys } of recorded) {
      const refusal = await refusalOf(open(url, [keys.api_key_readonly ?? '']))
      expect([refusal.code, refusal.message]).toEqual([
        'api-key-refused',
        `API key 1 is read-only, so ${new URL(url).host} returns neither the UUIDs that jobs ping nor the logs`,
      ])
    }
    const empty = serve(({ url }) =>
      url.endsWith('/checks/') ? Response.json({ checks: [] }) : Response.json({ error: 'no' }, { status: 401 }),
    )
    expect(await refused(open(empty, [KEY]))).toBe('api-key-refused')
  })

  test('that is wrong is named by its number, not by its text', async () => {
    const url = serve(recordedAnswer)
    const refusal = await refusalOf(open(url, [rwKeys[0] ?? '', KEY]))
    expect(refusal.code).toBe('api-key-refused')
    expect(refusal.message).toBe(`${new URL(url).host} does not accept API key 2`)
  })

  test('of a project that another one has given already is refused', async () => {
    expect(await refused(open(serve(recordedAnswer), [rwKeys[0] ?? '', rwKeys[0] ?? '']))).toBe('invalid')
  })
})

describe('a server that', () => {
  test('limits requests is asked again when it allows it', async () => {
    const waits: number[] = []
    let asked = 0
    const url = serve((request) => {
      asked += 1
      if (asked === 1) return new Response('', { status: 429, headers: { 'retry-after': '7' } })
      if (asked === 2) return new Response('', { status: 429 })
      if (asked === 3) return new Response('', { status: 429, headers: { 'retry-after': '86400' } })
      return recordedAnswer(request)
    })
    const source = await open(url, rwKeys.slice(0, 1), { waits })
    expect(source.projects[0]?.checks).toHaveLength(43)
    expect(waits).toEqual([7, 15, 300])
  })

  test('limits requests for ever is given up', async () => {
    const url = serve(() => new Response('', { status: 429 }))
    expect(await refused(open(url, [KEY]))).toBe('api-unreachable')
  })

  test('fails for a moment is asked again, one that goes on failing is given up', async () => {
    const waits: number[] = []
    let asked = 0
    const url = serve((request) => {
      asked += 1
      return asked < 3 ? new Response('', { status: 502 }) : recordedAnswer(request)
    })
    await open(url, rwKeys.slice(0, 1), { waits })
    expect(waits).toEqual([2, 8])
    expect(
      await refused(
        open(
          serve(() => new Response('', { status: 500 })),
          [KEY],
        ),
      ),
    ).toBe('api-unreachable')
  })

  test('is not there, or silent, is said to be so', async () => {
    const silent = serve(() => new Promise<Response>(() => {}))
    for (const [url, reason] of [
      ['http://127.0.0.1:1', 'Connection failed'],
      [silent, 'Sent, but no answer within 0.1 seconds'],
    ] as const) {
      const refusal = await refusalOf(open(url, [KEY], { timeoutSeconds: 0.1 }))
      expect([refusal.code, refusal.message]).toEqual([
        'api-unreachable',
        `${new URL(url).host} does not answer: ${reason}`,
      ])
    }
  })

  for (const [what, answer, words] of [
    ['sends a page', () => new Response('<!doctype html><title>Hi</title>'), 'it sends a page instead of JSON'],
    ['sends broken JSON', () => new Response('{"checks": ['), 'it sends JSON that cannot be read'],
    ['sends other JSON', () => Response.json({ hello: 1 }), 'a list is missing'],
    ['knows no such path', () => new Response('', { status: 404 }), 'received status code 404'],
    ['sends more than anybody reads', () => new Response('x'.repeat(2_000)), 'an answer is too long'],
  ] as const) {
    test(`${what} is no Healthchecks`, async () => {
      const url = serve(answer)
      const read = createHttpReader({ allowPrivateAddresses: true, timeoutSeconds: 5, answerLimitBytes: 1_000 })
      const refusal = await refusalOf(open(url, [KEY], { read }))
      expect(refusal.code).toBe('api-foreign')
      expect(refusal.message).toBe(`${new URL(url).host} does not answer as Healthchecks does: ${words}`)
    })
  }

  test('sends elsewhere does not get the key carried there', async () => {
    const seen: (string | null)[] = []
    const elsewhere = serve((request) => {
      seen.push(request.headers.get('x-api-key'))
      return Response.json({ error: 'wrong api key' }, { status: 401 })
    })
    const url = serve((request) => Response.redirect(`${elsewhere}${new URL(request.url).pathname}`, 302))
    expect(await refused(open(url, [KEY]))).toBe('api-key-refused')
    expect(seen).toEqual([null])
  })
})

describe('Overdue itself as the server', () => {
  test('gives its checks, logs and flips', async () => {
    const here = await testApp()
    cleanups.push(() => here.close())
    const key = here.keys.apiKey
    const made = await here.json<{ uuid: string; badge_url: string }>('POST', '/api/v3/checks/', {
      key,
      json: { name: 'Nightly', slug: 'nightly', tags: 'db eu', schedule: '0 3 * * *', tz: 'Europe/Riga', grace: 600 },
    })
    await here.call('POST', `/ping/${made.uuid}`, { body: 'done \u0000 ÿ' })
    here.clock.advance({ seconds: 60 })
    await here.call('POST', `/ping/${made.uuid}/3`)
    here.clock.advance({ seconds: 60 })
    await here.call('GET', `/ping/${made.uuid}/start`)
    const url = serve((request) => here.app.handle(request))

    const source = await open(url, [key])
    const [project] = source.projects
    const [check] = project?.checks ?? []
    if (check === undefined) throw new Error('no check')
    expect(check).toMatchObject({ id: made.uuid, slug: 'nightly', kind: 'cron', tz: 'Europe/Riga', status: 'down' })
    expect(made.badge_url).toContain(check.badgeKey)
    expect(check.lastStartAt).toEqual(here.clock.now())
    const log = await all(source.pings(check, 0))
    expect(log.map(({ n, kind }) => [n, kind])).toEqual([
      [1, 'success'],
      [2, 'fail'],
      [3, 'start'],
    ])
    expect(new TextDecoder().decode(log[0]?.body ?? new Uint8Array())).toBe('done \u0000 ÿ')
    expect((await all(source.flips(check, 0))).map(({ newStatus, reason }) => [newStatus, reason])).toEqual([
      ['up', ''],
      ['down', 'fail'],
    ])
    expect(project?.badgeKey).toBe(here.project.badgeKey)
  })

  test('gives the times at which late pings happened', async () => {
    const here = await testApp()
    cleanups.push(() => here.close())
    const key = here.keys.apiKey
    const { uuid } = await here.json<{ uuid: string }>('POST', '/api/v3/checks/', { key, json: { name: 'Offline' } })
    const ago = (minutes: number) => here.clock.now().subtract({ minutes })
    const late = (action: string, at: Temporal.Instant) =>
      here.call('GET', `/ping/${uuid}${action}?at=${at.epochMilliseconds}`)
    const [began, ended, began2] = [ago(50), ago(47), ago(20)]
    await late('/start', began)
    await late('', ended)
    await late('/start', began2)
    const source = await open(
      serve((request) => here.app.handle(request)),
      [key],
    )
    const [check] = source.projects[0]?.checks ?? []
    if (check === undefined) throw new Error('no check')
    const log = await all(source.pings(check, 0))
    expect(log.map(({ occurredAt }) => occurredAt)).toEqual([began, ended, began2])
    expect(check.lastStartOccurredAt).toEqual(began2)
    expect(runMarks(check.runs).map(({ duration }) => isSameStep(duration ?? 0, 180_000_000))).toEqual([true])
  })
})

function shown(check: ImportedCheck) {
  const { name, slug, tags, desc, graceSeconds, manualResume, methods, nPings, badgeKey } = check
  return { name, slug, tags, desc, graceSeconds, manualResume, methods, nPings, badgeKey }
}

function settingsIn(told: Record<string, unknown>) {
  const { name, slug, tags, desc, grace, manual_resume, methods, n_pings, badge_url } = told
  const badgeKey = String(badge_url).split('/').at(-1)?.replace('.svg', '')
  return {
    name,
    slug,
    tags,
    desc,
    graceSeconds: grace,
    manualResume: manual_resume,
    methods,
    nPings: n_pings,
    badgeKey,
  }
}

type Row = Readonly<Record<string, string | number | null>>

/** Returns the digits of an instant in SQLite. */
function stampOf(text: Row[string] | undefined): string | null {
  return typeof text === 'string' ? text.replace(/\.?0*$/, '').replace(/\D/g, '') : null
}

function stamp(instant: Temporal.Instant | null): string | null {
  return instant === null ? null : stampOf(isoMicroseconds(instant).slice(0, -6))
}

function hexOf({ status, text, base64 }: Recorded): string {
  if (status !== 200) return ''
  return Buffer.from(base64 ?? text ?? '', base64 === undefined ? 'utf8' : 'base64').toString('hex')
}

async function refused(work: Promise<unknown>): Promise<string> {
  return (await refusalOf(work)).code
}
