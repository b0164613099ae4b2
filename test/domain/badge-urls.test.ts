/** Badges: signatures that published URLs depend on, and the URLs. */
import { describe, expect, test } from 'bun:test'
import { badgeUrls, checkBadgeUrl, encodeStrictly, signBadge, signedTag } from '../../src/domain/badge-urls.ts'

const KEY = '8c643142-9948-49fe-ac0e-bc3319'
const SECRET = 'test-secret'
const ROOT = 'https://overdue.test'

describe('a signature', () => {
  test.each([
    ['plain', 'SG_XdXdv'],
    ['*', 'oBV6bIUL'],
    ['db@dc1', 'hxLaLc4c'],
    ['ä', 'j2pSWL5c'],
  ])('of %p is that of published badges', (tag, signature) => {
    expect(signBadge(KEY, tag, SECRET)).toBe(signature)
  })

  test('differs by tag, by project and by secret', () => {
    const signatures = [
      signBadge(KEY, 'a', SECRET),
      signBadge(KEY, 'A', SECRET),
      signBadge(`${KEY}0`, 'a', SECRET),
      signBadge(KEY, 'a', 'other'),
    ]
    expect(new Set(signatures).size).toBe(4)
  })
})

describe('the tag that a signed URL names', () => {
  const named = (encoded: string, signature = signBadge(KEY, encoded, SECRET)) =>
    signedTag(KEY, signature, encoded, SECRET)

  test.each(['plain', 'db@dc1', 'a/b', 'ä', '100%', '%41', '%2541', '+', '🚀', '%ff'])(
    '%p is found, however often a proxy has decoded the URL',
    (tag) => {
      const signature = signBadge(KEY, tag, SECRET)
      const once = encodeStrictly(tag)
      expect([encodeStrictly(once), once, tag].map((text) => named(text, signature))).toEqual([tag, tag, tag])
    },
  )

  test('is null for the signature of another tag, project or secret, and for an invalid one', () => {
    const others = [signBadge(KEY, 'b', SECRET), signBadge('other', 'a', SECRET), signBadge(KEY, 'a', 'other'), '']
    expect(named('a')).toBe('a')
    expect(others.map((signature) => named('a', signature))).toEqual([null, null, null, null])
  })

  test('is null when any character of the signature is wrong or not ASCII', () => {
    const signature = signBadge(KEY, 'a', SECRET)
    const wrong = Array.from(signature, (_, index) => `${signature.slice(0, index)}.${signature.slice(index + 1)}`)
    for (const text of [...wrong, 'ääää', 'ääääääää', signature.slice(1)]) expect(named('a', text)).toBeNull()
  })
})

describe('the URLs', () => {
  test('of a tag have two states under -2 and three without', () => {
    const url = `${ROOT}/badge/${KEY}/SG_XdXdv`
    expect(badgeUrls(ROOT, KEY, 'plain', SECRET)).toEqual({
      svg: `${url}-2/plain.svg`,
      svg3: `${url}/plain.svg`,
      json: `${url}-2/plain.json`,
      json3: `${url}/plain.json`,
      shields: `${url}-2/plain.shields`,
      shields3: `${url}/plain.shields`,
    })
  })

  test('of all checks contain no tag', () => {
    const { svg, json3 } = badgeUrls(ROOT, KEY, '*', SECRET)
    expect([svg, json3]).toEqual([`${ROOT}/badge/${KEY}/oBV6bIUL-2.svg`, `${ROOT}/badge/${KEY}/oBV6bIUL.json`])
  })

  test.each([
    ['db@dc1', 'db%2540dc1'],
    ['a/b', 'a%252Fb'],
    ['ä', '%25C3%25A4'],
    ["!'()*", '%2521%2527%2528%2529%252A'],
    ['100%', '100%2525'],
    ['aZ0_.-~', 'aZ0_.-~'],
  ])('contain the tag %p encoded twice', (tag, encoded) => {
    const { svg3 } = badgeUrls(ROOT, KEY, tag, SECRET)
    expect(svg3).toEndWith(`/${encoded}.svg`)
    expect(decodeURIComponent(decodeURIComponent(encoded))).toBe(tag)
  })

  test('of one check contain its badge key', () => {
    expect(checkBadgeUrl(ROOT, 'abc')).toBe(`${ROOT}/b/2/abc.svg`)
  })
})

test('strict encoding leaves letters, digits and four signs', () => {
  const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')
  const plain = encodeStrictly(ascii).replace(/%[0-9A-F]{2}/g, '')
  expect(plain).toBe('-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~')
})
