import { describe, expect, test } from 'bun:test'
import { parseCheckBadgePath, parseTagBadgePath } from '../../../src/http/badges/badge-path.ts'

const KEY = '8c643142-9948-49fe-ac0e-bc3319'

describe('the path of a project badge', () => {
  const base = { badgeKey: KEY, signature: 'SG_XdXdv', tag: 'plain', states: 3, format: 'svg' } as const

  test.each([
    ['SG_XdXdv/plain.svg', {}],
    ['SG_XdXdv-2/plain.svg', { states: 2 }],
    ['SG_XdXdv-3/plain.svg', {}],
    ['SG_XdXdvxyz/plain.svg', {}],
    ['SG_XdXdv-22/plain.svg', {}],
    ['SG_XdX-2/plain.svg', { signature: 'SG_XdX-2' }],
    ['SG_XdXdv.json', { tag: null, format: 'json' }],
    ['SG_XdXdv-2.shields', { tag: null, states: 2, format: 'shields' }],
    ['SG_XdXdv/c.d.json', { tag: 'c.d', format: 'json' }],
    ['SG_XdXdv/a%252Fb.svg', { tag: 'a%252Fb' }],
    ['SG_XdXdv/t.', { tag: 't', format: '' }],
    ['SG_XdXdv/t.SVG', { tag: 't', format: 'SVG' }],
    ['x/t.svg', { signature: 'x', tag: 't' }],
  ] as const)('%s', (tail, expected) => {
    expect(parseTagBadgePath(`${KEY}/${tail}`)).toEqual({ ...base, ...expected })
  })

  test.each(['', KEY, `${KEY}.svg`, `${KEY}/`, `${KEY}/SG_XdXdv/t`, `${KEY}/SG_XdXdv/.svg`, `${KEY}/.svg`])(
    'is not %p',
    (path) => {
      expect(parseTagBadgePath(path)).toBeNull()
    },
  )

  test.each([
    `${KEY}/SG_XdXdv/t.svg/`,
    `${KEY}//t.svg`,
    `${KEY}/SG_XdXdv/a/b.svg`,
    `/SG_XdXdv/t.svg`,
    `${KEY}/a%2fb/t.svg`,
  ])('is not %p', (path) => {
    expect(parseTagBadgePath(path)).toBeNull()
  })
})

describe('the path of a check badge', () => {
  test.each([
    ['2', 2],
    ['3', 3],
    ['03', 3],
    ['0', 2],
    ['1', 2],
    ['4', 2],
    ['33', 2],
    ['9'.repeat(400), 2],
  ] as const)('with %s has %d states', (given, states) => {
    expect(parseCheckBadgePath(`${given}/${KEY}.svg`)).toEqual({ badgeKey: KEY, states, format: 'svg' })
  })

  test.each(['', '2', `2/${KEY}`, `2/${KEY}.svg/`, `two/${KEY}.svg`, `-2/${KEY}.svg`, `2.0/${KEY}.svg`, '2/.svg'])(
    'is not %p',
    (path) => {
      expect(parseCheckBadgePath(path)).toBeNull()
    },
  )
})
