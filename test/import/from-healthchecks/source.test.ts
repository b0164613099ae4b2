import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ImportedCheck, ImportedProject, ImportSource } from '../../../src/domain/import/import-source.ts'
import { hashApiKey } from '../../../src/domain/project.ts'
import { isoSeconds } from '../../../src/lib/time.ts'
import { briefDatabase, ENGINE } from '../../support/databases.ts'
import { temporaryFolder } from '../../support/folder.ts'
import {
  all,
  changedFixture,
  DUMP_GZ,
  dumpFixture,
  openFixture,
  RECORDED,
  readAll,
  restoreDump,
  SECRET,
  sqliteFixture,
} from '../../support/healthchecks/fixture.ts'

const folder = temporaryFolder()
const sqlite = sqliteFixture(folder)
const dump = dumpFixture(folder)
const closing: (() => Promise<void>)[] = []
let source: ImportSource

beforeAll(async () => {
  if (ENGINE === 'sqlite') {
    source = await openFixture({ sqlite })
    return
  }
  const database = await briefDatabase()
  await restoreDump(database.url, dump)
  source = await openFixture({ postgres: database.url })
  closing.push(database.remove)
})
afterAll(async () => {
  await source.close()
  for (const close of closing) await close()
  folder.remove()
})

function projectOf(code: string): ImportedProject {
  const found = source.projects.find(({ id }) => id === code)
  if (!found) throw new Error('no such project')
  return found
}

function checkNamed(name: string): ImportedCheck {
  const found = source.projects.flatMap(({ checks }) => checks).find((check) => check.name === name)
  if (!found) throw new Error('no such check')
  return found
}

const notesOf = (subject: string) => source.notes.filter((note) => note.subject === subject)
const noteOn = (name: string) => source.notes.find((note) => note.name === name)

describe('a Healthchecks', () => {
  test('comes whole: every account, project, check, integration, ping and flip', async () => {
    const { counts, alerts } = await readAll(source)
    const sum = (count: (project: ImportedProject) => number) =>
      source.projects.reduce((total, project) => total + count(project), 0)
    expect(source.accounts.map(({ email }) => email)).toEqual([
      'alice@example.org',
      'bob@example.org',
      "carol.o'neill+hc@example.org",
    ])
    expect(source.projects).toHaveLength(4)
    expect(sum(({ members }) => members.length)).toBe(4 + 5)
    expect(sum(({ checks }) => checks.length)).toBe(120)
    expect(sum(({ channels }) => channels.length)).toBe(61)
    expect(sum(({ checks }) => checks.reduce((total, { channelIds }) => total + channelIds.length, 0))).toBe(560)
    expect(counts).toEqual({ pings: 1522, flips: 618 })
    expect(await source.countPings()).toBe(1522)
    // Of 2225 notifications, 3 are tests, and 72 went to a channel that got the same flip by a group, too.
    expect(alerts).toHaveLength(2225 - 3 - 72)
  })

  test('is the same from its SQLite file, its dump, and the database that the dump makes', async () => {
    const { comparable } = await readAll(source)
    for (const location of [{ sqlite }, { dump }, { dump: DUMP_GZ }]) {
      const other = await openFixture(location)
      expect((await readAll(other)).comparable).toBe(comparable)
      await other.close()
    }
  })

  test('has the checks that its API lists', () => {
    for (const { code, answers } of RECORDED.projects) {
      const list = answers.find(({ path, key }) => path === '/api/v3/checks/' && key === 'rw')
      const checks = (list?.json as { checks: Record<string, unknown>[] } | undefined)?.checks ?? []
      const listed = checks.toSorted((a, b) => String(a.uuid).localeCompare(String(b.uuid)))
      const imported = projectOf(code).checks.toSorted((a, b) => a.id.localeCompare(b.id))
      expect(imported.map(asListed)).toEqual(listed.map(pick))
    }
  })
})

const LISTED = ['uuid', 'name', 'slug', 'tags', 'desc', 'grace', 'n_pings', 'last_ping', 'manual_resume'] as const
const MORE = ['methods', 'start_kw', 'success_kw', 'failure_kw', 'filter_subject', 'filter_body'] as const
const REST = ['filter_http_body', 'filter_default_fail', 'channels', 'last_duration', 'badge_key'] as const

