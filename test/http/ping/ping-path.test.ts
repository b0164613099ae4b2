import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parsePingPath } from '../../../src/http/ping/ping-path.ts'

const ID = 'f618072a-7bde-4eee-af63-71a77c5723bc'
const KEY = 'abcdefghij0123456789zz'

const byId = { kind: 'target', id: ID, pingKey: '', slug: '', exitStatus: null, isValid: true }
const bySlug = { kind: 'target', id: null, pingKey: KEY, slug: 'back-up_1', exitStatus: null, isValid: true }

describe('a path with a UUID', () => {
  test('alone is a success, with or without a final slash', () => {
    expect(parsePingPath(ID)).toEqual({ ...byId, action: 'success' } as never)
    expect(parsePingPath(`${ID}/`)).toEqual({ ...byId, action: 'success' } as never)
  })

  test.each(['start', 'fail', 'log'] as const)('with /%s is that action', (action) => {
    expect(parsePingPath(`${ID}/${action}`)).toEqual({ ...byId, action } as never)
  })

  test.each(['silence', 'unsilence'] as const)('with /%s is logged, and asks for that', (asks) => {
    expect(parsePingPath(`${ID}/${asks}`)).toEqual({ ...byId, action: 'log', asks } as never)
    expect(parsePingPath(`${KEY}/back-up_1/${asks}`)).toEqual({ ...bySlug, action: 'log', asks } as never)
  })

  test.each(['//', '/start/', '/0/', '/start/start/start', '//start'])('with %s is not a route', (tail) => {
    expect(parsePingPath(ID + tail)).toEqual({ kind: 'no-route' })
  })

  test('with an unknown word is read as a ping key and a slug', () => {
    expect(parsePingPath(`${ID}/strt`)).toMatchObject({ kind: 'target', id: null, pingKey: ID, slug: 'strt' })
    expect(parsePingPath(`${ID}/start/1`)).toMatchObject({ id: null, pingKey: ID, slug: 'start', exitStatus: 1 })
    expect(parsePingPath(`${ID}/Start`)).toEqual({ kind: 'bad-slug' })
  })

  test.each([
    ID.toUpperCase(),
    ID.replaceAll('-', ''),
    `{${ID}}`,
    `${ID} `,
    `${ID}%0a`,
    `${ID}\n`,
    ID.slice(1),
    '',
    '/',
  ])('is not %j', (text) => {
    expect(parsePingPath(text)).toEqual({ kind: 'no-route' })
  })
})

describe('an exit status', () => {
  test('of 0 is a success, any other is a failure, and leading zeros do not matter', () => {
    expect(parsePingPath(`${ID}/0`)).toMatchObject({ action: 'success', exitStatus: 0, isValid: true })
    expect(parsePingPath(`${ID}/000`)).toMatchObject({ action: 'success', exitStatus: 0, isValid: true })
    expect(parsePingPath(`${ID}/007`)).toMatchObject({ action: 'fail', exitStatus: 7, isValid: true })
    expect(parsePingPath(`${ID}/255`)).toMatchObject({ action: 'fail', exitStatus: 255, isValid: true })
  })

  test('above 255, of any length, names its target but is not valid', () => {
    for (const digits of ['256', '9'.repeat(400)]) {
      expect(parsePingPath(`${ID}/${digits}`)).toMatchObject({ id: ID, isValid: false })
      expect(parsePingPath(`${KEY}/job/${digits}`)).toMatchObject({ slug: 'job', isValid: false })
    }
  })

  test.each(['-1', '+1', '1.0', '1e2', '0x1', '١', '1_0'])('is not %s', (text) => {
    expect(parsePingPath(`${ID}/${text}`)).not.toMatchObject({ id: ID })
    expect(parsePingPath(`${KEY}/job/${text}`)).toEqual({ kind: 'no-route' })
  })
})

describe('a path with a slug', () => {
  test('alone is a success, with an action it is that action', () => {
    expect(parsePingPath(`${KEY}/back-up_1`)).toEqual({ ...bySlug, action: 'success' } as never)
    expect(parsePingPath(`${KEY}/back-up_1/log`)).toEqual({ ...bySlug, action: 'log' } as never)
  })

  test('takes action words and digits in place of the slug as slugs', () => {
    expect(parsePingPath(`${KEY}/start`)).toMatchObject({ slug: 'start', action: 'success' })
    expect(parsePingPath(`${KEY}/123`)).toMatchObject({ slug: '123', exitStatus: null })
    expect(parsePingPath(`${KEY}/start/start`)).toMatchObject({ slug: 'start', action: 'start' })
  })

  test.each([
    `${KEY}`,
    `${KEY}/`,
    `${KEY}/job/`,
    `${KEY}//`,
    `${KEY}/job/stop`,
    `${KEY}/job/start/1`,
    `/job`,
    `a.b/job`,
  ])('is not %s', (text) => {
    expect(parsePingPath(text)).toEqual({ kind: 'no-route' })
  })

  test('with capitals has its own answer, with any action', () => {
    expect(parsePingPath(`${KEY}/Job`)).toEqual({ kind: 'bad-slug' })
    expect(parsePingPath(`${KEY}/Job/1`)).toEqual({ kind: 'bad-slug' })
  })
})

test('any path gives values that the store accepts', () => {
  const piece = fc.oneof(fc.constantFrom(ID, KEY, 'job', 'start', '0', '300', ''), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
      const path = parsePingPath(pieces.join('/'))
      if (path.kind !== 'target') return
      if (path.id === null) {
        expect(path.pingKey).toMatch(/^[-\w]+$/)
        expect(path.slug).toMatch(/^[a-z0-9_-]+$/)
      } else expect(path).toMatchObject({ id: ID, pingKey: '', slug: '' })
      if (path.isValid) expect([null, ...Array(256).keys()]).toContain(path.exitStatus)
    }),
  )
})
