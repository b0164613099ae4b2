/** The clock of the database, followed by reading it. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { createSharedClock, type SharedClock } from '../../../../src/services/common/ports/shared-clock.ts'
import { type HandClock, handClock } from '../../../support/clock.ts'

/** clock of the database */
let clock: HandClock
/** milliseconds by which the machine is ahead */
let ahead: number
/** milliseconds until the database reads its clock, and from then to the answer */
let way: { there: number; back: number }
/** called while the database is read */
let meanwhile: () => void
let shared: SharedClock
beforeEach(() => {
  clock = handClock()
  ahead = 0
  way = { there: 0, back: 0 }
  meanwhile = () => {}
  const readClock = async () => {
    clock.advance({ milliseconds: way.there })
    const at = clock.now()
    meanwhile()
    clock.advance({ milliseconds: way.back })
    return at
  }
  shared = createSharedClock(readClock, () => clock.now().add({ milliseconds: ahead }))
})

/** milliseconds by which `now` is ahead of the database */
const error = () => shared.now().epochMilliseconds - clock.now().epochMilliseconds

describe('the time', () => {
  test('is that of the machine until the database is asked', async () => {
    ahead = 600_000
    expect(error()).toBe(600_000)
    await shared.read()
    expect(error()).toBe(0)
  })

  test.each([[600_000], [-600_000]])('is that of the database when the machine is ahead by %d ms', async (by) => {
    ahead = by
    expect(await shared.read()).toMatchObject({ at: clock.now(), ahead: by / 1000 })
    clock.advance({ hours: 1 })
    expect(error()).toBe(0)
  })

  test('follows at the next reading when the clock of the machine is set forward or back', async () => {
    for (const by of [3_600_000, -3_600_000, 0]) {
      ahead = by
      await shared.read()
      expect(error()).toBe(0)
    }
  })

  test('does not jump because the database answers slowly, on the way there or on the way back', async () => {
    for (const [there, back] of [
      [40, 0],
      [0, 300],
      [7, 1],
    ] as const) {
      way = { there, back }
      expect(await shared.read()).toMatchObject({ setBackBy: 0 })
      expect(error()).toBe(0)
    }
  })

  test('of a slow first reading is corrected by a faster one', async () => {
    ahead = 10_000
    way = { there: 400, back: 0 }
    await shared.read()
    expect(Math.abs(error())).toBe(200)
    way = { there: 1, back: 1 }
    await shared.read()
    expect(error()).toBe(0)
  })

  test('does not follow a reading during which the clock of the machine was set, but the next', async () => {
    meanwhile = () => {
      ahead = 86_400_000
    }
    await shared.read()
    expect(error()).toBe(86_400_000)
    meanwhile = () => {}
    await shared.read()
    expect(error()).toBe(0)
  })
})

test('a reading tells by how much it has put the time back, because it had run ahead', async () => {
  expect(await shared.read()).toMatchObject({ setBackBy: 0 })
  ahead = 90_000
  expect(await shared.read()).toMatchObject({ ahead: 90, setBackBy: 90 })
  expect(await shared.read()).toMatchObject({ ahead: 90, setBackBy: 0 })
  ahead = 0
  expect(await shared.read()).toMatchObject({ ahead: 0, setBackBy: 0 })
})
