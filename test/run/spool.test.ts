import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { letterOf, readLetter, writeLetter } from '../../src/run/letter.ts'
import type { RunPing } from '../../src/run/ping.ts'
import { Spool } from '../../src/run/spool.ts'
import { lockSpool } from '../../src/run/spool-lock.ts'
import { type Folder, temporaryFolder } from '../support/folder.ts'
import { BEGIN, type HandSending, handSending, pingOf } from '../support/run/sending.ts'

let folder: Folder
let directory: string
let sending: HandSending
beforeEach(() => {
  folder = temporaryFolder()
  directory = folder.file('state/spool')
  sending = handSending(directory)
})
afterEach(() => folder.remove())

const put = (slug: string, action: RunPing['action'], body = '', spool = sending.spool) =>
  spool.put(letterOf(pingOf(sending, slug, action, body), sending.deps.server), sending.deps.now())

describe('a letter', () => {
  const ping = () => pingOf(sending, 'nightly', 3, 'line\n\u0000\n')

  test('is read as it was written', () => {
    const letter = letterOf(
      { ...ping(), create: { schedule: '0 3 * * *', tz: null, grace: '3600' } },
      sending.deps.server,
    )
    expect(readLetter(writeLetter(letter))).toEqual(letter)
  })

  test('holds no ping key', () => {
    const letter = letterOf(ping(), { url: 'https://overdue.example.org', pingKey: 'a-secret-key' })
    expect(Buffer.from(writeLetter(letter)).toString()).not.toContain('a-secret-key')
  })

  test.each([
    ['nothing', () => ''],
    ['no head', () => 'nothing of ours'],
    ['the beginning of one', (whole: string) => whole.slice(0, 40)],
    ['one without the end of its body', (whole: string) => whole.slice(0, -1)],
    ['one of a version to come', (whole: string) => whole.replace('"version":1', '"version":2')],
    ['one without a time', (whole: string) => whole.replace(`"at":${BEGIN}`, '"at":null')],
    ['one with another target', (whole: string) => whole.replace('"kind":"slug"', '"kind":"uuid"')],
  ])('is broken that is %s', (_, change) => {
    const whole = Buffer.from(writeLetter(letterOf(ping(), sending.deps.server))).toString()
    expect(readLetter(Buffer.from(whole))).not.toBeNull()
    expect(readLetter(Buffer.from(change(whole)))).toBeNull()
  })
})

