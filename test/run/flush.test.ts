import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FlushReport, flushAll, flushSpool, reportLine } from '../../src/run/flush.ts'
import { letterOf } from '../../src/run/letter.ts'
import type { RunPing } from '../../src/run/ping.ts'
import { lockSpool } from '../../src/run/spool-lock.ts'
import { type Folder, temporaryFolder } from '../support/folder.ts'
import { AWAY, BEGIN, type HandSending, handSending, pingOf, REFUSED, TAKEN } from '../support/run/sending.ts'

let folder: Folder
let sending: HandSending
beforeEach(() => {
  folder = temporaryFolder()
  sending = handSending(folder.path)
})
afterEach(() => folder.remove())

const HOUR = 3_600_000
const URL_OF_OTHER = 'https://other.example.org/ping/a-secret'

const put = (ping: RunPing, server = sending.deps.server) =>
  sending.spool.put(letterOf(ping, server), sending.deps.now())

async function putRuns(...slugs: readonly string[]): Promise<void> {
  for (const slug of slugs) {
    await put(pingOf(sending, slug, 'start'))
    await put(pingOf(sending, slug, 0))
  }
}

describe('what waits', () => {
  test('is delivered in order with its times, and is gone then', async () => {
    await putRuns('a', 'b')
    sending.advance(HOUR)
    expect(await flushAll(sending.deps)).toMatchObject({ delivered: 4, dropped: 0, left: 0, reason: null })
    expect(sending.taken).toEqual(['a start late', 'a 0 late', 'b start late', 'b 0 late'])
    expect(sending.tries.map(({ at }) => at)).toEqual([BEGIN, BEGIN, BEGIN, BEGIN])
    expect(readdirSync(folder.path)).toEqual([])
  })

  test('stays from the first ping on that finds the server away', async () => {
    await putRuns('a', 'b')
    sending.answer = () => (sending.tries.length < 3 ? TAKEN : AWAY)
    const report = await flushAll(sending.deps)
    expect(report).toMatchObject({ delivered: 2, left: 2, reason: 'connection refused' })
    expect(sending.tries).toHaveLength(3)
    expect(await sending.waiting()).toEqual(['b start', 'b 0'])
  })

  test('goes to one server while another is away', async () => {
    const there = { ...pingOf(sending, 'a', 0), target: { kind: 'url', url: URL_OF_OTHER } } as const
    await put(there)
    await putRuns('b')
    sending.answer = ({ target }) => (target.kind === 'url' ? AWAY : TAKEN)
    expect(await flushAll(sending.deps)).toMatchObject({ delivered: 2, left: 1 })
    expect(await sending.waiting()).toEqual(['url 0'])
  })

  test('goes to the server of its run, whatever OVERDUE_URL says now', async () => {
    await put(pingOf(sending, 'a', 0), { url: 'https://first.example.org', pingKey: 'pkey' })
    const urls: (string | null)[] = []
    const send = async (_ping: RunPing, { url }: { url: string | null }) => {
      urls.push(url)
      return TAKEN
    }
    await flushAll({ ...sending.deps, send })
    expect(urls).toEqual(['https://first.example.org'])
  })

  test('stays if it belongs to another ping key, since that may be another project with the same slug', async () => {
    await putRuns('a')
    const other = handSending(folder.path, { pingKey: 'other' })
    await other.spool.put(letterOf(pingOf(other, 'a', 0, 'of the other'), other.deps.server), BEGIN)
    expect(await flushAll(other.deps)).toMatchObject({
      delivered: 1,
      left: 2,
      reason: 'they belong to another ping key',
    })
    expect(other.taken).toEqual(['a 0: of the other late'])
    expect(await flushAll(sending.deps)).toMatchObject({ delivered: 2, left: 0 })
  })

  test('is dropped with a word when the server refuses it, and holds up nothing', async () => {
    await putRuns('gone', 'b')
    sending.answer = ({ target }) => (target.kind === 'slug' && target.slug === 'gone' ? REFUSED : TAKEN)
    expect(await flushAll(sending.deps)).toMatchObject({ delivered: 2, dropped: 2, left: 0, reason: null })
    expect(sending.warned).toEqual([
      'a ping of gone (start, 2026-03-04T12:00:00.000Z) was dropped: the server refused it: 404 not found',
      'a ping of gone (0, 2026-03-04T12:00:00.000Z) was dropped: the server refused it: 404 not found',
    ])
  })

  test('is dropped with a word after 72 hours, which shows no secret of its URL', async () => {
    await put({ ...pingOf(sending, 'a', 0), target: { kind: 'url', url: URL_OF_OTHER } })
    sending.advance(72 * HOUR)
    await putRuns('b')
    sending.advance(1)
    expect(await flushAll(sending.deps)).toMatchObject({ delivered: 2, dropped: 1, left: 0 })
    expect(sending.warned).toEqual([
      'a ping of https://other.example.org (0, 2026-03-04T12:00:00.000Z) was dropped: it is older than 72 hours',
    ])
  })

  test('is set aside with a word if it is broken, and holds up nothing', async () => {
    await putRuns('a')
    const [file] = await sending.spool.list()
    writeFileSync(join(folder.path, file?.name ?? ''), 'torn')
    expect(await flushAll(sending.deps)).toMatchObject({ delivered: 1, left: 0, reason: null })
    expect(readdirSync(join(folder.path, 'broken'))).toEqual([file?.name ?? ''])
    expect(sending.warned).toEqual([`${file?.name} in ${folder.path} is not a complete ping and was set aside`])
  })

  test('comes along that is put there meanwhile', async () => {
    await putRuns('a')
    sending.answer = async () => {
      if (sending.tries.length === 2) await putRuns('b')
      return TAKEN
    }
    expect(await flushAll(sending.deps)).toMatchObject({ delivered: 4, left: 0 })
  })

  test('is sent by one process of two', async () => {
    await putRuns('a', 'b', 'c')
    const other = handSending(folder.path)
    other.answer = sending.answer = async () => {
      await Bun.sleep(1)
      return TAKEN
    }
    await Promise.all([flushAll(sending.deps), flushAll(other.deps)])
    expect([...sending.taken, ...other.taken].sort()).toEqual([
      'a 0 late',
      'a start late',
      'b 0 late',
      'b start late',
      'c 0 late',
      'c start late',
    ])
  })

  test('is left to another process that delivers, after some patience', async () => {
    await putRuns('a')
    await lockSpool(folder.path, sending.deps.now)
    const report = await flushAll(sending.deps)
    expect(report).toMatchObject({ delivered: 0, left: 2, reason: 'another process delivers them' })
    expect(sending.deps.ticks()).toBe(5_000)
  })

  test('stays when its process loses the lock', async () => {
    await putRuns('a')
    sending.answer = async () => {
      sending.advance(31_000)
      await lockSpool(folder.path, sending.deps.now)
      return TAKEN
    }
    expect(await flushAll(sending.deps)).toMatchObject({ delivered: 1, left: 1 })
  })

  test('stays when the time is over', async () => {
    await putRuns('a')
    const remaining = () => (sending.tries.length === 0 ? 1 : 0)
    expect(await flushSpool(sending.deps, { check: null, remaining, patience: 0 })).toMatchObject({
      delivered: 1,
      left: 1,
    })
  })

  test('is not sent twice by a disk that lets nothing be removed', async () => {
    await putRuns('a')
    sending.spool.remove = async () => {
      throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
    }
    const report = await flushAll(sending.deps)
    expect(sending.tries).toHaveLength(1)
    expect(report.isUnusable).toBe(true)
    expect(report.reason).toContain('permission denied')
  })
})

describe('a spool that can not be used', () => {
  test.each([
    ['a file', () => folder.file('file')],
    ['below a file', () => folder.file('file/spool')],
  ])('because it is %s is the reason, and nothing is thrown', async (_, path) => {
    writeFileSync(folder.file('file'), '')
    const broken = handSending(path())
    const report = await flushAll(broken.deps)
    expect(report).toMatchObject({ delivered: 0, isUnusable: true })
    expect(broken.warned).toEqual([report.reason ?? ''])
    expect(broken.warned[0]).toStartWith(`the spool ${path()} can't be used: `)
  })
})

describe('the line about it', () => {
  const report = (changed: Partial<FlushReport>) =>
    reportLine({ delivered: 0, dropped: 0, left: 0, reason: null, isUnusable: false, ...changed })

  test.each<[Partial<FlushReport>, string]>([
    [{}, 'No ping waits.'],
    [{ delivered: 3 }, '3 delivered, 0 left.'],
    [{ delivered: 3, dropped: 1 }, '3 delivered, 1 dropped, 0 left.'],
    [{ delivered: 1, left: 2, reason: 'connection refused' }, '1 delivered, 2 left: connection refused.'],
  ])('%j', (changed, line) => {
    expect(report(changed)).toBe(line)
  })
})
