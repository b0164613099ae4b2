/** A database file that is taken away from a server that has it open, and the messages of the server. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { relative } from 'node:path'
import { UNAVAILABLE } from '../../../../../src/store/engine/sqlite/faults.ts'
import { openSqlite } from '../../../../../src/store/engine/sqlite/sqlite.ts'
import type { Database as Seam } from '../../../../../src/store/sql/database.ts'
import { type Folder, folderOnDisk } from '../../../../support/folder.ts'
import { refusalOf, rejection } from '../../../../support/store-builders.ts'

let folder: Folder
let path: string
let opened: Seam[]
let told: (string | null)[]
let seconds: number
let database: Seam
beforeEach(async () => {
  folder = folderOnDisk()
  path = folder.file('o.db')
  opened = []
  told = []
  seconds = 1_000
  database = await open()
  await mark('before')
})
afterEach(async () => {
  for (const one of opened) await one.close()
  folder.remove()
})

async function open(at = path): Promise<Seam> {
  const one = await openSqlite({ path: at, stopwatch: () => seconds, onFault: (words) => void told.push(words) })
  opened.push(one)
  return one
}

const mark = (name: string, on = database) =>
  on.write((sql) => sql.run(`INSERT INTO settings (name, value) VALUES ($1, '')`, [name]))
const marks = (on = database) =>
  on
    .read((sql) => sql.all<{ name: string }>('SELECT name FROM settings ORDER BY name', []))
    .then((rows) => rows.map(({ name }) => name))

async function reason(work: Promise<unknown>): Promise<string> {
  const error = await refusalOf(work)
  expect([error.code, error.message, error.data.isLogged]).toEqual(['unavailable', UNAVAILABLE, true])
  return error.reason
}

/** Another database of this program, created as a server creates it. */
async function another(name = 'another.db'): Promise<string> {
  const one = await openSqlite({ path: folder.file(name) })
  await mark('another', one)
  await one.close()
  return folder.file(name)
}

function overwrite(file: string, from: number, bytes: Uint8Array): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, bytes, 0, bytes.length, from)
  closeSync(descriptor)
}

describe('a file that is not at its path', () => {
  test('refuses writes and reads as soon as it is deleted, and is reported once, with its path and what to do', async () => {
    rmSync(path)
    const words = await reason(mark('lost'))
    expect(words).toStartWith(`the database file ${path} was deleted while the server was running (inode `)
    expect(await reason(marks())).toBe(words)
    for (let again = 0; again < 5; again += 1) {
      seconds += 1
      await reason(mark('lost'))
    }
    expect(told).toEqual([words])
    expect(existsSync(path)).toBe(false)
  })

  test('works again once the same file is back, with all that was written, and says so once', async () => {
    renameSync(path, folder.file('away.db'))
    await reason(mark('refused'))
    renameSync(folder.file('away.db'), path)
    await mark('after')
    expect(await marks()).toEqual(['after', 'before'])
    expect(told).toEqual([expect.stringContaining('was moved away while'), null])
  })

  test('stays refused if another one was moved over it, which stays unchanged', async () => {
    const other = await another()
    const bytes = readFileSync(other)
    const [was, is] = [statSync(path).ino, statSync(other).ino]
    renameSync(other, path)
    const words = await reason(mark('lost'))
    expect(words).toStartWith(
      `the database file ${path} was replaced while the server was running (it was inode ${was}, now it is inode ${is}): `,
    )
    expect(words).toEndWith(`stop the server, move ${path}-wal to another folder, and start it on the new file`)
    expect(words).not.toContain('copy of the original')
    seconds += 60
    await reason(marks())
    await database.close()
    expect(readFileSync(path)).toEqual(bytes)
    expect(told).toHaveLength(1)
  })

  test('is noticed in the middle of a commit, which is then refused', async () => {
    const write = database.write(async (sql) => {
      await sql.run(`INSERT INTO settings (name, value) VALUES ('late', '')`, [])
      rmSync(path)
    })
    expect(await reason(write)).toContain('was deleted while')
  })

  test('is noticed if its path is a link that now leads elsewhere, and if a folder was moved', async () => {
    mkdirSync(folder.file('disk'))
    symlinkSync('disk/linked.db', folder.file('link.db'))
    const linked = await open(folder.file('link.db'))
    await mark('before', linked)
    const other = await another()
    rmSync(folder.file('link.db'))
    symlinkSync(other, folder.file('link.db'))
    expect(await reason(mark('lost', linked))).toContain(`${folder.file('link.db')} was replaced`)
    rmSync(folder.file('link.db'))
    symlinkSync('disk/linked.db', folder.file('link.db'))
    await mark('after', linked)
    renameSync(folder.file('disk'), folder.file('moved'))
    expect(await reason(mark('lost', linked))).toContain(`${folder.file('link.db')} was moved away`)
    renameSync(folder.file('moved'), folder.file('disk'))
    expect(await marks(linked)).toEqual(['after', 'before'])
  })

  test('loses nothing that was answered if it is put back after the server has stopped', async () => {
    renameSync(path, folder.file('away.db'))
    await reason(mark('refused'))
    await database.close()
    renameSync(folder.file('away.db'), path)
    expect(await marks(await open())).toEqual(['before'])
  })
})