describe('the spool', () => {
  test('is empty while it does not exist, and is not made by looking', async () => {
    expect(await sending.spool.list()).toEqual([])
    expect(readdirSync(folder.path)).toEqual([])
  })

  test('is for its owner alone', async () => {
    await put('nightly', 0, 'a secret')
    const [name = ''] = readdirSync(directory)
    const modes = [directory, join(directory, name)].map((path) => (statSync(path).mode & 0o777).toString(8))
    expect(modes).toEqual(['700', '600'])
  })

  test('keeps the order of pings in one millisecond, and when the clock is set back', async () => {
    await put('a', 'start')
    await put('a', 0)
    sending.advance(-3_600_000)
    await put('b', 'start')
    await put('b', 1)
    expect(await sending.waiting()).toEqual(['a start', 'a 0', 'b start', 'b 1'])
  })

  test('keeps both of two pings that two processes put there at once', async () => {
    const other = handSending(directory)
    await Promise.all([put('a', 0), put('b', 0, '', other.spool)])
    expect((await sending.waiting()).sort()).toEqual(['a 0', 'b 0'])
  })

  test('drops the oldest ping for a new one when there are too many', async () => {
    const spool = new Spool(directory, { pings: 2, bytes: 1_000 })
    const surplus = [await put('a', 0, '', spool), await put('b', 0, '', spool), await put('c', 0, '', spool)]
    expect(surplus).toEqual([0, 0, 1])
    expect(await sending.waiting()).toEqual(['b 0', 'c 0'])
  })

  test('drops the body of a new ping before it drops a ping when the bodies are too long', async () => {
    const spool = new Spool(directory, { pings: 10, bytes: 100 })
    await put('a', 0, 'x'.repeat(60), spool)
    await put('b', 0, 'y'.repeat(60), spool)
    expect(await sending.waiting()).toEqual([
      `a 0: ${'x'.repeat(60)}`,
      'b 0: overdue run: the output was not kept, because the spool is full\n',
    ])
  })

  test('removes what a killed process had begun to write an hour ago', async () => {
    await put('a', 0)
    const [old, young] = ['0123456789ab.new', 'ba9876543210.new'].map((name) => join(directory, name)) as [
      string,
      string,
    ]
    for (const path of [old, young]) writeFileSync(path, '')
    utimesSync(old, BEGIN / 1000 - 3_601, BEGIN / 1000 - 3_601)
    utimesSync(young, BEGIN / 1000 - 60, BEGIN / 1000 - 60)
    await sending.spool.tidy(BEGIN)
    expect(readdirSync(directory)).toHaveLength(2)
    expect(readdirSync(directory)).toContain('ba9876543210.new')
  })

  test('leaves other files alone', async () => {
    mkdirSync(directory, { recursive: true })
    for (const name of ['notes.txt', 'mine.ping', '0123456789ab.new.txt']) writeFileSync(join(directory, name), 'mine')
    await put('a', 0)
    await sending.spool.tidy(BEGIN * 2)
    expect(await sending.waiting()).toEqual(['a 0'])
    expect(readdirSync(directory)).toHaveLength(4)
  })

  test('sets a broken file aside, and removes more of them than anyone reads', async () => {
    for (let count = 0; count < 102; count += 1) {
      await put('a', 0)
      const [file] = await sending.spool.list()
      if (file !== undefined) await sending.spool.setAside(file)
    }
    expect(await sending.spool.list()).toEqual([])
    expect(readdirSync(join(directory, 'broken'))).toHaveLength(100)
  })

  test('is not there for a ping that another process has delivered meanwhile', async () => {
    await put('a', 0)
    const [file] = await sending.spool.list()
    if (file === undefined) throw new Error('no file')
    await sending.spool.remove(file)
    await sending.spool.remove(file)
    expect(await sending.spool.read(file)).toBe('gone')
  })
})

describe('the lock of a spool', () => {
  let time = BEGIN
  const now = () => time
  const lock = () => lockSpool(folder.path, now)
  const path = () => join(folder.path, 'lock')
  beforeEach(() => {
    time = BEGIN
  })

  test('has one holder, until that releases it', async () => {
    const held = await lock()
    expect(await lock()).toBeNull()
    await held?.release()
    expect(await lock()).not.toBeNull()
  })

  test('of a holder that lives stays his while he renews it', async () => {
    const held = await lock()
    for (let count = 0; count < 4; count += 1) {
      time += 20_000
      expect(await held?.renew()).toBe(true)
      expect(await lock()).toBeNull()
    }
  })

  test('of a holder that hangs is taken over, which he notices', async () => {
    const held = await lock()
    time += 30_001
    const next = await lock()
    expect(next).not.toBeNull()
    expect(await held?.renew()).toBe(false)
    await held?.release()
    expect(await next?.renew()).toBe(true)
  })

  test('of a killed process is taken over at once', async () => {
    const child = Bun.spawn([
      process.execPath,
      '-e',
      `
      const { lockSpool } = await import(${JSON.stringify(join(import.meta.dir, '../../src/run/spool-lock.ts'))})
      await lockSpool(process.argv.at(-1), () => ${BEGIN})
      process.kill(process.pid, 'SIGKILL')`,
      folder.path,
    ])
    await child.exited
    expect(readdirSync(folder.path)).toEqual(['lock'])
    expect(await lock()).not.toBeNull()
  })

  test('of another machine or container is not judged by its process id', async () => {
    symlinkSync('999999999.elsewhere.token', path())
    time = Date.now()
    expect(await lock()).toBeNull()
    time += 31_000
    expect(await lock()).not.toBeNull()
  })

  test('goes to no two of many that take over the same', async () => {
    symlinkSync('999999999.elsewhere.token', path())
    const held = (await Promise.all(Array.from({ length: 8 }, lock))).filter((it) => it !== null)
    const own = await Promise.all(held.map((it) => it.renew()))
    expect(own.filter(Boolean).length).toBeLessThanOrEqual(1)
  })

  test('is refused, and not removed, if the name belongs to another file', async () => {
    writeFileSync(path(), 'mine')
    await expect(lock()).rejects.toThrow()
    expect(readFileSync(path(), 'utf8')).toBe('mine')
  })
})
