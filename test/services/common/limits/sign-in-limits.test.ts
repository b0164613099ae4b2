import { describe, expect, test } from 'bun:test'
import {
  type AllowedAttempt,
  createSignInLimits,
  type SignInLimits,
} from '../../../../src/services/common/limits/sign-in-limits.ts'
import { handClock } from '../../../support/clock.ts'

const HERE = '192.0.2.1'
const ELSEWHERE = '198.51.100.7'

function started(limits: SignInLimits, email: string, address: string | null = HERE): AllowedAttempt {
  const attempt = limits.begin(email, address)
  if (!attempt.isAllowed) throw new Error(`refused for ${attempt.retryAfterSeconds} s`)
  return attempt
}

function failTimes(count: number, limits: SignInLimits, email: string, address: string | null = HERE) {
  return Array.from({ length: count }, () => started(limits, email, address).fail())
}

describe('an email in one network', () => {
  test('has five failures in 15 minutes, and is told how many are left', () => {
    const clock = handClock()
    const limits = createSignInLimits(clock.now)
    expect(failTimes(5, limits, 'ops@example.org').map(({ left }) => left)).toEqual([4, 3, 2, 1, 0])
    expect(limits.begin('ops@example.org', HERE)).toEqual({ isAllowed: false, retryAfterSeconds: 900 })
    clock.advance({ seconds: 899 })
    expect(limits.begin('ops@example.org', HERE)).toEqual({ isAllowed: false, retryAfterSeconds: 1 })
    clock.advance({ seconds: 1 })
    expect(limits.begin('ops@example.org', HERE).isAllowed).toBe(true)
  })

  test('is told how long the wait will be, which begins with the first failure', () => {
    const clock = handClock()
    const limits = createSignInLimits(clock.now)
    failTimes(1, limits, 'ops@example.org')
    clock.advance({ minutes: 5 })
    expect(failTimes(1, limits, 'ops@example.org')).toEqual([{ left: 3, waitSeconds: 600 }])
  })

  test('does not shut out the same email elsewhere, or another email here', () => {
    const limits = createSignInLimits(handClock().now)
    failTimes(5, limits, 'ops@example.org')
    expect(limits.begin('ops@example.org', ELSEWHERE).isAllowed).toBe(true)
    expect(limits.begin('dev@example.org', HERE).isAllowed).toBe(true)
  })

  test('is the same however it is typed', () => {
    const limits = createSignInLimits(handClock().now)
    for (const email of ['ops@example.org', 'OPS@example.org', ' ops@example.org', 'Ops@Example.org ']) {
      failTimes(1, limits, email)
    }
    expect(failTimes(1, limits, 'ops@example.org')).toEqual([{ left: 0, waitSeconds: 900 }])
  })

  test('starts anew after a success', () => {
    const limits = createSignInLimits(handClock().now)
    failTimes(4, limits, 'ops@example.org')
    started(limits, 'ops@example.org').succeed()
    expect(failTimes(1, limits, 'ops@example.org')).toMatchObject([{ left: 4 }])
  })
})

describe('a network', () => {
  const failWithMany = (limits: SignInLimits, count: number, address: string | null = HERE) => {
    for (let index = 0; index < count; index += 1) failTimes(1, limits, `nobody${index}@example.org`, address)
  }

  test('has twenty failures in an hour, whatever the emails', () => {
    const clock = handClock()
    const limits = createSignInLimits(clock.now)
    failWithMany(limits, 20)
    expect(limits.begin('ops@example.org', HERE)).toEqual({ isAllowed: false, retryAfterSeconds: 3_600 })
    expect(limits.begin('ops@example.org', ELSEWHERE).isAllowed).toBe(true)
    clock.advance({ hours: 1 })
    expect(limits.begin('ops@example.org', HERE).isAllowed).toBe(true)
  })

  test('that has few left says so, and the longer wait', () => {
    const limits = createSignInLimits(handClock().now)
    failWithMany(limits, 18)
    expect(failTimes(2, limits, 'ops@example.org')).toEqual([
      { left: 1, waitSeconds: 3_600 },
      { left: 0, waitSeconds: 3_600 },
    ])
  })

  test('keeps its failures after a success, which itself counts as none', () => {
    const limits = createSignInLimits(handClock().now)
    failWithMany(limits, 19)
    for (const _ of Array(30)) started(limits, 'ops@example.org').succeed()
    expect(failTimes(1, limits, 'ops@example.org')).toEqual([{ left: 0, waitSeconds: 3_600 }])
  })

  test('is 64 bits of IPv6', () => {
    const limits = createSignInLimits(handClock().now)
    failTimes(5, limits, 'ops@example.org', '2001:db8::1')
    expect(limits.begin('ops@example.org', '2001:db8::ffff:1').isAllowed).toBe(false)
    expect(limits.begin('ops@example.org', '2001:db8:0:1::1').isAllowed).toBe(true)
  })

  test('is one for all clients whose address is unknown', () => {
    const limits = createSignInLimits(handClock().now)
    failWithMany(limits, 20, null)
    expect(limits.begin('ops@example.org', null).isAllowed).toBe(false)
    expect(limits.begin('ops@example.org', HERE).isAllowed).toBe(true)
  })
})

