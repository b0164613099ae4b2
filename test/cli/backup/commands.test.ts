/** `overdue backup` and `overdue restore`: output and refusals. */
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
import { run } from '../../support/command-line.ts'
import { type Folder, folder } from '../support.ts'

let f: Folder
let settings: { DATABASE_URL: string }
beforeEach(async () => {
  f = folder()
  settings = { DATABASE_URL: f.url }
  expect((await run(['project', 'create', 'Nightly'], settings)).code).toBe(0)
})
afterEach(() => f.remove())

test('a backup prints what it holds, and has the same projects when restored elsewhere', async () => {
  const file = join(f.path, 'b.db')
  const { code, out, err } = await run(['backup', file], settings)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/b\.db contains 1 project, 0 checks and 0 pings \(0\.\d MB, \d+\.\d s\)\n$/)

  const elsewhere = { DATABASE_URL: `sqlite:${join(f.path, 'new/o.db')}` }
  const restored = await run(['restore', file], elsewhere)
  expect({ code: restored.code, err: restored.err }).toEqual({ code: 0, err: '' })
  expect(restored.out).toStartWith(`Restored ${join(f.path, 'new/o.db')} from ${file}: 1 project, `)
  expect(restored.out).not.toContain('SECRET_KEY')
  expect((await run(['project', 'list'], elsewhere)).out).toContain('Nightly')
})

test('both print JSON with --json', async () => {
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

test('where the database is a link, restore replaces or creates its target, and the link stays', async () => {
  const [file, disk] = [join(f.path, 'b.db'), join(f.path, 'disk')]
  await run(['backup', file], settings)
  mkdirSync(disk)
  renameSync(join(f.path, 'o.db'), join(disk, 'o.db'))
  symlinkSync('disk/o.db', join(f.path, 'o.db'))
  const restored = await run(['restore', file, '--force'], settings)
  expect({ code: restored.code, err: restored.err }).toEqual({ code: 0, err: '' })
  expect(restored.out).toStartWith(`Restored ${join(disk, 'o.db')} from ${file}: `)
  expect(readdirSync(disk).toSorted()).toEqual(['o.db', expect.stringMatching(/^o\.db\.before-/)])

  rmSync(join(disk, 'o.db'))
  expect((await run(['restore', file], settings)).code).toBe(0)
  expect(lstatSync(join(f.path, 'o.db')).isSymbolicLink()).toBe(true)
  expect((await run(['project', 'list'], settings)).out).toContain('Nightly')
})

test('a log left without its database is kept, and restore says where', async () => {
  const file = join(f.path, 'b.db')
  await run(['backup', file], settings)
  rmSync(join(f.path, 'o.db'))
  writeFileSync(join(f.path, 'o.db-wal'), 'pings')
  const list = await run(['project', 'list'], settings)
  expect([list.code, list.err]).toEqual([1, expect.stringContaining('is missing, but its log')])
  const restored = await run(['restore', file], settings)
  expect({ code: restored.code, err: restored.err }).toEqual({ code: 0, err: '' })
  const [, kept = ''] =
    /^The log of the previous database, which contains its newest pings, is kept as (.*-wal)\.$/m.exec(restored.out) ??
    []
  expect(readFileSync(kept, 'utf8')).toBe('pings')
})

test('a backup that needs the SECRET_KEY says so when it is restored', async () => {
  const secret = { DATABASE_URL: `sqlite:${join(f.path, 's.db')}`, SECRET_KEY: 'sixteen characters at least' }
  await run(['migrate'], secret)
  await run(['backup', join(f.path, 'b.db')], secret)
  const elsewhere = { DATABASE_URL: `sqlite:${join(f.path, 'new.db')}` }
  const { out } = await run(['restore', join(f.path, 'b.db')], elsewhere)
  expect(out).toContain('Set SECRET_KEY to the value that was used when the backup was created.')
})

test('a refusal has exit status 1 and says what to do', async () => {
  const file = join(f.path, 'b.db')
  await run(['backup', file], settings)
  const again = await run(['backup', file], settings)
  expect(again).toEqual({
    code: 1,
    out: '',
    err: `${file} already exists\n→ use another name, or --force to replace it\n`,
  })
  expect((await run(['backup', file, '--force'], settings)).code).toBe(0)
  const there = await run(['restore', file], settings)
  expect({ code: there.code, out: there.out }).toEqual({ code: 1, out: '' })
  expect(there.err).toContain('\n→ stop the server, then use --force ')
})

test.each(['backup', 'restore'])('%s does not take - for a file', async (word) => {
  const { code, err } = await run([word, '-'], settings)
  expect(code).toBe(2)
  expect(err).toStartWith('a backup must be a file, not standard input or output\n→ use the name of a file, ')
  expect(existsSync('-')).toBe(false)
})

test('a pipe is not replaced, even with --force', async () => {
  const pipe = join(f.path, 'pipe')
  Bun.spawnSync(['mkfifo', pipe])
  expect(await run(['backup', pipe, '--force'], settings)).toEqual({
    code: 1,
    out: '',
    err: `${pipe} is not a regular file\n→ use the name of a file, such as /backups/overdue.db\n`,
  })
  expect(lstatSync(pipe).isFIFO()).toBe(true)
})