function pick(check: Record<string, unknown>): Record<string, unknown> {
  const badge_key = /([0-9a-f-]{36})\.svg$/.exec(String(check.badge_url))?.[1]
  const channels = String(check.channels).split(',').toSorted().join(',')
  const values: Record<string, unknown> = { last_duration: undefined, ...check, badge_key, channels }
  const timing = { timeout: check.timeout, schedule: check.schedule, tz: check.tz }
  return { ...Object.fromEntries([...LISTED, ...MORE, ...REST].map((name) => [name, values[name]])), ...timing }
}

/** Converts a check to the members of the API. */
function asListed(check: ImportedCheck): Record<string, unknown> {
  const isSimple = check.kind === 'simple'
  return {
    uuid: check.id,
    name: check.name,
    slug: check.slug,
    tags: check.tags,
    desc: check.desc,
    grace: check.graceSeconds,
    n_pings: check.nPings,
    last_ping: check.lastPingAt && isoSeconds(check.lastPingAt),
    manual_resume: check.manualResume,
    methods: check.methods,
    start_kw: check.startKw,
    success_kw: check.successKw,
    failure_kw: check.failureKw,
    filter_subject: check.filterSubject,
    filter_body: check.filterBody,
    filter_http_body: check.filterHttpBody,
    filter_default_fail: check.filterDefaultFail,
    channels: check.channelIds.toSorted().join(','),
    last_duration: check.lastDuration === null ? undefined : Math.trunc(check.lastDuration / 1_000_000),
    badge_key: check.badgeKey,
    timeout: isSimple ? check.timeoutSeconds : undefined,
    schedule: isSimple ? undefined : check.schedule,
    tz: isSimple ? undefined : check.tz,
  }
}