/** Returns an address as a client can that chooses its own X-Forwarded-For. */
const network = (n: number) => `203.0.113.${n}`

describe('an email', () => {
  test('has fifty failures an hour over all networks, however often the network changes', () => {
    const clock = handClock()
    const limits = createSignInLimits(clock.now)
    for (let n = 0; n < 49; n += 1) failTimes(1, limits, 'ops@example.org', network(n))
    expect(failTimes(1, limits, ' OPS@example.org', network(49))).toEqual([{ left: 0, waitSeconds: 3_600 }])
    clock.advance({ minutes: 20 })
    expect(limits.begin('ops@example.org', network(50))).toEqual({ isAllowed: false, retryAfterSeconds: 2_400 })
    expect(limits.begin('dev@example.org', network(50)).isAllowed).toBe(true)
    clock.advance({ minutes: 40 })
    expect(limits.begin('ops@example.org', network(50)).isAllowed).toBe(true)
  })

  test('keeps the failures of other networks after a success, which itself counts as none', () => {
    const limits = createSignInLimits(handClock().now)
    for (let n = 0; n < 49; n += 1) failTimes(1, limits, 'ops@example.org', network(n))
    for (const _ of Array(30)) started(limits, 'ops@example.org').succeed()
    expect(failTimes(1, limits, 'ops@example.org')).toEqual([{ left: 0, waitSeconds: 3_600 }])
  })
})

describe('right passwords', () => {
  test('of an account are a hundred an hour, over all networks, because each takes work', () => {
    const clock = handClock()
    const limits = createSignInLimits(clock.now)
    for (let n = 0; n < 100; n += 1) started(limits, 'ops@example.org', network(n)).succeed()
    expect(limits.begin('Ops@example.org', HERE)).toEqual({ isAllowed: false, retryAfterSeconds: 3_600 })
    expect(limits.begin('another@example.org', HERE).isAllowed).toBe(true)
    clock.advance({ hours: 1 })
    expect(limits.begin('ops@example.org', HERE).isAllowed).toBe(true)
  })

  test('of the second factor are not counted, because none is right twice', () => {
    const limits = createSignInLimits(handClock().now)
    for (let n = 0; n < 101; n += 1) {
      const attempt = limits.beginCode('ops@example.org', HERE)
      if (!attempt.isAllowed) throw new Error('not allowed')
      attempt.succeed()
    }
  })
})

test('an account changes its password ten times an hour', () => {
  const limits = createSignInLimits(handClock().now)
  expect(Array.from({ length: 11 }, () => limits.changePassword('ann'))).toEqual([...Array(10).fill(0), 3_600])
  expect(limits.changePassword('bob')).toBe(0)
})

describe('a try counts from its beginning', () => {
  test('so that of a hundred at once five pass', () => {
    const limits = createSignInLimits(handClock().now)
    const attempts = Array.from({ length: 100 }, () => limits.begin('ops@example.org', HERE))
    expect(attempts.filter(({ isAllowed }) => isAllowed)).toHaveLength(5)
  })

  test('and is not counted twice when it fails', () => {
    const limits = createSignInLimits(handClock().now)
    const attempts = [started(limits, 'ops@example.org'), started(limits, 'ops@example.org')]
    expect(attempts.map((attempt) => attempt.fail().left)).toEqual([3, 3])
  })

  test('and no longer when it is taken back, as for a server that was too busy', () => {
    const limits = createSignInLimits(handClock().now)
    failTimes(2, limits, 'ops@example.org')
    for (const _ of Array(30)) started(limits, 'ops@example.org').takeBack()
    expect(failTimes(1, limits, 'ops@example.org')).toMatchObject([{ left: 2 }])
  })
})
