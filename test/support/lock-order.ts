/**
 * Makes locks out of order fail. On PostgreSQL such a write may wait for another one for ever; SQLite has no such locks, so it would not
 * notice.
 */
import { type Database, LOCKS, type Lock, type Sql } from '../../src/store/sql/database.ts'

export function withLockOrder(database: Database): Database {
  return {
    read: (work) => database.read((sql) => work(watched(sql, () => fail('a read takes no lock')))),
    write: (work, kind, shown) => database.write((sql) => work(watched(sql, inOrder())), kind, shown),
    readOthers: () => database.readOthers(),
    notify: (changed) => database.notify(changed),
    watchNotices: (listener) => database.watchNotices(listener),
    settledPings: () => database.settledPings(),
    durability: () => database.durability(),
    cache: (caching) => database.cache(caching),
    size: () => database.size(),
    close: () => database.close(),
  }
}

type OnLock = (what: Lock, keys: readonly string[]) => void

function watched(sql: Sql, onLock: OnLock): Sql {
  return {
    get: (statement, values) => sql.get(statement, values),
    all: (statement, values) => sql.all(statement, values),
    run: (statement, values) => sql.run(statement, values),
    getEach: (statement, lists) => sql.getEach(statement, lists),
    runEach: (statement, lists) => sql.runEach(statement, lists),
    async lock(what, keys = ['']) {
      onLock(what, keys)
      await sql.lock(what, keys)
    },
    words: sql.words,
    statements: sql.statements,
    pings: {
      async load(ids, entries) {
        onLock('check', ids)
        return sql.pings.load(ids, entries)
      },
      write: (batch) => sql.pings.write(batch),
      removedAtOnce: sql.pings.removedAtOnce,
      remove: (entries, part) => sql.pings.remove(entries, part),
    },
  }
}

function inOrder(): OnLock {
  const held = new Set<string>()
  let last = -1
  return (what, keys) => {
    const fresh = keys.map((key) => `${what} ${key}`).filter((name) => !held.has(name))
    if (fresh.length === 0) return
    const rank = LOCKS.indexOf(what)
    if (rank <= last) fail(`the lock "${what}" is taken after "${LOCKS[last]}"`)
    last = rank
    for (const name of fresh) held.add(name)
  }
}

function fail(words: string): never {
  throw new Error(words)
}
