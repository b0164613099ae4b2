import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parsePingPath } from '../../../src/http/ping/ping-path.ts'
import { refusedPath } from '../../../src/http/ping/refused-path.ts'

const ID = 'f618072a-7bde-4eee-af63-71a77c5723bc'
const KEY = 'abcdefghij0123456789zz'
const byId = { kind: 'id', id: ID } as const
const bySlug = { kind: 'slug', pingKey: KEY, slug: 'nightly', create: false } as const

describe('a ping URL that names a check', () => {
  test.each([
    '/-1',
    '/3221225477',
    '/256',
    '/FAIL',
    '/done',
    '/start/',
    '//',
    '/1/2',
    '/fail/now',
    '//fail',
    '%2Ffail',
    '%0D',
    '.',
    ';fail',
  ])('is told by what no check understands: %s', (tail) => {
    expect(refusedPath(`${ID}${tail}`, '')).toEqual({ target: byId, tail })
    expect(refusedPath(`${KEY}/nightly${tail}`, '?create=1')).toEqual({ target: bySlug, tail })
  })

  test('is told by a run id that is no UUID, and by nothing else of its query', () => {
    expect(refusedPath(ID, '?token=secret&rid=7')).toEqual({ target: byId, tail: '?rid=7' })
    expect(refusedPath(`${KEY}/nightly/start`, '?rid=')).toEqual({ target: bySlug, tail: '?rid=' })
    expect(refusedPath(`${ID}/256`, '?rid=7')?.tail).toBe('/256')
    expect(refusedPath(ID, `?rid=7&rid=${ID}`)).toBeNull()
  })

  test('is told by a silence without an end that can be read, and by nothing else of its query', () => {
    expect(refusedPath(`${ID}/silence`, '')).toEqual({ target: byId, tail: '/silence' })
    expect(refusedPath(`${ID}/silence`, '?for=20&token=secret')).toEqual({ target: byId, tail: '/silence?for=20' })
    expect(refusedPath(`${KEY}/nightly/silence`, '?for=1h&until=healthy')).toEqual({
      target: bySlug,
      tail: '/silence?for=1h&until=healthy',
    })
    expect(refusedPath(`${ID}/silence`, '?for=20m')).toBeNull()
    expect(refusedPath(`${ID}/unsilence`, '?for=20')).toBeNull()
    expect(refusedPath(`${ID}/silence`, '?for=20m&rid=7')?.tail).toBe('?rid=7')
  })

  test('with a slug in capitals, or behind two slashes, is told by them', () => {
    expect(refusedPath(`${KEY}/Nightly/fail`, '')).toEqual({ target: bySlug, tail: 'Nightly' })
    expect(refusedPath(`${KEY}//nightly`, '')).toEqual({ target: bySlug, tail: '//' })
  })

  test.each([
    ['in capitals', ID.toUpperCase()],
    ['in braces', `{${ID}}`],
    ['in encoded braces', `%7B${ID}%7D`],
    ['in quotes', `"${ID}"`],
    ['without hyphens', ID.replaceAll('-', '')],
    ['without hyphens, in capitals', ID.replaceAll('-', '').toUpperCase()],
    ['as a URN', `urn:uuid:${ID}`],
    ['behind two slashes', `/${ID}`],
    ['behind the beginning of the URL', `ping/${ID}`],
    ['behind the whole beginning of the URL', `https://overdue.example.org/ping/${ID}`],
  ])('with a UUID %s is told by nothing else', (_, written) => {
    for (const rest of ['', '/fail', '/FAIL']) {
      expect(refusedPath(written + rest, '?rid=7')).toEqual({ target: byId, tail: '' })
    }
  })
})

test.each([
  ID,
  `${ID}/`,
  `${ID}/fail`,
  `${ID}/0`,
  `${KEY}/nightly`,
  `${KEY}/nightly/log`,
  '',
  KEY,
  `${KEY}/`,
  `${ID}0`,
  `a${ID}`,
  `${ID.replaceAll('-', '')}0/x`,
  '-/../x',
])('of %j nothing is told', (path) => expect(refusedPath(path, '?create=1')).toBeNull())

test('no path takes longer than it is long', () => {
  const started = performance.now()
  for (const part of ['a', '/', '%7B', '{', 'ping/', ID, '-', 'a/']) refusedPath(part.repeat(20_000), '')
  expect(performance.now() - started).toBeLessThan(500)
})

test('nothing is told of a path that a check understands, and no path is too strange', () => {
  const part = fc.constantFrom(ID, KEY, 'nightly', 'Nightly', 'start', '255', '256', '-1', '', '%', '\0', '…')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const path = parts.join('/')
      const parsed = parsePingPath(path)
      const isUnderstood = parsed.kind === 'target' && parsed.isValid
      // Behind a UUID, a word may also be a slug of a ping key.
      if (isUnderstood && parsed.pingKey !== ID) expect(refusedPath(path, '')).toBeNull()
    }),
  )
})
