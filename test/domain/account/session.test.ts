import { describe, expect, test } from 'bun:test'
import {
  expiresAt,
  isExpired,
  isStale,
  isToken,
  makeToken,
  type Session,
  tokenLookup,
} from '../../../src/domain/account/session.ts'
import { after, anAccount, aSession, testRandom } from '../../support/store-builders.ts'

const DAY = 86_400
const ACCOUNT = anAccount()
const seen = (createdDay: number, lastSeenDay: number): Session =>
  aSession(ACCOUNT, { createdAt: after(createdDay * DAY), lastSeenAt: after(lastSeenDay * DAY) })

describe('a session expires', () => {
  test.each([
    ['after 14 days without a request', 0, 0, 14],
    ['14 days after the last one', 0, 5, 19],
    ['after 90 days however often it is used', 0, 89, 90],
    ['when the first of both is over', 0, 76, 90],
  ])('%s', (_, created, last, day) => {
    const session = seen(created, last)
    expect(expiresAt(session).toString()).toBe(after(day * DAY).toString())
    expect(isExpired(session, after(day * DAY - 0.000001))).toBe(false)
    expect(isExpired(session, after(day * DAY))).toBe(true)
  })

  test('no earlier when the clock was set back', () => {
    expect(isExpired(seen(0, 0), after(-DAY))).toBe(false)
  })
})

test('a session is written again after five minutes', () => {
  const session = seen(0, 0)
  expect([after(299.999999), after(300), after(-1)].map((now) => isStale(session, now))).toEqual([false, true, false])
})

describe('a token', () => {
  test('is 32 random bytes in 43 characters that need no escaping in a URL or a cookie', () => {
    const asked: number[] = []
    const token = makeToken((length) => {
      asked.push(length)
      return new Uint8Array(length).fill(255)
    })
    expect(asked).toEqual([32])
    expect(token).toBe(`${'_'.repeat(42)}8`)
    expect(isToken(token)).toBe(true)
    expect(new Set(Array.from({ length: 50 }, () => makeToken(testRandom.bytes))).size).toBe(50)
  })

  test('is stored as its hash, in which it cannot be seen', () => {
    const token = 'A'.repeat(43)
    expect(tokenLookup(token)).toMatch(/^[0-9a-f]{64}$/)
    expect(tokenLookup(token)).toBe(new Bun.CryptoHasher('sha256').update(token).digest('hex'))
    expect(tokenLookup(`${token.slice(1)}B`)).not.toBe(tokenLookup(token))
  })

  test.each(['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, `${'A'.repeat(42)}/`, `${'A'.repeat(43)}\n`])(
    'is not %j',
    (text) => {
      expect(isToken(text)).toBe(false)
    },
  )
})
