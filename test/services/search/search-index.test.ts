/** The loop that reads the words of pings. */

import { afterEach, describe, expect, test } from 'bun:test'
import { EventLoopYield } from '../../../src/lib/work/event-loop-yield.ts'
import { Measurements } from '../../../src/services/common/ports/measurements.ts'
import { createSearchIndex } from '../../../src/services/search/search-index.ts'
import { openStore } from '../../support/databases.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { found } from '../../support/search.ts'
import { anAuthor, bytes, type StoreFixture, storeFixture } from '../../support/store-builders.ts'

let g: StoreFixture
afterEach(() => g.close())

/** @param stopwatch seconds; by default no time passes */
async function indexed(stopwatch = () => 0) {
  g = await storeFixture(openStore)
  const { store } = g
  const measurements = new Measurements()
  const instance = { id: 'one', name: 'one' }
  const eventLoop = new EventLoopYield()
  const run = createSearchIndex({ store, now: g.clock.now, stopwatch, eventLoop, measurements, instance })
  const untilDone = async () => {
    let runs = 0
    while ((await run()) !== null) runs += 1
    return runs
  }
  return { check: await g.check(), run, untilDone, measurements }
}

const mail = (body: string, encoding: string) =>
  bytes(
    `From: a@example.org\r\nSubject: =?utf-8?q?Sicherung_f=C3=BCr_db?=\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`,
  )

describe('the loop of the search', () => {
  test('reads bodies of all kinds in order, and then has nothing to do', async () => {
    const { check, untilDone } = await indexed()
    await g.ping(check, { body: bytes('plain words') })
    await g.ping(check, { scheme: 'email', body: mail(btoa('hidden words'), 'base64') })
    await g.ping(check, { body: bytes('more words') })
    await g.ping(check)
    expect(await untilDone()).toBeGreaterThan(0)
    expect(await found(g.store, check, 'words')).toEqual([3, 2, 1])
    expect(await found(g.store, check, 'sicherung fur hidden')).toEqual([2])
    expect(await found(g.store, check, btoa('hidden words').slice(0, 8))).toEqual([])
    expect(await found(g.store, check, 'example')).toEqual([])
    expect(await untilDone()).toBe(0)
  })

  test('reads what is text in a body that is no UTF-8, and nothing of a binary one', async () => {
    const { check, untilDone } = await indexed()
    await g.ping(check, { body: new Uint8Array([...bytes('before '), 0xff, 0xfe, ...bytes(' after')]) })
    await g.ping(check, { body: new Uint8Array([...bytes('before'), 0, 1, 2]) })
    await untilDone()
    expect(await found(g.store, check, 'before after')).toEqual([1])
    expect(await found(g.store, check, 'before')).toEqual([1])
  })

  test('reads 64 KiB of a long body, without the word in which it is cut, which may be half a secret', async () => {
    const { check, untilDone } = await indexed()
    const secret = '5b0c6f2e-1111-4222-8333-94a363eadf09'
    const long = `first ${'x'.repeat(65_536 - 26)} ${secret} last`
    await g.ping(check, { body: bytes(long) })
    await untilDone()
    expect(await found(g.store, check, 'first')).toEqual([1])
    expect(await found(g.store, check, 'last')).toEqual([])
    for (const part of ['5b0c6f2e', '5b', '1111']) expect(await found(g.store, check, part)).toEqual([])
  })

  test('reads many pings in several runs, and goes on after a restart where it was', async () => {
    const { check, run } = await indexed()
    await g.commit(...Array.from({ length: 100 }, (_, index) => g.arrival(check, { body: bytes(`job ${index + 1}`) })))
    expect(await run()).toEqual(g.clock.now())
    const first = (await found(g.store, check, 'job')).length
    expect(first).toBeWithin(1, 100)
    const again = createSearchIndex({
      store: g.store,
      now: g.clock.now,
      stopwatch: () => 0,
      eventLoop: new EventLoopYield(),
      measurements: new Measurements(),
      instance: { id: 'one', name: 'one' },
    })
    while ((await again()) !== null);
    expect(await found(g.store, check, '100')).toEqual([100])
    expect(await found(g.store, check, '1')).toEqual([1])
  })

  test('rests fifteen times as long as a run took while pings come, and not at all while none do', async () => {
    let seconds = 0
    const { check, run, measurements } = await indexed(() => (seconds += 0.001))
    for (let count = 0; count < 200; count += 1) await g.ping(check, { body: bytes('x'.repeat(2000)) })
    measurements.pings.ok += 1
    const began = seconds
    const next = await run()
    // The stopwatch is read once before the run and once after it.
    expect(next).toEqual(g.clock.now().add({ milliseconds: Math.ceil((seconds - began - 0.001) * 15_000) }))
    expect(await run()).toEqual(g.clock.now())
  })

  test('leaves entries to be read again, and the words, to the instance that holds the lease', async () => {
    const { run, untilDone } = await indexed()
    await g.ping(await g.check(), { body: bytes('job') })
    await untilDone()
    await g.store.by(anAuthor()).projects.edit(g.project.id, { isSearched: false })
    const writes: string[] = []
    const other = createSearchIndex({
      store: replaced(g.store, {
        search: { refill: async () => writes.push('refill') > 0, tidy: async () => writes.push('tidy') < 0 },
      }),
      now: g.clock.now,
      stopwatch: () => 0,
      eventLoop: new EventLoopYield(),
      measurements: new Measurements(),
      instance: { id: 'other', name: 'other' },
    })
    expect([await other(), writes]).toEqual([null, []])
    expect(await run()).not.toBeNull()
    await untilDone()
    expect(await g.store.search.mustRefill()).toBe(false)
  })

  test('removes the words of a project that is switched off', async () => {
    const { check, untilDone } = await indexed()
    await g.ping(check, { body: bytes('job') })
    await untilDone()
    await g.store.by(anAuthor()).projects.edit(g.project.id, { isSearched: false })
    await untilDone()
    await g.store.by(anAuthor()).projects.edit(g.project.id, { isSearched: true })
    expect(await found(g.store, check, 'job')).toEqual([])
    await untilDone()
    expect(await found(g.store, check, 'job')).toEqual([1])
  })
})
