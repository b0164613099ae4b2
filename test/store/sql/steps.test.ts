/** Long work in steps: the duration of steps, work between them, and the state after a failure half way. */
import { afterEach, describe, expect, test } from 'bun:test'
import { type StepTiming, UNTIMED } from '../../../src/store/sql/steps.ts'
import { ENGINE, openStore } from '../../support/databases.ts'
import { after, anAuthor, rejection, type StoreFixture, storeFixture } from '../../support/store-builders.ts'

const LONG_AGO = after(-1e9)
/** Tests of SQLite alone. It shortens a log entry by entry, from its end; PostgreSQL uses one statement, which is not divided. */
const onSqlite = test.skipIf(ENGINE !== 'sqlite')
const LIMIT = 10

let g: StoreFixture
afterEach(() => g.close())

/** Puts `g` on a store whose steps are timed and counted. */
async function timedGround({ stopwatch = UNTIMED.stopwatch, between = async () => {}, logBytes }: Timing = {}) {
  const counts = { steps: 0 }
  const step: StepTiming['step'] = async (work) => {
    counts.steps += 1
    const result = await work()
    await between(counts.steps)
    return result
  }
  g = await storeFixture(() => openStore(logBytes, { step, stopwatch }), { pingLogLimit: LIMIT })
  return counts
}

interface Timing {
  readonly stopwatch?: () => number
  readonly logBytes?: number
  /** called between two steps */
  readonly between?: (steps: number) => Promise<void>
}

/** A clock that advances by this much at each reading. */
const passing = (seconds: number) => {
  let present = 0
  return () => (present += seconds)
}

type Id = { readonly id: string }
const pingTimes = (check: Id, count: number) => g.commit(...Array.from({ length: count }, () => g.arrival(check)))
const numbers = async (check: Id) => (await g.store.pings.list(check.id, 2000)).map(({ n }) => n)
const downFrom = (n: number, count: number) => Array.from({ length: count }, (_, back) => n - back)
const prune = () => g.store.retention.prune(LONG_AGO, 20)

describe('a step', () => {
  const stepsToPrune = async (stopwatch: () => number) => {
    const counts = await timedGround({ stopwatch })
    const check = await g.check()
    await pingTimes(check, 1000)
    counts.steps = 0
    expect(await prune()).toEqual({ pings: 990, bodies: 0, events: 0, more: false })
    expect(await numbers(check)).toEqual(downFrom(1000, LIMIT))
    return counts.steps
  }
  /** Number of steps that store the limit of bytes, find the work, and remove the log from the list. */
  const OTHERS = 3
  /** Number of steps that find the newest entry, read the log, and delete entries; or one statement. */
  const SHORTENING = ENGINE === 'sqlite' ? 3 : 1

  test('lasts until its work is done if that is quick', async () => {
    expect(await stepsToPrune(passing(0))).toBe(OTHERS + SHORTENING)
  })

  onSqlite('is over after ten milliseconds', async () => {
    // Ten readings of the clock: a hundred entries are read between two of them, and one is deleted.
    expect(await stepsToPrune(passing(0.001001))).toBe(OTHERS + 1 + 1 + 99)
  })

  onSqlite('makes progress even if the database is slow', async () => {
    expect(await stepsToPrune(passing(5))).toBe(OTHERS + 1 + 10 + 990)
  })
})

describe('between two steps', () => {
  const slow = passing(5)

  onSqlite('pings are accepted and kept', async () => {
    let check: Id | null = null
    await timedGround({ stopwatch: slow, between: async () => void (check && (await pingTimes(check, 1))) })
    const pinged = await g.check()
    await pingTimes(pinged, 100)
    check = pinged
    const { pings } = await prune()
    check = null
    const { nPings } = await g.stored(pinged)
    expect(pings).toBeGreaterThanOrEqual(90)
    expect(nPings).toBeGreaterThan(100 + pings)
    expect(await numbers(pinged)).toEqual(downFrom(nPings, nPings - pings))
  })

  test('long bodies are accepted, and the next call at the latest makes room for them', async () => {
    let atStep = async () => {}
    let steps = 0
    const between = async () => {
      steps += 1
      await atStep()
    }
    await timedGround({ stopwatch: slow, between, logBytes: 1_000 })
    const send = (check: Id) => g.commit(g.arrival(check, { body: new Uint8Array(900) }))
    let last = 0
    for (let at = 1; at <= last + 1; at += 1) {
      const check = await g.check()
      for (let n = 1; n <= 3; n += 1) await send(check)
      steps = 0
      atStep = async () => void (steps === at && (await send(check)))
      await prune()
      last = steps
      atStep = async () => {}
      await prune()
      const { nPings } = await g.stored(check)
      const kept = (await g.store.pings.list(check.id, 10)).filter(({ hasBody }) => hasBody).map(({ n }) => n)
      expect(kept).toEqual(downFrom(nPings, 2))
    }
    expect(last).toBeGreaterThan(4)
  })

  test('the check may be deleted, and other checks may reuse the ids of its pings', async () => {
    let atStep = async () => {}
    await timedGround({ stopwatch: slow, between: () => atStep() })
    const [gone, other] = [await g.check(), await g.check()]
    await pingTimes(gone, 100)
    /** Step at which SQLite is deleting entries, and PostgreSQL is about to. */
    const MIDDLE = ENGINE === 'sqlite' ? 5 : 2
    let deleted = false
    let looks = 0
    atStep = async () => {
      looks += 1
      if (deleted || looks < MIDDLE) return
      deleted = true
      await g.store.by(anAuthor()).checks.delete(gone.id)
      await pingTimes(other, 99)
    }
    await prune()
    expect(deleted).toBe(true)
    expect(await numbers(other)).toEqual(downFrom(99, 99))
  })
})

describe('work that fails half way', () => {
  /** Opens a store that fails at a step. @returns a function that sets the step, counted from now */
  async function failingGround() {
    let left = Number.POSITIVE_INFINITY
    await timedGround({
      stopwatch: passing(5),
      between: async () => {
        left -= 1
        if (left === 0) throw new Error('the disk is full')
      },
    })
    return (steps: number) => {
      left = steps
    }
  }

  onSqlite('has shortened the log from its end, and the rest is shortened the next time', async () => {
    const failAfter = await failingGround()
    const check = await g.check()
    await pingTimes(check, 100)
    failAfter(20)
    expect(await rejection(prune())).toHaveProperty('message', 'the disk is full')
    const left = await numbers(check)
    expect(left.length).toBeLessThan(100)
    expect(left.length).toBeGreaterThan(80)
    expect(left).toEqual(downFrom(100, left.length))
    failAfter(Number.POSITIVE_INFINITY)
    expect(await prune()).toMatchObject({ pings: left.length - LIMIT })
    expect(await numbers(check)).toEqual(downFrom(100, LIMIT))
  })
})
