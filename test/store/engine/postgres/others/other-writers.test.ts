/** The log shows the checks that other processes have pinged. Runs with TEST_ENGINE=postgres. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../../../src/domain/check/check.ts'
import type { Queries } from '../../../../../src/store/engine/postgres/connection/session.ts'
import { OtherWriters } from '../../../../../src/store/engine/postgres/others/other-writers.ts'
import { noteOf } from '../../../../../src/store/engine/postgres/others/writers.ts'
import type { Rows } from '../../../../../src/store/engine/postgres/values.ts'
import type { Database, Sql, Value } from '../../../../../src/store/sql/database.ts'
import { createStore } from '../../../../../src/store/sql-store/sql-store.ts'
import type { Store } from '../../../../../src/store/store.ts'
import { ENGINE, testDatabase } from '../../../../support/databases.ts'
import { openUrl } from '../../../../support/open-url.ts'
import { anAuthor, aProject, bytes, type StoreFixture, storeFixture } from '../../../../support/store-builders.ts'

if (ENGINE === 'postgres') {
  let url: string
  let open: () => Promise<Database>
  let g: StoreFixture
  let b: Store
  let c: Store
  let checks: readonly Check[]
  beforeEach(async () => {
    const made = await testDatabase()
    url = made.url
    const databases: Database[] = []
    open = async () => {
      const database = await openUrl(url)
      databases.push(database)
      return database
    }
    const close = async () => {
      for (const database of databases) await database.close()
      await made.remove()
    }
    g = await storeFixture(async () => ({ store: createStore(await open()), another: null, close }))
    ;[b, c] = [createStore(await open()), createStore(await open())]
    checks = [await g.check(), await g.check(), await g.check()]
    for (const store of [b, c]) await ping(store, 0)
  })
  afterEach(() => g.close())

  const ping = (store: Store, ...indexes: readonly number[]) =>
    store.pings.commit(
      checks.filter((_, index) => indexes.includes(index)).map((check) => g.arrival(check)),
      g.rules,
    )

  /** Returns the indexes of checks that may have changed; null: all. */
  async function changedBy(work: () => Promise<unknown>): Promise<readonly number[] | null> {
    const { revision } = await g.store.changes.read(g.project.id, null)
    await work()
    const { checkIds } = await g.store.changes.read(g.project.id, revision)
    return checkIds?.map((id) => checks.findIndex((check) => check.id === id)).toSorted() ?? null
  }

  test('of what others have pinged, each check counts as changed, and no other', async () => {
    expect(await changedBy(() => ping(b, 1))).toEqual([1])
    expect(await changedBy(() => ping(c, 0, 2))).toEqual([0, 2])
    expect(await changedBy(() => Promise.all([ping(b, 0), ping(c, 1)]))).toEqual([0, 1])
    expect(await changedBy(async () => {})).toEqual([])
  })

  test('many who ask at the same time all know of it', async () => {
    const { revision } = await g.store.changes.read(g.project.id, null)
    await ping(b, 1)
    const answers = await Promise.all(Array.from({ length: 5 }, () => g.store.changes.read(g.project.id, revision)))
    expect(answers.map(({ checkIds }) => checkIds)).toEqual(answers.map(() => [checks[1]?.id ?? '']))
  })

  test('who watches is told of it once', async () => {
    const told: string[] = []
    g.store.changes.watch((change) => {
      if (change.kind === 'checks') told.push(...(change.touched.get(g.project.id) ?? []))
    })
    await changedBy(() => ping(b, 1))
    await changedBy(async () => {})
    expect(told).toEqual([checks[1]?.id ?? ''])
  })

  const slug = { kind: 'slug', slug: 'made', create: true } as const
  const edits: readonly [string, () => Promise<unknown>][] = [
    ['edited a check', () => b.by(anAuthor()).checks.change(checks[0]?.id ?? '', (check) => ({ check }), g.rules)],
    ['deleted a check', () => b.by(anAuthor()).checks.delete(checks[0]?.id ?? '')],
    [
      'made a check by a ping',
      () => b.pings.commit([{ ...g.arrival(checks[0] as Check), target: { ...slug, pingKey: g.pingKey } }], g.rules),
    ],
    ['found a check overdue', () => judge()],
    ['pinged for the first time', async () => ping(createStore(await open()), 1)],
    ['made a project', () => b.by(anAuthor()).projects.create(aProject(), [])],
  ]
  const judge = async () => {
    g.clock.advance({ hours: 1 })
    await b.flips.judgeOverdue(g.clock.now(), g.rules, 10)
  }

  test.each(edits)('all may have changed if another process has %s', async (_, edit) => {
    await changedBy(async () => {})
    expect(await changedBy(edit)).toBeNull()
  })

  test('all may have changed if another process has ended', async () => {
    const ending = createStore(await openUrl(url))
    await ping(ending, 1)
    await changedBy(async () => {})
    expect(await changedBy(() => ending.close())).toBeNull()
  })

  test('none has changed if another has looked for what is overdue and found nothing, or has written for itself', async () => {
    await changedBy(async () => {})
    const others = async () => {
      await b.flips.judgeOverdue(g.clock.now(), g.rules, 10)
      await b.settings.getOrCreate('a', '1')
    }
    expect(await changedBy(others)).toEqual([])
  })

  test('all may have changed if others have pinged too often to read it', async () => {
    const pingOften = async (times: number) => {
      const [first] = checks
      const all = Array.from({ length: times }, () => g.arrival(first as Check))
      for (let done = 0; done < times; done += 2_000) await b.pings.commit(all.slice(done, done + 2_000), g.rules)
    }
    await changedBy(async () => {})
    expect(await changedBy(() => pingOften(4_000))).toEqual([0])
    expect(await changedBy(() => pingOften(4_001))).toBeNull()
  })

  test('pings that commit after others with higher ids are not missed', async () => {
    await changedBy(async () => {})
    const database = await open()
    const [reserved, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let n = 100
    const write = (check: string, wait: Promise<void> | null) =>
      database.write(
        async (sql) => {
          const { firstId } = await sql.pings.load([check], 1)
          reserved.resolve()
          await wait
          n += 1
          const entry = [firstId, null, check, n, 0, 'success', null, null, 'http', 'GET', '', null, bytes('')]
          await sql.pings.write({ entries: [entry], counters: [], statuses: [] })
        },
        'pings',
        () => 'pings',
      )
    const [, second] = checks
    await write(second?.id ?? '', null)
    await changedBy(async () => {})
    const late = write(second?.id ?? '', gate.promise)
    await reserved.promise
    expect(await changedBy(() => ping(b, 0))).toContain(0)
    expect(
      await changedBy(async () => {
        gate.resolve()
        await late
      }),
    ).toContain(1)
  })

  describe('of one process', () => {
    const queriesOf = (sql: Sql): Queries => ({
      query: async (text, values) => (await sql.all(text, values as Value[])) as unknown as Rows,
    })

    /** Begins a write like a batch of pings. @returns a function that ends it */
    async function batch(database: Database): Promise<() => Promise<void>> {
      const [reserved, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const written = database.write(async (sql) => {
        await sql.get("SELECT nextval('ping_ids') AS id", [])
        reserved.resolve()
        await gate.promise
        await sql.run(...noteOf('lossy', 0, 'pings'))
      }, 'upkeep')
      await reserved.promise
      return async () => {
        gate.resolve()
        await written
      }
    }

    test('a batch whose connection was lost, and that commits after the next one, counts as an edit', async () => {
      const [first, second, reader] = [await open(), await open(), await open()]
      const others = new OtherWriters('reader')
      const edits = () => reader.read(async (sql) => (await others.read(queriesOf(sql))).edits)
      await (await batch(first))()
      await edits()
      const before = await edits()
      const [late, next] = [await batch(first), await batch(second)]
      await next()
      expect(await edits()).toBe(before)
      await late()
      expect(await edits()).not.toBe(before)
    })

    test('what another server may lack counts as changed', async () => {
      const reader = await open()
      const others = new OtherWriters('reader')
      const edits = () => reader.read(async (sql) => (await others.read(queriesOf(sql))).edits)
      await edits()
      const before = await edits()
      expect(await edits()).toBe(before)
      others.forget()
      expect(await edits()).not.toBe(before)
    })
  })
}
