import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { tokenLookup } from '../../src/domain/account/session.ts'
import { run, type Settings, type Started, start } from '../support/command-line.ts'
import { ENGINE, testDatabase } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import type { TestDatabase } from '../support/opened-stores.ts'
import { rowsIn } from '../support/rows.ts'
import { smtpClient } from '../support/smtp-client.ts'
import { startProcess } from './support.ts'

let place: TestDatabase
let DATABASE_URL: string
const running: Started[] = []
const others: TestDatabase[] = []

beforeEach(async () => {
  place = await testDatabase()
  DATABASE_URL = place.url
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop('SIGTERM')))
  for (const database of [place, ...others.splice(0)]) await database.remove()
})

async function noted(starting: Promise<Started>): Promise<Started> {
  const server = await starting
  running.push(server)
  return server
}

const serve = (settings: Settings = {}, ...words: string[]) => noted(start({ DATABASE_URL, ...settings }, ...words))
const serveAsProcess = (settings: Settings = {}, ...words: string[]) =>
  noted(startProcess({ DATABASE_URL, ...settings }, ...words))

const MAIL = { SMTPD_PORT: '0', PING_EMAIL_DOMAIN: 'ping.example' }

const addressIn = (out: string) => /ready at (http:\/\/\S+),/.exec(out)?.[1] ?? ''

function keysIn(out: string): readonly string[] {
  return [/odw_\w+/, /odr_\w+/, /ping key\s+(\w{22})/].map((key) => key.exec(out)?.at(-1) ?? `no ${key}`)
}

async function sh(command: string): Promise<string> {
  const child = Bun.spawn(['sh', '-c', command], { stdout: 'pipe', stderr: 'ignore' })
  return child.stdout.text()
}

describe('the first start', () => {
  test('prints its address, the keys, and two curl commands that work as they are', async () => {
    const { out } = await serve()
    const [apiKey, readOnlyKey, pingKey] = keysIn(out)
    expect(apiKey).toMatch(/^odw_\w{28}$/)
    expect(readOnlyKey).toMatch(/^odr_\w{28}$/)

    const [create = '', ping = '', ...more] = out.split('\n').filter((line) => line.trim().startsWith('curl '))
    expect(more).toEqual([])
    const check = JSON.parse(await sh(create))
    expect(check).toMatchObject({ name: 'Backup', slug: 'backup', timeout: 3600, status: 'new' })
    expect(await sh(ping)).toBe('OK')
    expect(ping).toContain(`/ping/${pingKey}/backup`)

    const read = await fetch(`${addressIn(out)}/api/v3/checks/${check.uuid}`, {
      headers: { 'X-Api-Key': String(apiKey) },
    })
    expect(await read.json()).toMatchObject({ status: 'up', n_pings: 1 })
  })

  test('with --json prints the same as one line of JSON', async () => {
    const { out } = await serve(MAIL, '--json')
    expect(out.trimEnd()).not.toContain('\n')
    const { address, database, first_account_link, mail, ...keys } = JSON.parse(out)
    expect(Object.keys(keys).toSorted()).toEqual(['api_key', 'api_key_readonly', 'ping_key'])
    expect(database).toBeString()
    expect(first_account_link).toEqual({
      url: expect.stringMatching(/^http\S+\/setup\/[\w-]{43}$/),
      expires_at: expect.any(String),
    })
    expect(first_account_link.url).toStartWith(`${address}/setup/`)
    expect(mail).toEqual({ address: '<uuid>@ping.example', port: expect.any(Number) })
  })

  test('answers only when the first project and the account of ADMIN_EMAIL are there', async () => {
    const PORT = String(freePort())
    const starting = serve({ PORT, ADMIN_EMAIL: 'ops@example.org', ADMIN_PASSWORD: 'correct horse battery' })
    const isReady = () =>
      fetch(`http://127.0.0.1:${PORT}/readyz`)
        .then(({ ok }) => ok)
        .catch(() => false)
    while (!(await isReady()));
    expect(await accounts()).toMatchObject([{ email: 'ops@example.org', projects: [{ name: 'Default' }] }])
    await starting
  })

  test('leaves the keys to the next start if another Overdue has its port, which it says', async () => {
    const PORT = String(freePort())
    const other = await testDatabase()
    others.push(other)
    await serve({ PORT, DATABASE_URL: other.url })
    const { code, out, err } = await run(['serve'], { DATABASE_URL, PORT })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toStartWith(`cannot listen on 127.0.0.1:${PORT}: the port is in use\n`)
    expect(err).toContain('→ set PORT to a free port')
    expect(keysIn((await serve()).out)[0]).toStartWith('odw_')
  })
})

const linkIn = (out: string) => /^ {2}(http\S+\/setup\/[\w-]{43})$/m.exec(out)?.[1] ?? ''

