import { afterAll, describe, expect, test } from 'bun:test'
import type { ImportedCheck, ImportSource } from '../../../src/domain/import/import-source.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { all, changedCopy, changedFixture, openFixture, smallFixture } from '../../support/healthchecks/fixture.ts'

const folder = temporaryFolder()
const opened: ImportSource[] = []
afterAll(async () => {
  for (const source of opened) await source.close()
  folder.remove()
})

async function openNoted(sqlite: string): Promise<ImportSource> {
  const source = await openFixture({ sqlite })
  opened.push(source)
  return source
}

const small = smallFixture(folder, "name IN ('My First Check', 'Long log')")
/** Opens the source after these statements on its database, of which few checks are left. */
const after = (...statements: readonly string[]) => openNoted(changedCopy(folder, small, ...statements))
const wholeAfter = (...statements: readonly string[]) => openNoted(changedFixture(folder, ...statements))

/** Creates a table again with the result of this query. */
function remade(table: string, columns: string): string[] {
  return [
    `CREATE TABLE made AS SELECT ${columns} FROM ${table}`,
    `DROP TABLE ${table}`,
    `ALTER TABLE made RENAME TO ${table}`,
  ]
}

const checksOf = (source: ImportSource) => source.projects.flatMap(({ checks }) => checks)
const channelsOf = (source: ImportSource) => source.projects.flatMap(({ channels }) => channels)

function checkNamed(source: ImportSource, name: string): ImportedCheck {
  const found = checksOf(source).find((check) => check.name === name)
  if (!found) throw new Error(`no check named ${name}`)
  return found
}

const reasonsOn = (source: ImportSource, name: string) =>
  source.notes.filter((note) => note.name === name).map(({ kind, reason }) => `${kind}: ${reason}`)

describe('an older Healthchecks', () => {
  const CHECK = `id, code, last_ping, status, timeout, name, created, grace, tags, n_pings, kind, schedule, tz, "desc",
    last_start, project_id, last_duration, methods, manual_resume, slug`
  const v3 = [
    ...remade('api_check', CHECK),
    ...remade(
      'api_ping',
      `id, n, owner_id, created, COALESCE(kind, '') AS kind, scheme, remote_addr, method, ua,
        NULLIF(CAST(body_raw AS text), '') AS body`,
    ),
    ...remade('api_flip', 'id, owner_id, created, processed, old_status, new_status'),
    'DROP TABLE accounts_credential',
    'DROP TABLE api_notification',
    'ALTER TABLE accounts_project DROP COLUMN show_slugs',
  ]

  test('gets defaults for the columns that it does not have', async () => {
    const [old, present] = [await wholeAfter(...v3), await wholeAfter()]
    expect(checksOf(old)).toHaveLength(120)
    expect(checksOf(old).every(({ filterSubject, startKw }) => !filterSubject && startKw === '')).toBe(true)
    expect(new Set(checksOf(old).map(({ badgeKey }) => badgeKey)).size).toBe(120)
    expect(await old.countPings()).toBe(1522)
    const [before] = [checkNamed(old, 'web report 0')]
    const pings = await all(old.pings(before, 0))
    const expected = await all(present.pings(before, 0))
    expect(pings.map(({ kind, n }) => [kind, n])).toEqual(expected.map(({ kind, n }) => [kind, n]))
    expect((await all(old.flips(before, 0))).every(({ reason }) => reason === '')).toBe(true)
    expect(await all(old.alerts(old.projects[3] as (typeof old.projects)[number]))).toEqual([])
  })

  test('has bodies as texts', async () => {
    const old = await wholeAfter(...v3)
    const bodies = await Promise.all(checksOf(old).map((check) => all(old.pings(check, 0))))
    const texts = bodies.flat().filter(({ body }) => body !== null)
    expect(texts.length).toBeGreaterThan(700)
  })

  test('has passwords of PBKDF2, which come as they are; others are told', async () => {
    const pbkdf2 = 'pbkdf2_sha256$600000$salt$GGEqHyZTyx5VY3u9Rj1yxMi1x3JbMNzoFeTYQeWiqcM='
    const source = await after(
      `UPDATE auth_user SET password = '${pbkdf2}' WHERE id = 1`,
      `UPDATE auth_user SET password = 'bcrypt_sha256$$2b$12$abc' WHERE id = 2`,
      `UPDATE auth_user SET password = '!unusable' WHERE id = 3`,
    )
    expect(source.accounts.map(({ passwordHash }) => passwordHash)).toEqual([pbkdf2, null, null])
    expect(reasonsOn(source, 'bob@example.org')).toContain(
      'to-do: The password was hashed by bcrypt_sha256 in a way that Overdue does not support.',
    )
    expect(JSON.stringify(source.notes)).not.toContain('2b$12')
  })

  test('has passwords that would take too much to check, which do not come', async () => {
    const source = await after(
      `UPDATE auth_user SET password = replace(password, 'm=102400', 'm=4194304') WHERE id = 1`,
      `UPDATE auth_user SET password = replace(password, 't=2', 't=1000000') WHERE id = 2`,
      `UPDATE auth_user SET password = 'pbkdf2_sha256$99999999$salt$GGEqHyZTyx5VY3u9Rj1yxMi1x3JbMNzoFeTYQeWiqcM=' WHERE id = 3`,
    )
    expect(source.accounts.map(({ passwordHash }) => passwordHash)).toEqual([null, null, null])
    expect(reasonsOn(source, 'alice@example.org')).toContain(
      'to-do: The password was hashed by argon2 in a way that Overdue does not support.',
    )
  })

  test('has second factors in another form; without one that can be read, no password comes', async () => {
    const source = await after(
      `UPDATE accounts_profile SET totp = 'jbsw y3dp ehpk 3pxp====' WHERE user_id = 1`,
      `UPDATE accounts_profile SET totp = 'not base32!' WHERE user_id = 2`,
    )
    const [alice, bob] = source.accounts
    expect(alice).toMatchObject({ totpSecret: 'JBSWY3DPEHPK3PXP', passwordHash: expect.any(String) })
    expect(bob).toMatchObject({ totpSecret: null, passwordHash: null })
    expect(reasonsOn(source, 'bob@example.org')).toContain(
      'to-do: The secret of their authenticator app cannot be read, so the password is not imported either.',
    )
  })

  test('has addresses in upper case, twice or not at all', async () => {
    const source = await after(
      `UPDATE auth_user SET email = 'Alice@Example.ORG' WHERE id = 1`,
      `UPDATE auth_user SET email = 'ALICE@example.org' WHERE id = 2`,
      `UPDATE auth_user SET email = '' WHERE id = 3`,
    )
    expect(source.accounts.map(({ email }) => email)).toEqual(['alice@example.org'])
    expect(source.projects[0]?.members).toEqual([{ email: 'alice@example.org', role: 'owner' }])
    expect(source.projects.map(({ name }) => name)).toContain('alice@example.org (2)')
    expect(reasonsOn(source, 'Home 🏠')).toContain('to-do: Its owner is not imported.')
  })
})

