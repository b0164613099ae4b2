import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { createCourier } from '../../src/run/deliver.ts'
import { letterOf } from '../../src/run/letter.ts'
import type { Answer, RunPing } from '../../src/run/ping.ts'
import { lockSpool } from '../../src/run/spool-lock.ts'
import { type Folder, temporaryFolder } from '../support/folder.ts'
import { AWAY, BEGIN, type HandSending, handSending, pingOf, REFUSED, TAKEN } from '../support/run/sending.ts'

let folder: Folder
let directory: string
let sending: HandSending
beforeEach(() => {
  folder = temporaryFolder()
  directory = folder.file('spool')
  sending = handSending(directory)
})
afterEach(() => folder.remove())

const MINUTE = 60_000

/** Runs a command for some checks: their starts, the command, their ends. @returns the answers to the starts, and those to the ends */
async function run(
  slugs: readonly string[],
  command: () => void = () => sending.advance(MINUTE),
): Promise<[Answer[], Answer[]]> {
  const courier = createCourier(sending.deps)
  const sendAll = (action: RunPing['action']) =>
    Promise.all(slugs.map((slug) => courier.send(pingOf(sending, slug, action))))
  const starts = await sendAll('start')
  command()
  const ends = sendAll(0)
  await courier.finish()
  return [starts, await ends]
}

const kinds = (answers: readonly Answer[]) => answers.map(({ kind }) => kind)
const put = (slug: string, action: RunPing['action']) =>
  sending.spool.put(letterOf(pingOf(sending, slug, action), sending.deps.server), sending.deps.now())

describe('a run while the server is there', () => {
  test('sends its start and its end at once, without a time of their own', async () => {
    const limited: Answer = { kind: 'taken', bodyLimit: 1_000 }
    sending.answer = () => limited
    expect(await run(['a'])).toEqual([[limited], [limited]])
    expect(sending.taken).toEqual(['a start', 'a 0'])
    expect(sending.warned).toEqual([])
    expect(await sending.waiting()).toEqual([])
  })

  test('pings several checks, each in order', async () => {
    await run(['a', 'b'])
    const takenOf = (slug: string) => sending.taken.filter((what) => what.startsWith(slug))
    expect([takenOf('a'), takenOf('b')]).toEqual([
      ['a start', 'a 0'],
      ['b start', 'b 0'],
    ])
  })

  test('delivers what waits of other runs after its own start', async () => {
    await put('other', 'start')
    await put('other', 0)
    sending.advance(MINUTE)
    await run(['a'])
    expect([...sending.taken].sort()).toEqual(['a 0', 'a start', 'other 0 late', 'other start late'])
    expect(sending.taken[0]).toBe('a start')
    expect(await sending.waiting()).toEqual([])
  })

  test('delivers what waits of its own check before its start', async () => {
    await put('a', 'start')
    await put('a', 1)
    sending.advance(MINUTE)
    await run(['a'])
    expect(sending.taken).toEqual(['a start late', 'a 1 late', 'a start', 'a 0'])
  })

  test('ends two seconds later at most, however much waits of others', async () => {
    for (let count = 0; count < 20; count += 1) await put('other', 'log')
    sending.answer = ({ target }) => {
      if (target.kind === 'slug' && target.slug === 'other') sending.advance(500)
      return TAKEN
    }
    let ended = 0
    await run(['a'], () => {
      ended = sending.deps.ticks()
    })
    expect(sending.deps.ticks() - ended).toBeLessThanOrEqual(3_000)
    expect((await sending.waiting()).length).toBeGreaterThan(10)
  })

  test('tells once what the server refuses, and keeps nothing of it', async () => {
    sending.answer = () => REFUSED
    expect((await run(['a', 'b'])).map(kinds)).toEqual([
      ['refused', 'refused'],
      ['refused', 'refused'],
    ])
    expect(sending.warned).toEqual(['the server refused the ping: 404 not found'])
    expect(await sending.waiting()).toEqual([])
  })
})