const lookupOf = (out: string) => tokenLookup(linkIn(out).slice(-43))

async function validLinks(): Promise<string[]> {
  const rows = await rowsIn<{ lookup: string }>(
    DATABASE_URL,
    "SELECT lookup FROM tokens WHERE purpose = 'first-account'",
  )
  return rows.map(({ lookup }) => lookup).toSorted()
}

const accounts = async () => {
  type Listed = { email: string; administrator: boolean; has_password: boolean; projects: unknown[] }
  const { out } = await run(['account', 'list', '--json'], { DATABASE_URL })
  return JSON.parse(out) as Listed[]
}

describe('while no account exists', () => {
  test('each start prints a fresh link at the address that it has, and the earlier ones work on', async () => {
    const first = await serve()
    await first.stop('SIGTERM')
    const { out } = await serve()
    expect(out.trimEnd().split('\n').slice(1)).toEqual([
      'Nobody has an account yet. Create the first one, which administers this server:',
      `  ${linkIn(out)}`,
      'The link works within an hour, while nobody has an account. Another one: overdue account link',
    ])
    expect(linkIn(out)).toStartWith(`${addressIn(out)}/setup/`)
    expect(linkIn(first.out)).toStartWith(`${addressIn(first.out)}/setup/`)
    expect(await validLinks()).toEqual([lookupOf(first.out), lookupOf(out)].toSorted())
  })

  test('the link begins with SITE_ROOT, also when that has a path, and the start says where it listens', async () => {
    const { out } = await serve({ SITE_ROOT: 'https://example.org/overdue' })
    expect(linkIn(out)).toStartWith('https://example.org/overdue/setup/')
    expect(out).toMatch(
      /^Overdue is ready at https:\/\/example\.org\/overdue, its database is \S+, it listens on 127\.0\.0\.1:\d+\n/,
    )
  })

  test('two servers that start at once on one database both work, and so do both links', async () => {
    const both = await Promise.all([serveAsProcess(), serveAsProcess()])
    expect(both.filter(({ out }) => out.includes('odw_'))).toHaveLength(1)
    for (const { out } of both) {
      expect(linkIn(out)).not.toBe('')
      expect((await fetch(`${addressIn(out)}/healthz`)).status).toBe(200)
    }
    expect(await validLinks()).toEqual(both.map(({ out }) => lookupOf(out)).toSorted())
  })

  test('the link is not in the log, even if it is requested', async () => {
    const server = await serve({ LOG_LEVEL: 'debug' })
    for (const method of ['GET', 'POST']) await fetch(linkIn(server.out), { method })
    const { err } = await server.stop('SIGTERM')
    expect(err).toContain('"ready"')
    expect(err).not.toContain(linkIn(server.out).slice(-43))
  })
})

describe('ADMIN_EMAIL and ADMIN_PASSWORD', () => {
  const admin = { ADMIN_EMAIL: 'Ops@Example.org', ADMIN_PASSWORD: 'correct horse battery' }

  test('make the first account, which owns the first project, instead of a link', async () => {
    const server = await serve({ ...admin, LOG_LEVEL: 'debug' })
    const line = 'Created the account of ops@example.org (ADMIN_EMAIL). It administers this server.'
    expect(server.out.split('\n')).toContain(line)
    expect(server.out).not.toContain('/setup/')
    expect(await accounts()).toMatchObject([
      {
        email: 'ops@example.org',
        administrator: true,
        has_password: true,
        projects: [{ name: 'Default', role: 'owner' }],
      },
    ])
    const { out, err } = await server.stop('SIGTERM')
    expect(out + err).not.toContain('correct horse')
  })

  test('change nothing once there is an account, and then a start prints exactly one line, and no key', async () => {
    await run(['project', 'create', 'Default'], { DATABASE_URL })
    await run(['account', 'create', 'jane@example.org'], { DATABASE_URL })
    const { out } = await serve(admin)
    expect(out).toMatch(/^Overdue is ready at http:\/\/localhost:\d+, its database is \S+\n$/)
    expect((await accounts()).map(({ email }) => email)).toEqual(['jane@example.org'])
  })

  test('of two servers that start at once, one makes the account, which --json names', async () => {
    const both = await Promise.all([serveAsProcess(admin, '--json'), serveAsProcess(admin, '--json')])
    const told = both.map(({ out }) => JSON.parse(out))
    expect(told.flatMap(({ first_account }) => first_account ?? [])).toEqual([{ email: 'ops@example.org' }])
    for (const { first_account_link } of told) expect(first_account_link).toBeUndefined()
    expect(await accounts()).toHaveLength(1)
  })
})

