import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { type HealthchecksLocation, healthchecksLocation } from '../../../../src/app/import-sources.ts'
import type { Refusal } from '../../../../src/domain/errors.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { freePort } from '../../../support/free-port.ts'
import {
  changedFixture,
  DUMP_GZ,
  dumpFixture,
  openFixture,
  sqliteFixture,
} from '../../../support/healthchecks/fixture.ts'
import { openUrl } from '../../../support/open-url.ts'
import { refusingServer } from '../../../support/postgres/refusing-server.ts'

const folder = temporaryFolder()
const dump = readFileSync(dumpFixture(folder))
const head = dump.subarray(0, dump.indexOf('CREATE TABLE'))
afterAll(() => folder.remove())

let files = 0
function file(content: string | Uint8Array): string {
  const path = folder.file(`given-${files++}`)
  writeFileSync(path, content)
  return path
}

const changed = (...statements: readonly string[]) => changedFixture(folder, ...statements)

async function refusalOf(given: string | HealthchecksLocation): Promise<Refusal> {
  try {
    await (await openFixture(typeof given === 'string' ? healthchecksLocation(given) : given)).close()
  } catch (error) {
    return error as Refusal
  }
  throw new Error('it was opened')
}

describe('a file', () => {
  test('that unpacks to more than may be is refused, and one of that length is not', async () => {
    expect(await refusalOf({ dump: DUMP_GZ, unpackedLimit: dump.length - 1 })).toMatchObject({
      code: 'too-large',
      data: { limit: dump.length - 1 },
    })
    await (await openFixture({ dump: DUMP_GZ, unpackedLimit: dump.length })).close()
  })

  test('that is not there, or no file, is told with its path', async () => {
    const missing = folder.file('missing.sqlite')
    expect(await refusalOf(missing)).toMatchObject({
      code: 'import-missing',
      message: `there is no file at ${missing}`,
    })
    const inner = folder.file('inner')
    mkdirSync(inner)
    expect(await refusalOf(inner)).toMatchObject({
      code: 'import-missing',
      message: `${inner} is not a regular file: name a file, not a folder, pipe or device`,
    })
  })

  test.each(['-journal', '-wal', '-shm'])('is refused while SQLite would open a pipe beside it: %s', async (suffix) => {
    const path = folder.file(`beside${suffix}.sqlite`)
    const database = new Database(path)
    database.run('CREATE TABLE things (id INTEGER)')
    database.close()
    Bun.spawnSync(['mkfifo', path + suffix])
    expect(await refusalOf(path)).toMatchObject({
      code: 'import-missing',
      message: `${path}${suffix} is not a regular file: name a file, not a folder, pipe or device`,
    })
  })

  test('that is empty is told so', async () => {
    const path = file('')
    expect(await refusalOf(path)).toMatchObject({ code: 'import-empty', message: `the file ${path} is empty` })
  })

  test.each([
    ['PGDMP\x01\x0e', 'an archive of pg_dump, not plain text'],
    ['-- MySQL dump 10.13  Distrib 8.0.36\n--\n', 'a MySQL or MariaDB dump'],
    ['/*M!999999\\- enable the sandbox mode */\n-- MariaDB dump 10.19', 'a MySQL or MariaDB dump'],
    ['[{"model": "api.check", "pk": 1}]', 'written by dumpdata of Django, which cuts times short'],
    ['<?xml version="1.0"?><django-objects/>', 'written by dumpdata of Django, which cuts times short'],
    ['0 3 * * * /usr/local/bin/backup\n', 'neither a SQLite database nor a PostgreSQL dump'],
  ])('that begins with %j is told for what it is', async (content, what) => {
    const path = file(content)
    expect(await refusalOf(path)).toMatchObject({ code: 'import-format', message: `the file ${path} is ${what}` })
  })

  test('that is compressed is told for what it holds', async () => {
    const refusal = await refusalOf(file(gzipSync('[{"model": "api.check"}]')))
    expect(refusal.data.kind).toBe('django')
  })
})