describe('an end that is tried again', () => {
  test.each([
    ['at once', 1, 'a 0'],
    ['after half a second', 2, 'a 0'],
    ['after two seconds, with its time, so that the run lasts no longer than it did', 3, 'a 0 late'],
  ])('is taken %s', async (_, tries, taken) => {
    let ends = 0
    sending.answer = ({ action }) => {
      if (action !== 'start') ends += 1
      return action === 'start' || ends === tries ? TAKEN : AWAY
    }
    await run(['a'])
    expect(sending.taken).toEqual(['a start', taken])
    expect(sending.warned).toEqual([])
    expect(await sending.waiting()).toEqual([])
  })
})

describe('a run while the server is away', () => {
  beforeEach(() => {
    sending.answer = () => AWAY
  })

  test('keeps its start and its end, and says so in one line', async () => {
    expect((await run(['a'])).map(kinds)).toEqual([['away'], ['away']])
    expect(await sending.waiting()).toEqual(['a start', 'a 0'])
    expect(sending.warned).toEqual([`the ping is kept in ${directory}: connection refused`])
  })

  test('tries its start once and its end three times, for two seconds', async () => {
    let ended = 0
    await run(['a'], () => {
      expect(sending.tries).toHaveLength(1)
      ended = sending.deps.ticks()
    })
    // Each time with the start, behind which the end waits.
    expect(sending.tries.map(({ action }) => action)).toEqual(['start', 'start', 'start', 'start'])
    expect(sending.deps.ticks() - ended).toBe(2_000)
  })

  test('ends within five seconds if the server does not answer', async () => {
    sending.answer = () => {
      sending.advance(5_000)
      return AWAY
    }
    let ended = 0
    await run(['a'], () => {
      ended = sending.deps.ticks()
    })
    expect(sending.deps.ticks() - ended).toBeLessThanOrEqual(5_000)
    expect(await sending.waiting()).toEqual(['a start', 'a 0'])
  })

  test('sends its start with its time before its end if the server is back then', async () => {
    await run(['a'], () => {
      sending.advance(MINUTE)
      sending.answer = () => TAKEN
    })
    expect(sending.taken).toEqual(['a start late', 'a 0'])
    expect(sending.tries.at(-2)?.at).toBe(BEGIN)
    expect(sending.warned).toEqual([])
    expect(await sending.waiting()).toEqual([])
  })

  test('is delivered by the next run, before that', async () => {
    await run(['a'])
    sending.answer = () => TAKEN
    await run(['a'])
    expect(sending.taken).toEqual(['a start late', 'a 0 late', 'a start', 'a 0'])
  })

  test('does not overtake what another process delivers', async () => {
    await put('a', 0)
    await lockSpool(directory, sending.deps.now)
    sending.answer = () => TAKEN
    expect((await run(['a'])).map(kinds)).toEqual([['away'], ['taken']])
    // The lock of the other was renewed for the last time more than half a minute ago.
    expect(sending.taken).toEqual(['a 0 late', 'a start late', 'a 0'])
  })
})

describe('a run without a spool', () => {
  beforeEach(() => {
    writeFileSync(directory, 'a file is in its place')
  })

  test('pings as ever while the server is there, and warns once that it can not look', async () => {
    await run(['a'])
    expect(sending.taken).toEqual(['a start', 'a 0'])
    expect(sending.warned).toEqual([expect.stringContaining(`the spool ${directory} can't be used`)])
  })

  test('holds its start until its end, which is sent after it', async () => {
    sending.answer = () => AWAY
    await run(['a'], () => {
      sending.advance(MINUTE)
      sending.answer = () => TAKEN
    })
    expect(sending.taken).toEqual(['a start late', 'a 0'])
  })

  test('says that its ping is lost if the server stays away, and does not throw', async () => {
    sending.answer = () => AWAY
    expect((await run(['a'])).map(kinds)).toEqual([['away'], ['away']])
    expect(sending.warned.at(-1)).toStartWith(
      `the ping is lost (connection refused), because it can't be kept in ${directory}: `,
    )
  })
})

test('without a directory for the spool, a lost ping says which setting names one', async () => {
  const courier = createCourier({ ...sending.deps, spool: null })
  sending.answer = () => AWAY
  const answer = courier.send(pingOf(sending, 'a', 0))
  await courier.finish()
  expect((await answer).kind).toBe('away')
  expect(sending.warned).toEqual([
    "the ping is lost (connection refused), because it can't be kept: set OVERDUE_SPOOL or HOME",
  ])
})