test('a start that receives email says for which addresses and on which port', async () => {
  const { out } = await serve(MAIL)
  const words = /, it receives email for <uuid>@ping\.example on port (\d+)\n/.exec(out)
  const client = await smtpClient(Number(words?.[1]))
  expect(await client.begin('nobody@ping.example')).toStartWith('550 ')
  client.close()
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops it with exit status 0 and one log line', async (signal) => {
  const server = await serveAsProcess({ LOG_LEVEL: 'info' })
  const { code, err } = await server.stop(signal)
  expect(code).toBe(0)
  const lines = err
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([
    { message: 'ready' },
    { level: 'INFO', message: 'stopping', signal },
    { message: 'stopped' },
  ])
})

test('no key gets into the log, at any level, whatever is requested with it', async () => {
  const server = await serve({ LOG_LEVEL: 'debug', EMAIL_MAIL_FROM_TMPL: 'bounces+%s@example.org' })
  const keys = keysIn(server.out)
  const address = addressIn(server.out)
  const wrong = 'odw_WrongWrongWrongWrongWrongWro'
  for (const key of [...keys, wrong]) {
    for (const method of ['GET', 'POST', 'PUT']) {
      for (const path of ['checks/', 'nowhere']) {
        await fetch(`${address}/api/v3/${path}`, { method, headers: { 'X-Api-Key': key } })
      }
    }
    await fetch(`${address}/api/v3/checks/`, { method: 'POST', body: JSON.stringify({ api_key: key, timeout: 1 }) })
    await fetch(`${address}/ping/${key}/nowhere/999?rid=x&create=1`)
  }
  const { code, err } = await server.stop('SIGTERM')
  expect(code).toBe(0)
  expect(err).toContain('EMAIL_MAIL_FROM_TMPL')
  for (const key of [...keys, wrong]) expect(err).not.toContain(key)
})

test('a HOST that is the name of no machine is reported as such', async () => {
  const { code, err } = await run(['serve'], { DATABASE_URL, HOST: 'nosuch.invalid', PORT: '0' })
  expect(code).toBe(1)
  expect(err).toContain('cannot listen on nosuch.invalid:0: HOST=nosuch.invalid has no address\n→ ')
})

test('health has exit status 0 while the server works, and 1 when none answers', async () => {
  const PORT = String(freePort())
  const server = await serve({ PORT })
  const url = `http://127.0.0.1:${PORT}/readyz`
  // The PostgreSQL of tests does not wait for the disk.
  const note =
    ENGINE === 'postgres'
      ? ', but commits do not wait for the disk: a crash or a power cut may lose pings that were answered'
      : ''
  const parts = [
    'loop deliveries',
    'loop mailings',
    'loop overdue',
    'loop incidents',
    'loop retention',
    'loop search',
    'loop refused',
    'loop advice',
    'outbox',
  ]
  const lines = [
    `database: ok${note}`,
    ...parts.map((part) => `${part}: ok`),
    'instances: 1 alive',
    'last outage: none known',
    ...(ENGINE === 'sqlite' ? ['last backup: none'] : []),
  ]
  const healthy = await run(['health', '--json'], { PORT })
  expect([healthy.code, JSON.parse(healthy.out)]).toEqual([0, { url, status: 200, healthy: true, lines }])
  expect(await run(['health'], { PORT, HOST: '0.0.0.0' })).toEqual({
    code: 0,
    out: `${[`${url} answers 200`, ...lines].join('\n')}\n`,
    err: '',
  })
  await server.stop('SIGTERM')
  const { code, err } = await run(['health'], { PORT })
  expect(code).toBe(1)
  expect(err).toStartWith(`${url} does not answer: connection refused\n`)
  expect(err).toContain(`set HOST and PORT as for the server (PORT is ${PORT} here; `)
})

test.each(['', 'ok\n', '<!doctype html>\n<title>database: yes</title>\n', 'part: ok\n'])(
  'health has exit status 1 when another web server answers 200 with %j',
  async (body) => {
    using other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(body) })
    expect(await run(['health'], { PORT: String(other.port) })).toEqual({
      code: 1,
      out: '',
      err: `${other.url}readyz answers, but not as Overdue\n→ set HOST and PORT as for the server\n`,
    })
  },
)

test('commands work on the database of a running server', async () => {
  const { out } = await serve()
  const made = JSON.parse((await run(['project', 'create', 'Beside', '--json'], { DATABASE_URL })).out)
  const ask = (key: string) => fetch(`${addressIn(out)}/api/v3/checks/`, { headers: { 'X-Api-Key': key } })
  expect((await ask(made.api_key)).status).toBe(200)
  expect((await run(['key', 'revoke', 'Beside', made.api_key], { DATABASE_URL })).code).toBe(0)
  expect((await ask(made.api_key)).status).toBe(401)
  expect((await ask(made.api_key_readonly)).status).toBe(200)
})