describe('a dump', () => {
  test.each([0.3, 0.6, 0.999])('that was cut off at %d of its length is damaged', async (part) => {
    const refusal = await refusalOf(file(dump.subarray(0, Math.floor(dump.length * part))))
    expect(refusal.code).toBe('import-damaged')
    expect(refusal.message).toMatch(/is damaged: (?:it ends before the dump is complete|a row has a different number)/)
  })

  test('whose compressed form was cut off is damaged', async () => {
    const compressed = readFileSync(DUMP_GZ)
    const refusal = await refusalOf(file(compressed.subarray(0, compressed.length - 1000)))
    expect(refusal.code).toBe('import-damaged')
  })

  test('with a row of another width is damaged', async () => {
    const text = dump.toString().replace('\tup\t', '\t')
    expect((await refusalOf(file(text))).code).toBe('import-damaged')
  })

  test('with a body that is no bytes is damaged', async () => {
    const [before = '', pings = ''] = dump.toString().split(/(?=COPY public\.api_ping )/)
    const refusal = await refusalOf(file(before + pings.replace(/\t\\\\x[0-9a-f]{2}/, '\t\\\\xzz')))
    expect(refusal.message).toEndWith('is damaged: the bytes of a body are not in a format of PostgreSQL')
  })

  test('may have a table of any name', async () => {
    const table = Buffer.from('COPY public.constructor (id) FROM stdin;\n1\n\\.\n')
    const path = file(Buffer.concat([head, table, dump.subarray(head.length)]))
    await (await openFixture(healthchecksLocation(path))).close()
  })

  test('with INSERT statements, of several databases, or in another encoding cannot be read', async () => {
    const inserts = `${head}INSERT INTO public.api_check VALUES (1, 'x');\n`
    expect((await refusalOf(file(inserts))).data.kind).toBe('inserts')
    expect((await refusalOf(file(Buffer.concat([dump, dump])))).data.kind).toBe('several')
    const latin1 = Buffer.concat([head, Buffer.from('-- Gr\xf6\xdfe\n', 'latin1'), dump.subarray(head.length)])
    expect((await refusalOf(file(latin1))).data.kind).toBe('encoding')
  })

  test('of something else is foreign', async () => {
    const path = file(`${head}\n--\n-- PostgreSQL database dump complete\n--\n`)
    expect(await refusalOf(path)).toMatchObject({
      code: 'import-foreign',
      message: `${path} is not a Healthchecks database: it has no tables api_check and accounts_project`,
    })
  })
})

describe('a SQLite file', () => {
  test('with texts in place of numbers is damaged, and not read for ever', async () => {
    const path = changed(
      'DROP TABLE accounts_member',
      'CREATE TABLE accounts_member (id, user_id, project_id, role)',
      `WITH RECURSIVE k (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM k WHERE n < 1999)
       INSERT INTO accounts_member SELECT CAST(n AS TEXT), 1, 1, 'w' FROM k`,
    )
    expect(await refusalOf(path)).toMatchObject({
      code: 'import-damaged',
      message: `the file ${path} is damaged: it has text in place of numbers`,
    })
  })

  test('of this program is foreign, and stays as it is', async () => {
    const path = folder.file('overdue.db')
    await (await openUrl(`sqlite:${path}`)).close()
    const before = readFileSync(path)
    expect((await refusalOf(path)).code).toBe('import-foreign')
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('of before 2019 is told so', async () => {
    const path = changed('DROP TABLE accounts_project')
    expect((await refusalOf(path)).message).toBe(
      `${path} was written by Healthchecks before 2019, which had no projects`,
    )
  })

  test('without a project is told so', async () => {
    const path = changed('DELETE FROM accounts_project')
    expect(await refusalOf(path)).toMatchObject({
      code: 'import-empty',
      message: `the Healthchecks database ${path} contains no project`,
    })
  })

  test('that was cut off, or overwritten in the middle, is damaged', async () => {
    const cut = file(readFileSync(sqliteFixture(folder)))
    truncateSync(cut, 500_000)
    expect((await refusalOf(cut)).code).toBe('import-damaged')
    const bytes = readFileSync(sqliteFixture(folder))
    for (let at = 100_000; at < 900_000; at += 40_960) bytes.fill(0x5a, at, at + 2_000)
    expect((await refusalOf(file(bytes))).code).toBe('import-damaged')
  })
})

describe('a PostgreSQL', () => {
  test('that refuses the password is told with what to check', async () => {
    using server = refusingServer('28P01', 'password authentication failed for user "hc"')
    const refusal = await refusalOf({ postgres: `postgres://hc:secret@127.0.0.1:${server.port}/hc?sslmode=disable` })
    expect(refusal.code).toBe('import-unavailable')
    expect(refusal.reason).toBe('PostgreSQL refuses this user or password: check its URL and pg_hba.conf')
    expect(refusal.message).not.toContain('secret')
  })

  test('that is not there is told with its address', async () => {
    const port = freePort()
    const refusal = await refusalOf(`postgres://hc@127.0.0.1:${port}/hc`)
    expect(refusal.code).toBe('import-unavailable')
    expect(refusal.message).toContain(`postgres://hc@127.0.0.1:${port}/hc`)
  })

  test('whose URL is none is told so without quoting it', async () => {
    const refusal = await refusalOf('postgres://hc:p@ss/word@db/hc')
    expect(refusal.code).toBe('import-address-invalid')
    expect(refusal.message).not.toContain('word')
  })
})