describe('a newer Healthchecks', () => {
  test('may have other tables and columns', async () => {
    const source = await wholeAfter('ALTER TABLE api_check ADD COLUMN mood text', 'CREATE TABLE api_mood (id integer)')
    expect(checksOf(source)).toHaveLength(120)
  })

  test('has kinds that are not known: each is noted', async () => {
    const source = await after(
      `UPDATE api_check SET kind = 'lunar', name = 'moon' WHERE id = 1`,
      `UPDATE api_channel SET kind = 'carrierpigeon', name = 'Birds' WHERE id = 1`,
      `UPDATE api_ping SET kind = 'dream' WHERE id = (SELECT MIN(id) FROM api_ping WHERE owner_id = 1)`,
    )
    expect(checkNamed(source, 'moon').kind).toBe('simple')
    expect(reasonsOn(source, 'moon')).toEqual([
      'to-do: Its kind, lunar, is unknown; it becomes a simple check with its period.',
    ])
    expect(channelsOf(source)).toHaveLength(60)
    expect(reasonsOn(source, 'Birds')).toEqual(['left-out: Overdue has no integrations of kind carrierpigeon.'])
    const [first] = await all(source.pings(checkNamed(source, 'moon'), 0))
    expect(first?.kind).toBe('ign')
  })
})

