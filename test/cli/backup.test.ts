/** `overdue backup` and `overdue restore`, as typed in. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Folder, folder, run } from './support.ts'

let f: Folder
let settings: { DATABASE_URL: string }
beforeEach(async () => {
  f = folder()
  settings = { DATABASE_URL: f.url }
  expect((await run(['project', 'create', 'Nightly'], settings)).code).toBe(0)
})
afterEach(() => f.remove())

test('a backup is told with what it holds, and restored elsewhere gives the same projects', async () => {
  const file = join(f.path, 'b.db')
  const { code, out, err } = await run(['backup', file], settings)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/b\.db holds 1 project, 0 checks and 0 pings \(0\.\d MB, \d+\.\d s\)\n$/)

  const elsewhere = { DATABASE_URL: `sqlite:${join(f.path, 'new/o.db')}` }
  const restored = await run(['restore', file], elsewhere)
  expect({ code: restored.code, err: restored.err }).toEqual({ code: 0, err: '' })
  expect(restored.out).toStartWith(`${join(f.path, 'new/o.db')} is a copy of ${file} now: 1 project, `)
  expect(restored.out).not.toContain('SECRET_KEY')
  expect((await run(['project', 'list'], elsewhere)).out).toContain('Nightly')
})

test('with --json both tell it to machines', async () => {
  const file = join(f.path, 'b.db')
  const backup = JSON.parse((await run(['backup', file, '--json'], settings)).out)
  expect(backup).toEqual({
    file,
    bytes: statSync(file).size,
    seconds: expect.any(Number),
    version: expect.any(Number),
    projects: 1,
    checks: 0,
    pings: 0,
  })
  const restored = JSON.parse((await run(['restore', file, '--force', '--json'], settings)).out)
  expect(restored).toEqual({
    database: join(f.path, 'o.db'),
    file,
    kept: expect.stringMatching(/o\.db\.before-\d{8}T\d{6}Z$/),
    kept_log: null,
    last_written_at: null,
    needs_secret_key: false,
    version: backup.version,
    projects: 1,
    checks: 0,
    pings: 0,
  })
  expect(existsSync(restored.kept)).toBe(true)
})

test('a database that is a link is replaced where it leads to, and the link stays, be there a file already or not', async () => {
  const [file, disk] = [join(f.path, 'b.db'), join(f.path, 'disk')]
  await run(['backup', file], settings)
  mkdirSync(disk)
  renameSync(join(f.path, 'o.db'), join(disk, 'o.db'))
  symlinkSync('disk/o.db', join(f.path, 'o.db'))
  const restored = await run(['restore', file, '--force'], settings)
  expect({ code: restored.code, err: restored.err }).toEqual({ code: 0, err: '' })
  expect(restored.out).toStartWith(`${join(disk, 'o.db')} is a copy of ${file} now: `)
  expect(readdirSync(disk).toSorted()).toEqual(['o.db', expect.stringMatching(/^o\.db\.before-/)])

  rmSync(join(disk, 'o.db'))
  expect((await run(['restore', file], settings)).code).toBe(0)
  expect(lstatSync(join(f.path, 'o.db')).isSymbolicLink()).toBe(true)
  expect((await run(['project', 'list'], settings)).out).toContain('Nightly')
})

test('a log that was left without its database is kept, and told where', async () => {
  const file = join(f.path, 'b.db')
  await run(['backup', file], settings)
  rmSync(join(f.path, 'o.db'))
  writeFileSync(join(f.path, 'o.db-wal'), 'pings')
  const list = await run(['project', 'list'], settings)
  expect([list.code, list.err]).toEqual([1, expect.stringContaining('is not there, but its log')])
  const restored = await run(['restore', file], settings)
  expect({ code: restored.code, err: restored.err }).toEqual({ code: 0, err: '' })
  const [, kept = ''] =
    /^The log of the former database, which holds its newest pings, is kept as (.*-wal)\.$/m.exec(restored.out) ?? []
  expect(readFileSync(kept, 'utf8')).toBe('pings')
})

test('a backup that needs the SECRET_KEY says so when it is restored', async () => {
  const secret = { DATABASE_URL: `sqlite:${join(f.path, 's.db')}`, SECRET_KEY: 'sixteen characters at least' }
  await run(['migrate'], secret)
  await run(['backup', join(f.path, 'b.db')], secret)
  const elsewhere = { DATABASE_URL: `sqlite:${join(f.path, 'new.db')}` }
  const { out } = await run(['restore', join(f.path, 'b.db')], elsewhere)
  expect(out).toContain('It was made with SECRET_KEY set: give the server the same one.')
})

test('a refusal has exit status 1 and says what to do', async () => {
  const file = join(f.path, 'b.db')
  await run(['backup', file], settings)
  const again = await run(['backup', file], settings)
  expect(again).toEqual({ code: 1, out: '', err: `${file} exists\n→ give another name, or --force to replace it\n` })
  expect((await run(['backup', file, '--force'], settings)).code).toBe(0)
  const there = await run(['restore', file], settings)
  expect({ code: there.code, out: there.out }).toEqual({ code: 1, out: '' })
  expect(there.err).toContain('\n→ stop the server first, then give --force ')
})
