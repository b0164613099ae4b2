/** The contract of a database engine: run it over each one. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Database, Sql, Value } from '../../src/store/sql/database.ts'
import { rejection } from '../support/store-builders.ts'

export interface OpenedDatabase {
  /** an empty database of the newest data model */
  readonly database: Database
  /** Opens another connection to the same database, like another process. */
  another(): Promise<Database>
  /** Closes all connections and removes the database. */
  close(): Promise<void>
}

const set = (sql: Sql, name: string, value: string) =>
  sql.run('INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2', [
    name,
    value,
  ])
const textOf = async (sql: Sql, name: string) =>
  (await sql.get<{ value: string }>('SELECT value FROM settings WHERE name = $1', [name]))?.value ?? null
const names = async (sql: Sql) =>
  (await sql.all<{ name: string }>('SELECT name FROM settings ORDER BY name', [])).map(({ name }) => name)
const turn = () => new Promise((resolve) => setImmediate(resolve))

export function databaseContract(engine: string, open: () => Promise<OpenedDatabase>): void {
  let opened: OpenedDatabase
  let database: Database
  beforeEach(async () => {
    opened = await open()
    database = opened.database
  })
  afterEach(() => opened.close())

  describe(`a write to ${engine}`, () => {
    test('that throws leaves nothing, and the next one works', async () => {
      const failure = new Error('changed my mind')
      const write = database.write(async (sql) => {
        await set(sql, 'a', '1')
        throw failure
      })
      expect(await rejection(write)).toBe(failure)
      await database.write((sql) => set(sql, 'b', '1'))
      expect(await database.read(names)).toEqual(['b'])
    })

    test('with a failing statement leaves nothing', async () => {
      const insert = 'INSERT INTO settings (name, value) VALUES ($1, $2)'
      const write = database.write(async (sql) => {
        await sql.run(insert, ['a', '1'])
        await sql.run(insert, ['a', '2'])
      })
      expect(await rejection(write)).toBeInstanceOf(Error)
      expect(await database.read(names)).toEqual([])
    })

    test('sees its own changes, and returns what its work returns', async () => {
      const seen = await database.write(async (sql) => {
        await set(sql, 'a', '1')
        return names(sql)
      })
      expect(seen).toEqual(['a'])
    })

    test('is visible to other processes once its promise resolves', async () => {
      const other = await opened.another()
      await database.write((sql) => set(sql, 'a', '1'))
      expect(await other.read(names)).toEqual(['a'])
    })

    test('ends before the database closes', async () => {
      const other = await opened.another()
      const writes = ['a', 'b', 'c'].map((name) => database.write((sql) => set(sql, name, '1')))
      await database.close()
      await Promise.all(writes)
      expect(await other.read(names)).toEqual(['a', 'b', 'c'])
    })
  })

  describe(`a lock of ${engine}`, () => {
    test('makes writes that read first wait for each other, even if they pause in between', async () => {
      const other = await opened.another()
      const add = (letter: string, index: number) =>
        (index % 2 === 0 ? database : other).write(async (sql) => {
          await sql.lock('setting', ['text'])
          const text = (await textOf(sql, 'text')) ?? ''
          await turn()
          await set(sql, 'text', text + letter)
        })
      await Promise.all([...'overdue'].map(add))
      expect([...((await database.read((sql) => textOf(sql, 'text'))) ?? '')].toSorted().join('')).toBe('deeoruv')
    })

    test('can be taken again, without keys, with the same key twice, and with keys in any order', async () => {
      const other = await opened.another()
      const write = (on: Database, keys: readonly string[]) =>
        on.write(async (sql) => {
          await sql.lock('project', keys)
          await turn()
          await sql.lock('project', [...keys].reverse())
          await sql.lock('counter ids')
          await sql.lock('check', [])
          await sql.lock('check', ['a', 'a'])
        })
      await Promise.all([write(database, ['a', 'b']), write(other, ['b', 'a']), write(database, ['b', 'a'])])
    })

    test('is released by a write that throws', async () => {
      const other = await opened.another()
      const lock = async (sql: Sql) => sql.lock('channel', ['a'])
      const failed = database.write(async (sql) => {
        await lock(sql)
        throw new Error('changed my mind')
      })
      await rejection(failed)
      await other.write(lock)
    })
  })

  describe(`a read of ${engine}`, () => {
    test('sees one state of the database, whatever is written meanwhile', async () => {
      await database.write((sql) => set(sql, 'a', '1'))
      const seen = await database.read(async (sql) => {
        const before = await names(sql)
        await database.write((other) => set(other, 'b', '1'))
        return [before, await names(sql)]
      })
      expect(seen).toEqual([['a'], ['a']])
      expect(await database.read(names)).toEqual(['a', 'b'])
    })

    test('does not see what a write has not committed, and does not wait for it', async () => {
      const gate = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const write = database.write(async (sql) => {
        await set(sql, 'a', '1')
        begun.resolve()
        await gate.promise
      })
      await begun.promise
      expect(await database.read(names)).toEqual([])
      gate.resolve()
      await write
      expect(await database.read(names)).toEqual(['a'])
    })
  })

  describe(`statements of ${engine}`, () => {
    test('give null, or nothing, where there is no row', async () => {
      expect(await database.read((sql) => textOf(sql, 'none'))).toBeNull()
      expect(await database.read(names)).toEqual([])
    })

    test('return how many rows they changed', async () => {
      const changed = await database.write(async (sql) => {
        await set(sql, 'a', '1')
        await set(sql, 'b', '1')
        const updated = await sql.run('UPDATE settings SET value = $1', ['2'])
        return [updated, await sql.run('DELETE FROM settings WHERE name = $1', ['none'])]
      })
      expect(changed).toEqual([2, 0])
    })

    test('take their parameters by number', async () => {
      await database.write((sql) => sql.run('INSERT INTO settings (name, value) VALUES ($2, $1)', ['1', 'a']))
      expect(await database.read((sql) => textOf(sql, 'a'))).toBe('1')
    })

    test('write and find many rows in order, and none for no values', async () => {
      await database.write(async (sql) => {
        await sql.runEach('INSERT INTO settings (name, value) VALUES ($2, $1)', [
          ['1', 'a'],
          ['2', 'b'],
        ])
        await sql.runEach('DELETE FROM settings', [])
      })
      const find = 'SELECT value FROM settings WHERE name = $1'
      expect(await database.read((sql) => sql.getEach(find, [['b'], ['none'], ['a']]))).toEqual([
        { value: '2' },
        null,
        { value: '1' },
      ])
      expect(await database.read((sql) => sql.getEach(find, []))).toEqual([])
    })

    test('fail the whole write with the error of one that nobody waits for', async () => {
      const insert = 'INSERT INTO settings (name, value) VALUES ($1, $2)'
      await database.write((sql) => sql.run(insert, ['taken', '1']))
      const failing = database.write(async (sql) => {
        await sql.runEach(insert, [['fresh', '1']])
        await sql.runEach('INSERT INTO settings (name, value) VALUES ($1, NULL)', [['empty']])
        await sql.runEach(insert, [['another', '1']])
      })
      expect(String(await rejection(failing))).toMatch(/null/i)
      expect(await database.read(names)).toEqual(['taken'])
      await database.write((sql) => sql.runEach(insert, [['fresh', '2']]))
      expect(await database.read(names)).toEqual(['fresh', 'taken'])
    })

    test('give the error of the one that failed first to those that follow', async () => {
      const failing = database.write(async (sql) => {
        await sql.runEach('INSERT INTO settings (name, value) VALUES ($1, NULL)', [['empty']])
        await sql.get('SELECT value FROM settings WHERE name = $1', ['empty'])
      })
      expect(String(await rejection(failing))).toMatch(/null/i)
    })

    test('order texts by their code points', async () => {
      const texts = ['B', 'Z', '_', 'a', 'a-b', 'ab', 'é']
      await database.write((sql) =>
        sql.runEach(
          'INSERT INTO settings (name, value) VALUES ($1, $1)',
          texts.toReversed().map((text) => [text]),
        ),
      )
      expect(await database.read(names)).toEqual(texts)
    })
  })

  describe(`values of ${engine}`, () => {
    const insert = `
      INSERT INTO pings (id, exit_status, check_id, n, received_at, kind, scheme, method, ua, body)
      VALUES ($1, $2, $3, $4, $5, 'success', 'http', 'GET', $6, $7)`
    const columns = 'id, exit_status, check_id, n, received_at, ua, body'

    test('come back as they were stored: whole numbers, texts, bytes, and null', async () => {
      const most = Number.MAX_SAFE_INTEGER
      const text = '\u0001 \'"\\ \r\n é 🦆 \ufffd'
      const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
      const rows: readonly (readonly Value[])[] = [
        [1, null, '', 0, -1, text, bytes],
        [most, -most, 'b', most, 1_795_000_000_000_000, '', new Uint8Array()],
        [3, 2, 'c', 1, 0, 'x', null],
      ]
      await database.write((sql) => sql.runEach(insert, rows))
      for (const row of rows) {
        const found = await database.read((sql) =>
          sql.get<Record<string, Value>>(`SELECT ${columns} FROM pings WHERE id = $1`, [row[0] ?? null]),
        )
        const body = found?.body instanceof Uint8Array ? Uint8Array.from(found.body) : found?.body
        expect(Object.values<unknown>({ ...found, body })).toEqual([...row])
      }
      const sums = 'SELECT COUNT(*) AS count, MAX(n) AS most, SUM(id) AS sum FROM pings WHERE id < 10'
      expect(await database.read((sql) => sql.get(sums, []))).toEqual({ count: 2, most: 1, sum: 4 })
    })
  })

  describe(`the figures of ${engine}`, () => {
    test('include a revision that changes whenever another process has written', async () => {
      const other = await opened.another()
      const before = (await database.readOthers()).writes
      await other.write((sql) => set(sql, 'a', '1'))
      const after = (await database.readOthers()).writes
      expect(after).not.toBe(before)
    })

    test('include its size in bytes', async () => {
      const size = Object.values(await database.size())
      expect(size.length).toBeGreaterThan(0)
      for (const bytes of size) expect(bytes).toBeGreaterThanOrEqual(0)
    })
  })
}