describe('values that are not accepted here', () => {
  test('of checks become what is nearest, and are told', async () => {
    const tags = Array.from({ length: 100 }, (_, index) => `tag-${index}`).join(' ')
    const source = await after(
      `UPDATE api_check SET name = 'odd', tags = '${tags}', slug = 'Odd Slug', tz = 'Europe/Kiev',
        timeout = 1000000, grace = 400000000000000 WHERE id = 1`,
      `UPDATE api_check SET name = 'mars', tz = 'Mars/Base', kind = 'cron', schedule = 'never' WHERE id = 2`,
    )
    const odd = checkNamed(source, 'odd')
    expect(odd).toMatchObject({ slug: 'odd-slug', tz: 'Europe/Kyiv', timeoutSeconds: 60, graceSeconds: 31_536_000 })
    expect(odd.tags.length).toBeLessThanOrEqual(500)
    expect(odd.tags).toEndWith('tag-71')
    expect(reasonsOn(source, 'odd')).toHaveLength(5)
    expect(checkNamed(source, 'mars')).toMatchObject({ kind: 'simple', tz: 'UTC' })
    expect(reasonsOn(source, 'mars')).toEqual([
      'to-do: Its schedule, never, cannot be parsed; it becomes a simple check with its period.',
      'to-do: Its time zone, Mars/Base, is unknown; it becomes UTC.',
    ])
  })

  test('of a webhook whose server depends on a placeholder come as they are, and are told', async () => {
    const value = JSON.stringify({ url_down: 'https://$TAG1.example.org/', url_up: '', headers_down: {} })
    const source = await after(
      `UPDATE api_channel SET kind = 'webhook', name = 'Open', value = '${value}' WHERE id = 1`,
    )
    expect(channelsOf(source).find(({ name }) => name === 'Open')?.settings).toEqual(JSON.parse(value))
    expect(reasonsOn(source, 'Open')).toEqual([
      'to-do: It is imported without changes, but in its settings, url_down: Write the server out: $NAME and other placeholders work only after it.',
    ])
  })

  test('of projects are numbered or clamped', async () => {
    const source = await after(
      `UPDATE accounts_project SET name = 'Ops'`,
      'UPDATE accounts_profile SET ping_log_limit = 5000 WHERE user_id = 2',
      "UPDATE accounts_project SET api_key = 'short' WHERE id = 1",
    )
    expect(source.projects.map(({ name }) => name)).toEqual(['Ops', 'Ops (2)', 'Ops (3)', 'Ops (4)'])
    expect(source.projects[1]?.pingLogLimit).toBe(1000)
    expect(reasonsOn(source, 'Ops (2)')).toContain(
      'changed: Its limit of 5000 pings in the log of a check becomes 1000, the nearest allowed value.',
    )
    expect(reasonsOn(source, 'read-write')).toContain('left-out: The key is not in a format that Healthchecks accepts.')
  })

  test('that are longer than their columns are cut, and a number of pings is not below the newest number', async () => {
    const long = 'x'.repeat(3_000)
    const source = await after(
      `UPDATE api_check SET name = 'long', start_kw = '${long}', n_pings = 2 WHERE id = 1`,
      `UPDATE api_ping SET method = '${long}', scheme = '${long}', ua = '${long}', remote_addr = '${long}'`,
      `UPDATE accounts_project SET badge_key = 'a/b' || id, ping_key = 'c/d' || id`,
      `UPDATE api_channel SET name = '${long}', last_error = '${long}'`,
    )
    const check = checkNamed(source, 'long')
    expect(check).toMatchObject({ startKw: 'x'.repeat(200), nPings: 6 })
    const [ping] = await all(source.pings(check, 0))
    const lengths = [ping?.method, ping?.scheme, ping?.ua, ping?.remoteAddr].map((text) => text?.length)
    expect(lengths).toEqual([10, 10, 200, 45])
    expect(channelsOf(source).every(({ name, lastError }) => name.length === 100 && lastError?.length === 200)).toBe(
      true,
    )
    for (const { badgeKey, keys } of source.projects) {
      expect(badgeKey).toMatch(/^[0-9a-f-]{36}$/)
      expect(keys.filter(({ kind }) => kind === 'ping')).toEqual([])
    }
  })

  test('of integrations are left out without quoting them', async () => {
    const source = await after(`UPDATE api_channel SET value = 'ftp://secret-token', name = 'bad' WHERE kind = 'spike'`)
    expect(reasonsOn(source, 'bad')).toHaveLength(1)
    expect(JSON.stringify(source.notes)).not.toContain('secret-token')
  })

  test('of logs: entries without a number of their own are left out', async () => {
    const source = await after(
      `UPDATE api_check SET name = 'twice' WHERE slug = 'long-log'`,
      `UPDATE api_ping SET n = 150 WHERE n = 151 AND owner_id = (SELECT id FROM api_check WHERE slug = 'long-log')`,
      `UPDATE api_ping SET n = NULL WHERE n = 152 AND owner_id = (SELECT id FROM api_check WHERE slug = 'long-log')`,
    )
    const twice = checkNamed(source, 'twice')
    const numbers = (await all(source.pings(twice, 0))).map(({ n }) => n)
    expect(numbers).toHaveLength(128)
    expect(new Set(numbers).size).toBe(128)
    expect(reasonsOn(source, 'twice')).toEqual(['left-out: Without a unique number, and therefore left out: 2 pings.'])
  })
})

test('a long log is read in pages of at most 500 entries and about 4 MiB', async () => {
  const source = await after(
    `INSERT INTO api_ping (n, owner_id, created, scheme, method, ua, body_raw)
      WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 2000)
      SELECT 100000 + n, 1, '2026-11-19 10:00:00', 'http', 'POST', '', zeroblob(CASE WHEN n <= 1200 THEN 10 ELSE 50000 END)
      FROM counted`,
  )
  const check = checksOf(source)[0] as ImportedCheck
  const sizes: number[] = []
  let last = 0
  for await (const page of source.pings(check, 0)) {
    sizes.push(page.length)
    expect(page.reduce((sum, { body }) => sum + (body?.length ?? 0), 0)).toBeLessThanOrEqual(4 * 1024 * 1024)
    for (const { n } of page) {
      expect(n).toBeGreaterThan(last)
      last = n
    }
  }
  expect(Math.max(...sizes)).toBe(500)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2000 + 6)
})
