import { describe, expect, test } from 'bun:test'
import { MASK, maskedWithin, maskerOf } from '../../../src/domain/carrier/mask-secrets.ts'

const maskSecrets = (text: string, secrets: readonly string[]) => maskerOf(secrets)(text)

describe('maskerOf', () => {
  const TOKEN = 'tk+9/a"b&c=='

  test('masks a secret wherever it stands, in any case', () => {
    expect(maskSecrets('No S3cr3t-Key! s3cr3t-key is wrong', ['s3cr3t-key'])).toBe(`No ${MASK}! ${MASK} is wrong`)
  })

  test.each([
    ['a URL', encodeURIComponent(TOKEN)],
    ['a form', new URLSearchParams({ '': TOKEN }).toString().slice(1)],
    ['JSON', JSON.stringify(TOKEN).slice(1, -1)],
    ['JSON with escaped slashes', JSON.stringify(TOKEN).slice(1, -1).replaceAll('/', '\\/')],
    ['HTML', 'tk+9/a&quot;b&amp;c=='],
    ['base64', btoa(TOKEN)],
  ])('masks it as it is written in %s', (_, written) => {
    expect(maskSecrets(`<${written}>`, [TOKEN])).toMatch(/^<•{4}=*>$/)
  })

  test('masks the parts of a URL that let others in, and leaves its host', () => {
    const url = 'https://bot:hunter2hunter2@hooks.example.org/services/T00000000/s3cr3ts3cr3t?key=abcdefgh12345'
    const answer =
      'hooks.example.org has no /services/T00000000/s3cr3ts3cr3t; s3cr3ts3cr3t, abcdefgh12345 and hunter2hunter2 are unknown'
    expect(maskSecrets(answer, [url])).toBe(
      `hooks.example.org has no ${MASK}; ${MASK}, ${MASK} and ${MASK} are unknown`,
    )
    expect(maskSecrets(url, [url])).toBe(MASK)
  })

  test('masks the login of a header without its scheme', () => {
    expect(maskSecrets('bad token abcdefgh12345', ['Bearer abcdefgh12345'])).toBe(`bad token ${MASK}`)
  })

  test('takes secrets literally, and the longest first', () => {
    expect(maskSecrets('a.c*[x] abc', ['a.c*[x]'])).toBe(`${MASK} abc`)
    expect(maskSecrets('topic-private', ['topic', 'topic-private'])).toBe(MASK)
  })

  test('leaves a text alone if there is no secret, or only one that ordinary words contain', () => {
    expect(maskSecrets('it is down', [])).toBe('it is down')
    expect(maskSecrets('it is down', ['is', ''])).toBe('it is down')
  })

  test('accepts secrets that are no proper Unicode', () => {
    expect(maskSecrets('x \uD800abcd', ['\uD800abcd'])).toBe(`x ${MASK}`)
  })
})

test('a login with the secret in base64 is masked', () => {
  const login = Buffer.from('bot@example.org:abcdefgh1234').toString('base64')
  expect(maskSecrets(`Basic ${login} is wrong`, ['abcdefgh1234'])).toBe(`Basic ${MASK} is wrong`)
})

test('of a long text only the beginning is looked through, and nothing of a secret that is cut in two is shown', () => {
  const secret = 'abcdefgh1234'.repeat(4)
  const mask = maskerOf([secret])
  for (let before = 0; before < 3_000; before += 7) {
    const shown = maskedWithin(mask, `${'x '.repeat(before)}${secret.repeat(200)}`, 1_000)
    expect(shown).not.toMatch(/[a-h1-4]/)
  }
  expect(maskedWithin(mask, `${secret} is wrong`, 1_000)).toBe(`${MASK} is wrong`)
})
