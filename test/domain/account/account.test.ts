import { describe, expect, test } from 'bun:test'
import { Email, exactEmail, normalizeEmail } from '../../../src/domain/account/account.ts'
import { fits } from '../../../src/domain/schema.ts'

describe('an email', () => {
  test.each(['ann@example.org', 'a+b.c@sub.example.org', 'ann@localhost', 'änn@exämple.org', `${'a'.repeat(250)}@b.c`])(
    'is %j',
    (text) => {
      expect(fits(Email, text)).toBe(true)
    },
  )

  test.each([
    '',
    'ann',
    '@example.org',
    'ann@',
    'ann@b@c',
    'a nn@example.org',
    'Ann <ann@example.org>',
    'ann@example.org, bob@example.org',
    'ann@example.org\r\nBcc: bob@example.org',
    'ann@example.org\u0000',
    '"ann"@example.org',
    `${'a'.repeat(251)}@b.c`,
    '\ud800@example.org',
  ])('is not %j', (text) => {
    expect(fits(Email, text)).toBe(false)
  })

  test('is stored in lower case, without blanks around it', () => {
    expect(normalizeEmail('  Ann.B@Example.ORG\n')).toBe('ann.b@example.org')
  })

  test('is compared with that form as it comes, but for the case of ASCII letters', () => {
    expect(exactEmail('Ann.B@Example.ORG')).toBe('ann.b@example.org')
    expect(exactEmail('ünal@example.org')).toBe('ünal@example.org')
  })

  test.each(['ann@example.org\n', ' ann@example.org', '\u212aate@example.org', 'Ünal@example.org', 'ann', ''])(
    'is none in the text %j when that is compared as it comes',
    (text) => {
      expect(exactEmail(text)).toBeNull()
    },
  )
})