/** Returns the commands in a message that copy the open files of a process. */
const commandsIn = (words: string) => /\(umask 077; (.*?)\)/.exec(words)?.[1] ?? ''
const RESTART = 'restart the server'

describe('the advice for a file that is gone', () => {
  test('if it was moved: move the same file back, and its log with it', async () => {
    renameSync(path, folder.file('away.db'))
    expect(await reason(mark('refused'))).toEndWith(
      ': move the same file back, or stop the server and restore a backup',
    )
    renameSync(`${path}-wal`, folder.file('away.db-wal'))
    expect(await reason(mark('refused'))).toContain(`: move the same file and its log ${path}-wal back, or `)
    for (const suffix of ['-wal', '']) renameSync(folder.file(`away.db${suffix}`), `${path}${suffix}`)
    expect(await marks()).toEqual(['before'])
  })

  describe.skipIf(process.platform !== 'linux')('if it was deleted (needs /proc)', () => {
    test('save it from the process that has it open, which then says to restart it with the same log', async () => {
      rmSync(path)
      const words = await reason(mark('lost'))
      expect(words).toContain(
        `: do not stop the server (process ${process.pid}), which still has the file open: save its contents with `,
      )
      expect(words).toEndWith(
        'see docs/operate.md, "When the database file is taken away"; only if that fails, stop the server and restore a backup',
      )
      await Bun.$`sh -c ${commandsIn(words)}`.quiet()
      seconds += 1
      const copied = await reason(mark('lost'))
      expect(copied).toBe(
        `the database file ${path} was replaced by a copy of the one that the server has open: restart the server and leave ${path}-wal where it is`,
      )
      expect(told).toEqual([words, copied])
      await database.close()
      expect(await marks(await open())).toEqual(['before'])
    })

    test('save its log too, if that was deleted with it', async () => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`)
      const [file, log] = commandsIn(await reason(mark('lost'))).split('; ')
      expect([file, log]).toEqual([
        expect.stringMatching(/^cp \/proc\/\d+\/fd\/\d+ .*o\.db$/),
        expect.stringMatching(/^cp \/proc\/\d+\/fd\/\d+ .*o\.db-wal$/),
      ])
      await Bun.$`sh -c ${file}`.quiet()
      seconds += 1
      const words = await reason(mark('lost'))
      expect(words).toContain(
        'was replaced by a copy of the one that the server has open, but its log, which contains the newest pings, ',
      )
      expect(commandsIn(words)).toBe(log ?? '')
      await Bun.$`sh -c ${commandsIn(words)}`.quiet()
      seconds += 1
      expect(await reason(mark('lost'))).toEndWith(`${RESTART} and leave ${path}-wal where it is`)
      await database.close()
      expect(await marks(await open())).toEqual(['before'])
    })

    test('and replaced: save the original first, or use the new file', async () => {
      const other = await another()
      rmSync(path)
      renameSync(other, path)
      const words = await reason(mark('lost'))
      expect(words).toContain(
        `do not stop the server (process ${process.pid}), move the new file away and save the original`,
      )
      expect(words).toEndWith(`or stop the server, move ${path}-wal to another folder, and start it on the new file`)
    })

    test('and a copy is being written: leave the log alone if it is one', async () => {
      const bytes = readFileSync(path)
      rmSync(path)
      writeFileSync(path, bytes.subarray(0, 8_192))
      expect(await reason(mark('lost'))).toContain(
        `: if the new file is a copy of the original, saved from /proc, just restart the server and leave ${path}-wal where it is; otherwise `,
      )
      writeFileSync(path, bytes)
      seconds += 1
      expect(await reason(mark('lost'))).toContain(`${RESTART} and leave ${path}-wal`)
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      rmSync(path)
      writeFileSync(path, bytes)
      seconds += 1
      expect(await reason(mark('lost'))).not.toContain('copy of')
    })
  })
})

test('the paths in messages are absolute, even if the database was given as a relative path', async () => {
  const one = await open(relative(process.cwd(), folder.file('relative.db')))
  rmSync(folder.file('relative.db-wal'))
  expect(await reason(marks(one))).toStartWith(`the log ${folder.file('relative.db-wal')} was deleted`)
  rmSync(folder.file('relative.db'))
  expect(await reason(marks(one))).toStartWith(`the database file ${folder.file('relative.db')} was deleted`)
})

describe('the log', () => {
  const main = () => {
    copyFileSync(path, folder.file('alone.db'))
    using alone = new Database(`file:${folder.file('alone.db')}?immutable=1`, 0x41)
    return alone.query('SELECT name FROM settings').values()
  }

  test('if deleted: everything is refused, and what it held is in the database at once', async () => {
    rmSync(`${path}-wal`)
    const words = await reason(mark('lost'))
    expect(words).toStartWith(
      `the log ${path}-wal was deleted or replaced while the server was running: restart the server`,
    )
    expect(main()).toEqual([['before']])
    await reason(marks())
    expect(told).toEqual([words])
    await database.close()
    expect(await marks(await open())).toEqual(['before'])
  })

  test('if its index is deleted: everything is refused until a restart, so that other processes lose no writes', async () => {
    rmSync(`${path}-shm`)
    const words = await reason(mark('lost'))
    expect(words).toBe(
      `the index ${path}-shm of the log was deleted or replaced while the server was running: restart the server, which creates a new one`,
    )
    // Connections of one process share an index.
    const write = `
      const beside = new (require('bun:sqlite').Database)(process.argv[1])
      beside.run("INSERT INTO settings (name, value) VALUES ('beside', '')")`
    await Bun.$`${process.execPath} -e ${write} ${path}`.quiet()
    expect(await reason(marks())).toBe(words)
    await database.close()
    expect(told).toEqual([words])
    expect(await marks(await open())).toEqual(['before', 'beside'])
  })

  test('if deleted together with its index: what it held is in the database at once', async () => {
    rmSync(`${path}-wal`)
    rmSync(`${path}-shm`)
    expect(await reason(mark('lost'))).toStartWith(`the log ${path}-wal was deleted`)
    expect(main()).toEqual([['before']])
    await database.close()
    expect(await marks(await open())).toEqual(['before'])
  })

  test('if cut off: that is noticed within a second', async () => {
    truncateSync(`${path}-wal`, 100)
    seconds += 1
    expect(await reason(mark('lost'))).toContain(`or its log ${path}-wal was overwritten while the server was running`)
  })

  test('if its header is overwritten: that is noticed within a second', async () => {
    overwrite(`${path}-wal`, 0, new Uint8Array(32).fill(0x5a))
    seconds += 1
    expect(await reason(mark('lost'))).toContain(`its log ${path}-wal was`)
  })
})

describe('contents', () => {
  const WAYS: Readonly<Record<string, () => Promise<void>>> = {
    'garbage over its begin': async () => overwrite(path, 0, crypto.getRandomValues(new Uint8Array(20_000))),
    'garbage over all of it': async () => writeFileSync(path, crypto.getRandomValues(new Uint8Array(65_536))),
    'nothing: it was emptied': async () => truncateSync(path, 0),
    'only half of it: it was cut off': async () => truncateSync(path, Math.floor(statSync(path).size / 2)),
    'another database, copied over it': async () => copyFileSync(await another(), path),
    'a backup, copied over it': async () => {
      using source = new Database(path)
      source.query('VACUUM INTO ?1').run(folder.file('backup.db'))
      copyFileSync(folder.file('backup.db'), path)
    },
  }
  for (const [what, overwritten] of Object.entries(WAYS)) {
    test(`are ${what}: refused within a second, and until a restart`, async () => {
      seconds += 1
      await mark('a second later')
      const log = readFileSync(`${path}-wal`)
      await overwritten()
      seconds += 1
      const words = await reason(mark('lost'))
      expect(words).toStartWith(
        `the database file ${path} was overwritten while the server was running: stop the server, move`,
      )
      expect(words).toEndWith(
        `move ${path} and ${path}-wal to another folder, then restore a backup; see docs/operate.md, "When the database file is taken away"`,
      )
      seconds += 10
      expect(await reason(marks())).toBe(words)
      expect(told).toEqual([words])
      // The newest answered write is in there, and nowhere else.
      await database.close()
      expect(readFileSync(`${path}-wal`).subarray(0, log.length)).toEqual(log)
    })
  }

  test('that SQLite finds damaged are refused from then on, and reported once', async () => {
    await database.write((sql) => sql.run('CREATE TABLE ballast (x)', []))
    await database.write((sql) => sql.run('INSERT INTO ballast VALUES (zeroblob(400000))', []))
    await database.close()
    const size = statSync(path).size
    overwrite(path, size - 300_000, new Uint8Array(290_000).fill(0x5a))
    const again = await openSqlite({ path, checkIntegrity: false, onFault: (words) => void told.push(words) })
    opened.push(again)
    await mark('still', again)
    const words = await reason(again.read((sql) => sql.all('SELECT * FROM ballast', [])))
    expect(words).toStartWith(
      `the database file ${path} is damaged (database disk image is malformed): stop the server`,
    )
    expect(await reason(mark('lost', again))).toBe(words)
    expect(await reason(marks(again))).toBe(words)
    expect(told).toEqual([words])
  })

  test('do not count as overwritten after a checkpoint, ours or of another process, or after a VACUUM', async () => {
    const fine = async (name: string) => {
      seconds += 1
      await mark(name)
    }
    using beside = new Database(path)
    beside.run('CREATE TABLE ballast (x)')
    beside.run('INSERT INTO ballast VALUES (zeroblob(400000))')
    await fine('written')
    for (const how of ['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE']) {
      expect(beside.query(`PRAGMA wal_checkpoint(${how})`).values()[0]?.[0]).toBe(0)
      await fine(how)
    }
    beside.run('DROP TABLE ballast')
    const size = statSync(path).size
    beside.run('VACUUM')
    beside.query('PRAGMA wal_checkpoint(TRUNCATE)').values()
    expect(statSync(path).size).toBeLessThan(size)
    await fine('smaller')
    await fine('again')
    beside.run('ANALYZE')
    beside.query('PRAGMA wal_checkpoint(RESTART)').values()
    beside.run('CREATE TABLE t (x)')
    await fine('anew')
    expect(told).toEqual([])
  })

  test.each([
    'PRAGMA application_id = 77',
    'PRAGMA default_cache_size = 5000',
    'PRAGMA auto_vacuum = FULL; VACUUM',
    'PRAGMA auto_vacuum = INCREMENTAL; VACUUM',
  ])('are not taken for overwritten after another process has run %s', async (statements) => {
    using beside = new Database(path)
    beside.run(statements)
    beside.query('PRAGMA wal_checkpoint(TRUNCATE)').values()
    seconds += 1
    await mark('fine')
    seconds += 1
    await mark('still fine')
    expect(told).toEqual([])
  })

  test('with only another time of the last write are fine', async () => {
    await Bun.$`touch ${path} ${path}-wal`.quiet()
    seconds += 1
    await mark('fine')
    expect(told).toEqual([])
  })
})

describe('a disk on which nothing can be written', () => {
  /** Raises SQLite's error for a full disk. */
  const full = () => {
    using small = new Database(':memory:')
    small.run('PRAGMA max_page_count = 1')
    small.run('CREATE TABLE t (x)')
  }
  const refused = () => rejection(database.write(async () => full()))

  test('is reported once, however many writes it refuses; reads go on, and each write is tried', async () => {
    for (let n = 0; n < 3; n += 1) {
      expect(await refused()).toHaveProperty('reason', expect.stringMatching(/^the disk is full: free some space/))
    }
    expect(told).toEqual([expect.stringContaining(`the database ${path} cannot be used: the disk is full: `)])
    expect(await marks()).toEqual(['before'])
  })

  test('is over when no write was refused for ten seconds, because small writes may succeed in between', async () => {
    await refused()
    await mark('small')
    seconds += 9
    await refused()
    seconds += 9
    await mark('smaller')
    expect(told).toHaveLength(1)
    seconds += 1
    await mark('after')
    expect(told.slice(1)).toEqual([null])
    await mark('again')
    expect(told).toHaveLength(2)
  })
})

describe('two databases in one process', () => {
  test('are independent: if one is gone, the other works', async () => {
    const other = await open(folder.file('second.db'))
    rmSync(path)
    await reason(mark('lost'))
    await mark('fine', other)
    expect(await marks(other)).toEqual(['fine'])
  })
})
