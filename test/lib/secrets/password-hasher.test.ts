import { describe, expect, spyOn, test } from 'bun:test'
import { type Argon2Cost, createPasswordHasher } from '../../../src/lib/secrets/password-hasher.ts'

const CHEAP: Argon2Cost = { memoryCost: 8, timeCost: 1 }

class Busy extends Error {}
const busy = () => new Busy()
const TURN = { lane: 'visitor', party: 'ann' } as const
const NOBODY = { waiting: 0, each: 0 }

/** Creates a hasher that treats everybody as one party, of which so many may wait. */
const hasher = (waiting = 20, cost = CHEAP) => {
  const lane = { waiting, each: waiting }
  const { hash, verify, isOutdated } = createPasswordHasher({ waiting: { visitor: lane, account: lane }, busy, cost })
  return {
    hash: (password: string) => hash(password, TURN),
    verify: (password: string, stored: string | null) => verify(password, stored, TURN),
    isOutdated,
  }
}

test('a password matches its own hash only', async () => {
  const { hash, verify } = hasher()
  const stored = await hash('correct horse')
  expect(await verify('correct horse', stored)).toBe(true)
  for (const wrong of ['Correct horse', 'correct horse ', 'correct', '']) {
    expect([wrong, await verify(wrong, stored)]).toEqual([wrong, false])
  }
})

test('a hash is argon2id with the given cost and a salt of its own', async () => {
  const { hash } = hasher()
  const [first, second] = [await hash('correct horse'), await hash('correct horse')]
  expect(first).toStartWith('$argon2id$v=19$m=8,t=1,p=1$')
  expect(second).not.toBe(first)
})

test('a hash of another cost stays valid', async () => {
  const stored = await hasher(20, { memoryCost: 16, timeCost: 2 }).hash('correct horse')
  expect(await hasher().verify('correct horse', stored)).toBe(true)
})

test('without a given cost a hash takes 64 MiB and two passes', async () => {
  const { hash } = createPasswordHasher({ waiting: { visitor: NOBODY, account: NOBODY }, busy })
  expect(await hash('correct horse', TURN)).toStartWith('$argon2id$v=19$m=65536,t=2,p=1$')
})

test('the same letters from different keyboards are the same password', async () => {
  const { hash, verify } = hasher()
  const stored = await hash('caf\u00e9 au lait 1')
  expect(await verify('cafe\u0301 au lait \uff11', stored)).toBe(true)
  expect(await verify('cafe au lait 1', stored)).toBe(false)
})

test('no password matches where there is no hash, which takes the same work', async () => {
  const { hash, verify } = hasher(20, { memoryCost: 64, timeCost: 3 })
  const stored = await hash('correct horse')
  using verified = spyOn(Bun.password, 'verify')
  expect(await verify('something else', stored)).toBe(false)
  expect(await verify('something else', null)).toBe(false)
  const costs = verified.mock.calls.map(([, of]) => String(of).split('$').slice(0, 4).join('$'))
  expect(costs).toEqual(Array(2).fill('$argon2id$v=19$m=64,t=3,p=1'))
})

test.each([
  '',
  'x',
  'correct horse',
  '$argon2id$',
  '$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA',
  '$argon2id$v=19$m=4294967295,t=1,p=1$c2FsdHNhbHRzYWx0$c2FsdHNhbHRzYWx0',
  '$2b$10$short',
])('the malformed hash %j matches nothing', async (stored) => {
  expect(await hasher().verify('correct horse', stored)).toBe(false)
})

test('one hash is computed at a time, and beyond those who may wait a caller gets the given error', async () => {
  const { hash, verify } = hasher(2)
  const calls = [hash('one'), hash('two'), verify('three', null), hash('four'), verify('five', null)]
  const outcomes = await Promise.allSettled<string | boolean>(calls)
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toEqual(refused.map(() => ({ status: 'rejected', reason: expect.any(Busy) })))
  expect(await hash('six')).toStartWith('$argon2id$')
})

test('a hash that fails lets the next one in', async () => {
  const { hash } = hasher(1)
  const [failed, next] = await Promise.allSettled([hash(''), hash('correct horse')])
  expect([failed.status, next.status]).toEqual(['rejected', 'fulfilled'])
})

describe('the hash of another program', () => {
  const DJANGO = 'pbkdf2_sha256$1000$aSaltOfDjango$NvYdhsMXv1W6H+8eYZtBMUlbQwcIMLc366lg74t/sRE='
  /** Hash of `cafe\u0301 au lait \uff11` as it was typed. */
  const AS_TYPED = 'pbkdf2_sha256$1000$aSaltOfDjango$tZs7myE0CSviaO7aOL1z09K2hmhr6UEOBTve6ePRzgk='
  /** Hash of `alice-example-password`. */
  const ARGON2 =
    '$argon2id$v=19$m=102400,t=2,p=8$Z0dmU0k5YkdHemE1Y1U4MVlBcEtEbQ$BHmlN2PFin1iyIx6dlynYIdz+TjQXn7rBDHne1fAi9g'

  test('is PBKDF2 of Django: its password matches, no other does', async () => {
    expect(await hasher().verify('correct horse', DJANGO)).toBe(true)
    for (const wrong of ['Correct horse', '', 'correct horse ']) {
      expect([wrong, await hasher().verify(wrong, DJANGO)]).toEqual([wrong, false])
    }
  })

  test('is argon2id with the cost of Django', async () => {
    expect(await hasher().verify('alice-example-password', ARGON2)).toBe(true)
    expect(await hasher().verify('bob-example-password', ARGON2)).toBe(false)
  })

  test('matches a password as it was typed, too', async () => {
    expect(await hasher().verify('cafe\u0301 au lait \uff11', AS_TYPED)).toBe(true)
    expect(await hasher().verify('caf\u00e9 au lait 1', AS_TYPED)).toBe(false)
  })

  test.each([
    'pbkdf2_sha256$1000$aSaltOfDjango$NvYdhsMXv1W6H',
    'pbkdf2_sha256$0$aSaltOfDjango$NvYdhsMXv1W6H+8eYZtBMUlbQwcIMLc366lg74t/sRE=',
    'pbkdf2_sha256$10000001$aSaltOfDjango$NvYdhsMXv1W6H+8eYZtBMUlbQwcIMLc366lg74t/sRE=',
    'pbkdf2_sha256$99999999999$aSaltOfDjango$NvYdhsMXv1W6H+8eYZtBMUlbQwcIMLc366lg74t/sRE=',
    'pbkdf2_sha1$1000$aSaltOfDjango$NvYdhsMXv1W6H+8eYZtBMUlbQwcIMLc366lg74t/sRE=',
    `${DJANGO}$`,
    '!unusable',
  ])('matches nothing when it is %j', async (stored) => {
    expect(await hasher().verify('correct horse', stored)).toBe(false)
  })

  test('is outdated, as one of another cost is', async () => {
    const { hash, isOutdated } = hasher()
    expect(isOutdated(await hash('correct horse'))).toBe(false)
    const others = [DJANGO, ARGON2, await hasher(20, { memoryCost: 16, timeCost: 2 }).hash('correct horse')]
    expect(others.map(isOutdated)).toEqual([true, true, true])
  })
})
