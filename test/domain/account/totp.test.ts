/** Codes of authenticator apps, by the test vectors of RFC 6238 (appendix B) and RFC 4226 (appendix D). */
import { describe, expect, test } from 'bun:test'
import {
  findTotpStep,
  isTotpCode,
  makeTotpSecret,
  totpCode,
  totpStep,
  totpUrl,
} from '../../../src/domain/account/totp.ts'
import { fromBase32, toBase32 } from '../../../src/lib/secrets/base32.ts'
import { fromSeconds } from '../../../src/lib/time.ts'

const SECRET = toBase32(new TextEncoder().encode('12345678901234567890'))

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %d the code is %s', (seconds, code) => {
  expect(totpCode(SECRET, totpStep(fromSeconds(seconds)))).toBe(code)
})

test('of counters 0 to 9 they are those of RFC 4226', () => {
  const codes = Array.from({ length: 10 }, (_, step) => totpCode(SECRET, step))
  expect(codes.join(' ')).toBe('755224 287082 359152 969429 338314 254676 287922 162583 399871 520489')
})

describe('a code that is typed', () => {
  const now = fromSeconds(3_000)
  const step = totpStep(now)

  test.each([-1, 0, 1])('counts %d steps beside', (beside) => {
    expect(findTotpStep(SECRET, totpCode(SECRET, step + beside), now)).toBe(step + beside)
  })

  test.each([-2, 2])('does not count %d steps beside', (beside) => {
    expect(findTotpStep(SECRET, totpCode(SECRET, step + beside), now)).toBeNull()
  })

  test.each(['', '000000', '1234567', 'abcdef', '２８７０８２'])('%j is none', (code) => {
    expect(findTotpStep(SECRET, code, now)).toBeNull()
  })

  test('is told from a recovery code', () => {
    expect(['287082', '28708', '2870821', 'abcdefgh2345wxyz'].map(isTotpCode)).toEqual([true, false, false, false])
  })
})

test('a secret has 160 random bits, as base32', () => {
  const bytes = Uint8Array.from({ length: 20 }, (_, index) => index * 13)
  const secret = makeTotpSecret((length) => bytes.slice(0, length))
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(fromBase32(secret)).toEqual(bytes)
})

test('the address for the app escapes every name, and keeps its label in two parts', () => {
  expect(totpUrl('ABC', 'Night: watch & co', 'ann+b@example.org')).toBe(
    'otpauth://totp/Night%20%20watch%20%26%20co:ann%2Bb%40example.org?secret=ABC&issuer=Night%20%20watch%20%26%20co',
  )
})
