/** Work that one instance does at a time. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { createLease, type Lease, underLease } from '../../../src/services/server/leases.ts'
import type { LeaseAnswer } from '../../../src/store/store.ts'
import { handClock } from '../../support/clock.ts'

let seconds: number
let asked: string[]
let answer: LeaseAnswer
let lease: Lease
beforeEach(() => {
  ;[seconds, asked, answer] = [1000, [], { isHolder: true, seconds: 60 }]
  const takeLease = async (name: string, holder: string, length: number) => {
    asked.push(`${name} ${holder} ${length}`)
    return answer
  }
  const instance = { id: 'a', name: 'east' }
  lease = createLease({ store: { server: { takeLease } }, stopwatch: () => seconds, instance }, 'search', 60)
})

describe('the holder of a lease', () => {
  test('asks once, and again when half of it is over', async () => {
    expect(await lease.hold()).toBe(true)
    seconds += 29.9
    expect(await lease.hold()).toBe(true)
    expect(asked).toEqual(['search a 60'])
    seconds += 0.1
    expect(await lease.hold()).toBe(true)
    expect(asked).toHaveLength(2)
  })

  test('works no longer when another one has taken it', async () => {
    await lease.hold()
    seconds += 60
    answer = { isHolder: false, seconds: 45 }
    expect([await lease.hold(), lease.mayBeHeld()]).toEqual([false, false])
  })
})

describe('another instance', () => {
  beforeEach(() => {
    answer = { isHolder: false, seconds: 45 }
  })

  test('asks nobody until the lease could have ended, and then takes it', async () => {
    expect([lease.mayBeHeld(), await lease.hold(), lease.mayBeHeld()]).toEqual([true, false, false])
    seconds += 44.9
    expect(await lease.hold()).toBe(false)
    expect(asked).toHaveLength(1)
    seconds += 0.1
    answer = { isHolder: true, seconds: 60 }
    expect([lease.mayBeHeld(), await lease.hold()]).toEqual([true, true])
  })

  test('does not do the work, but comes again when the lease ends', async () => {
    let runs = 0
    const clock = handClock()
    const run = underLease(lease, clock.now, async () => {
      runs += 1
      return null
    })
    const end = clock.now().add({ seconds: 45 })
    expect([String(await run()), runs]).toEqual([String(end), 0])
    seconds += 44
    clock.advance({ seconds: 44 })
    expect([String(await run()), runs]).toEqual([String(end), 0])
    seconds += 1
    answer = { isHolder: true, seconds: 60 }
    expect([await run(), runs]).toEqual([null, 1])
  })
})