describe('accounts', () => {
  test('keep their passwords, rights, zones and second factors', () => {
    const [alice, bob] = source.accounts
    expect(alice).toMatchObject({ isAdministrator: true, tz: 'Europe/Riga', theme: 'dark', isSuspended: false })
    expect(alice?.passwordHash).toStartWith('$argon2id$v=19$')
    expect(bob).toMatchObject({ isAdministrator: false, totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' })
  })

  test('have the roles that they had', () => {
    const [first] = RECORDED.projects
    expect(projectOf(first?.code ?? '').members).toEqual([
      { email: 'alice@example.org', role: 'owner' },
      { email: 'bob@example.org', role: 'manager' },
      { email: "carol.o'neill+hc@example.org", role: 'read-only' },
    ])
  })

  test('get the reports of their profile by the email integration with their address', () => {
    const home = source.projects.find(({ name }) => name === 'Home 🏠')
    expect(home?.channels.map(({ settings }) => settings)).toContainEqual({
      value: "carol.o'neill+hc@example.org",
      report: 'daily',
      reminder: 'off',
      tz: 'UTC',
    })
  })
})

describe('projects', () => {
  test('without a name are called by the address of their owner, which is noted', () => {
    expect(source.projects.map(({ name }) => name)).toEqual([
      'alice@example.org',
      'bob@example.org',
      'Home 🏠',
      'Backups & Größe <prod>',
    ])
    expect(notesOf('project').map(({ kind, name }) => [kind, name])).toEqual([
      ['changed', 'alice@example.org'],
      ['changed', 'bob@example.org'],
    ])
  })

  test('have the limit of their owner for each log', () => {
    expect(source.projects.map(({ pingLogLimit }) => pingLogLimit)).toEqual([100, 1000, 25, 100])
  })

  test('keep their keys: hashes under the secret of the old server, and plain ones', () => {
    for (const { code, keys } of RECORDED.projects) {
      const { keys: imported } = projectOf(code)
      for (const text of [keys.api_key, keys.api_key_readonly].filter((key) => key !== null)) {
        const found = imported.find((key) => ('text' in key ? key.text === text : key.hint === text.slice(0, 8)))
        const expected = /^hc[rw]_/.test(text) ? { lookup: hashApiKey(text, SECRET) } : { text }
        expect(found).toMatchObject(expected)
      }
      const ping = imported.filter(({ kind }) => kind === 'ping').map((key) => 'text' in key && key.text)
      expect(ping).toEqual(keys.ping_key === null ? [] : [keys.ping_key])
    }
  })

  test('lose the hashed keys and signed badges without the secret, and say so', async () => {
    const without = await openFixture({ sqlite }, { secret: null })
    expect(without.projects.flatMap(({ keys }) => keys).filter((key) => 'lookup' in key)).toEqual([])
    expect(without.projects.map(({ secret }) => secret)).toEqual([null, null, null, null])
    const left = without.notes.filter(({ kind }) => kind === 'left-out')
    expect(left.filter(({ subject }) => subject === 'API key')).toHaveLength(5)
    expect(left.filter(({ subject }) => subject === 'badge')).toHaveLength(4)
    await without.close()
  })

  test('do not come with a secret that did not sign the sessions of their server', async () => {
    const session = (data: string, day: number) =>
      `INSERT INTO django_session VALUES ('key${day}', '${data}', '2026-12-0${day} 00:00:00')`
    const signed = 'eyJhIjoxfQ:1xTdUu:vAac0B6CoBdGQdQTphmmkTHMHrW2jRw5TuFfTe3jS74'
    const changed = changedFixture(folder, session(signed.replace('jox', 'joy'), 2), session('old format', 3))
    expect(openFixture({ sqlite: changed })).rejects.toMatchObject({ code: 'import-secret-wrong' })
    const known = changedFixture(folder, session(signed, 1), session('signed with a former secret', 2))
    await (await openFixture({ sqlite: known })).close()
    await (await openFixture({ sqlite: known }, { secret: null })).close()
    expect(openFixture({ sqlite: known }, { secret: 'another' })).rejects.toMatchObject({ code: 'import-secret-wrong' })
  })

  test('come with a word about the secret, unless something tells that it is right', async () => {
    const wordsOf = async (statements: readonly string[], options: Parameters<typeof openFixture>[1]) => {
      const opened = await openFixture({ sqlite: changedFixture(folder, ...statements) }, options)
      await opened.close()
      return opened.notes.filter(({ name }) => name === 'SECRET_KEY').map(({ kind, advice }) => [kind, advice])
    }
    expect(await wordsOf([], {})).toEqual([['to-do', expect.stringContaining('verify it by an API key')]])
    expect(await wordsOf([], { secret: null })).toEqual([])
    expect(await wordsOf([], { isSecretVerified: true })).toEqual([])
    const signed = 'eyJhIjoxfQ:1xTdUu:vAac0B6CoBdGQdQTphmmkTHMHrW2jRw5TuFfTe3jS74'
    const session = `INSERT INTO django_session VALUES ('key', '${signed}', '2026-12-01 00:00:00')`
    expect(await wordsOf([session], {})).toEqual([])
  })

  test('can be chosen by name; only their people come, too', async () => {
    const chosen = await openFixture({ sqlite }, { projects: ['Home 🏠'] })
    expect(chosen.projects.map(({ name }) => name)).toEqual(['Home 🏠'])
    expect(chosen.accounts.map(({ email }) => email)).toEqual(['alice@example.org', "carol.o'neill+hc@example.org"])
    await chosen.close()
    const unknown = openFixture({ sqlite }, { projects: ['Homes'] })
    expect(unknown).rejects.toMatchObject({ code: 'import-project-unknown' })
  })
})

describe('checks', () => {
  test('that were made at the same instant are a microsecond apart', () => {
    for (const { checks, channels } of source.projects) {
      for (const rows of [checks, channels]) {
        const times = new Set(rows.map(({ createdAt }) => createdAt.epochNanoseconds))
        expect(times.size).toBe(rows.length)
      }
    }
  })

  test('say that a body lies elsewhere, and that a flip was not told', () => {
    expect(noteOn('Bodies in object storage')).toMatchObject({ kind: 'left-out', subject: 'check' })
    expect(noteOn('Failed, flip not processed')).toMatchObject({ kind: 'to-do', subject: 'check' })
  })

  test('know how their last runs went', () => {
    expect(checkNamed('web report 0').runs.length).toBeGreaterThan(0)
  })
})

describe('logs', () => {
  test('keep the numbers of a log that was pruned', async () => {
    const long = source.projects.flatMap(({ checks }) => checks).find(({ slug }) => slug === 'long-log')
    if (!long) throw new Error('no long log')
    const numbers = (await all(source.pings(long, 0))).map(({ n }) => n)
    expect(numbers).toEqual(Array.from({ length: 130 }, (_, index) => 101 + index))
    expect(long.nPings).toBe(230)
    expect((await all(source.pings(long, 228))).map(({ n }) => n)).toEqual([229, 230])
  })

  test('have flips that are numbered from 1 on, and go on after those that are known', async () => {
    for (const { checks } of source.projects) {
      for (const check of checks) {
        const flips = await all(source.flips(check, 0))
        expect(flips.map(({ n }) => n)).toEqual(Array.from({ length: check.nEvents }, (_, index) => index + 1))
        if (flips.length > 1) expect(await all(source.flips(check, 1))).toEqual(flips.slice(1))
      }
    }
  })

  test('have alerts of flips and integrations that come; what was interrupted has an error', async () => {
    for (const project of source.projects) {
      const alerts = await all(source.alerts(project))
      const channels = new Set(project.channels.map(({ id }) => id))
      expect(alerts.every(({ channelId }) => channels.has(channelId))).toBe(true)
      expect(new Set(alerts.map(({ id }) => id)).size).toBe(alerts.length)
      expect(alerts.filter(({ error }) => error === 'Sending' || error === '')).toEqual([])
    }
  })
})

describe('integrations', () => {
  const channelOf = (kind: string, name?: string) =>
    source.projects
      .flatMap(({ channels }) => channels)
      .filter((channel) => channel.kind === kind && (name === undefined || channel.name === name))

  test('lose what has no use here, such as the tokens of a grant', () => {
    const [url] = channelOf('discord').map(({ settings }) => settings)
    expect(url).toStartWith('https://discord.com/api/webhooks/')
    expect(channelOf('slack', '#alerts')[0]?.settings).toStartWith('https://hooks.slack.com/services/')
    const all = JSON.stringify(source.projects.flatMap(({ channels }) => channels))
    for (const word of ['access_token', 'refresh_token', 'installation_id', 'xoxb-fake'])
      expect(all).not.toContain(word)
  })

  test('of old forms get what is missing', () => {
    expect(channelOf('zulip', 'Zulip before sites')[0]?.settings).toMatchObject({ site: 'https://zulip.example.org' })
    expect(channelOf('po', 'Pushover before the second priority')[0]?.settings).toBe('u7ay1zve5psb0jzrleawq08tj3q5k3|1')
  })

  test('that were disabled stay so, with the reason', () => {
    expect(channelOf('signal', 'gone')[0]?.disabledReason).toBe('disabled in Healthchecks: Recipient not found')
    expect(channelOf('email', 'unsubscribed')[0]?.disabledReason).toBe('disabled in Healthchecks')
  })

  test('that need somebody first come disabled, with a note', () => {
    expect(channelOf('github')[0]).toMatchObject({
      settings: { token: '', repo: 'example/ops', labels: ['outage', 'Größe'] },
      disabledReason: 'needs an access token',
    })
    expect(channelOf('shell')[0]?.disabledReason).not.toBeNull()
    expect(noteOn('example/ops')?.kind).toBe('to-do')
  })

  test('of email that nobody has confirmed go on waiting', () => {
    expect(channelOf('email', 'Ops, down only')[0]?.awaitsConfirmation).toBe(true)
    expect(channelOf('email', 'Team list')[0]?.awaitsConfirmation).toBe(false)
  })

  test('of groups lose the members that are not there', () => {
    const [group] = channelOf('group', 'With a deleted member')
    expect(String(group?.settings).split(',')).toHaveLength(1)
    expect(noteOn('With a deleted member')?.kind).toBe('changed')
  })
})

test.skipIf(ENGINE === 'sqlite')('a PostgreSQL without its tables, or without the database, is refused', async () => {
  const database = await briefDatabase()
  expect(openFixture({ postgres: database.url })).rejects.toMatchObject({ code: 'import-foreign' })
  const missing = database.url.replace(/\/test_\w+/, '/nowhere')
  expect(openFixture({ postgres: missing })).rejects.toMatchObject({ code: 'import-unavailable' })
  closing.push(database.remove)
})

test('the notes name the settings that the operator must set, and hold no secret', () => {
  const names = notesOf('setting').map(({ name }) => name)
  for (const name of ['TELEGRAM_TOKEN', 'PUSHOVER_API_TOKEN', 'TWILIO_ACCOUNT', 'SITE_ROOT'])
    expect(names).toContain(name)
  const text = JSON.stringify(source.notes)
  for (const { code, keys } of RECORDED.projects) {
    for (const secret of [code, ...Object.values(keys), SECRET]) if (secret !== null) expect(text).not.toContain(secret)
    for (const { id } of projectOf(code).checks) expect(text).not.toContain(id)
  }
})
