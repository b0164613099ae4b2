/** The body of a create or update request: what can be wrong with it, and which of several problems is reported. */
import { describe, expect, test } from 'bun:test'
import { CheckSpec } from '../../../src/domain/check/check.ts'
import { firstProblem } from '../../../src/domain/schema.ts'
import { ADDED } from '../../conformance/not-yet.ts'

/** Returns the problem as `'/timeout too small'`; null when the body is valid. */
function problem(body: unknown): string | null {
  const found = firstProblem(CheckSpec, body)
  return found && [found.path, found.violation, found.format].filter((part) => part !== undefined).join(' ')
}

/** Every field of Healthchecks with an invalid value, in the order in which they are reported. */
const WRONG = {
  channels: 1,
  desc: 1,
  failure_kw: 1,
  filter_subject: 1,
  filter_body: 1,
  filter_http_body: 1,
  filter_default_fail: 1,
  grace: 'x',
  manual_resume: 1,
  methods: 1,
  name: 1,
  schedule: 1,
  slug: 1,
  start_kw: 1,
  subject: 1,
  subject_fail: 1,
  success_kw: 1,
  tags: 1,
  timeout: 'x',
  tz: 1,
  unique: 'x',
}

describe('of several invalid fields', () => {
  const names = Object.keys(WRONG)

  test('the first in a fixed order is reported, whatever the order in the body', () => {
    for (const [index, name] of names.entries()) {
      const rest = Object.entries(WRONG).slice(index)
      expect(problem(Object.fromEntries(rest.toReversed()))).toStartWith(`/${name} `)
    }
  })

  test('those that Healthchecks does not have follow', () => {
    expect(Object.keys(CheckSpec.properties).filter((name) => !ADDED.has(name))).toEqual(names)
    expect(Object.keys(CheckSpec.properties).slice(0, names.length)).toEqual(names)
  })
})

describe('a field', () => {
  const texts = [
    'channels',
    'desc',
    'failure_kw',
    'name',
    'slug',
    'start_kw',
    'subject',
    'subject_fail',
    'success_kw',
    'tags',
  ]
  test.each([...texts, 'schedule', 'tz'])('%s is a text', (name) => {
    for (const value of [1, null, true, [], {}]) expect(problem({ [name]: value })).toBe(`/${name} not a string`)
  })

  test.each(texts)('%s may be empty', (name) => {
    expect(problem({ [name]: '' })).toBeNull()
  })

  test.each([
    ['name', 100],
    ['slug', 100],
    ['failure_kw', 200],
    ['start_kw', 200],
    ['success_kw', 200],
    ['subject', 200],
    ['subject_fail', 200],
    ['tags', 500],
  ])('%s may have %p characters', (name, limit) => {
    expect(problem({ [name]: 'a'.repeat(limit) })).toBeNull()
    expect(problem({ [name]: 'a'.repeat(limit + 1) })).toBe(`/${name} too long`)
  })

  test.each(['desc', 'channels'])('%s may be long', (name) => {
    expect(problem({ [name]: 'a'.repeat(100_000) })).toBeNull()
  })

  test.each(['filter_subject', 'filter_body', 'filter_http_body', 'filter_default_fail', 'manual_resume'])(
    '%s is true or false',
    (name) => {
      expect([problem({ [name]: true }), problem({ [name]: false })]).toEqual([null, null])
      for (const value of [0, 1, 'true', '', null, []])
        expect(problem({ [name]: value })).toBe(`/${name} not a boolean`)
    },
  )

  test.each(['grace', 'timeout'])('%s is a whole number from a minute to a year', (name) => {
    for (const value of [60, 61, 31_536_000, 6e2]) expect(problem({ [name]: value })).toBeNull()
    for (const value of [59, 0, -1, -1e300, true, false]) expect(problem({ [name]: value })).toBe(`/${name} too small`)
    for (const value of [31_536_001, 1e15, 1e300, Infinity])
      expect(problem({ [name]: value })).toBe(`/${name} too large`)
    for (const value of [60.5, '60', null, [], {}, Number.NaN])
      expect(problem({ [name]: value })).toBe(`/${name} not a number`)
  })

  test('methods is empty or POST', () => {
    expect([problem({ methods: '' }), problem({ methods: 'POST' })]).toEqual([null, null])
    for (const value of ['GET', 'post', ' ', null, 1, true, []])
      expect(problem({ methods: value })).toBe('/methods unexpected')
  })

  test('a slug has small letters, digits, hyphens and underscores only, and its length is checked first', () => {
    expect(problem({ slug: 'a-b_2' })).toBeNull()
    for (const slug of ['A', 'a b', 'é', 'a.b', 'a\n', '\na']) expect(problem({ slug })).toBe('/slug mismatch')
    expect(problem({ slug: 'A'.repeat(101) })).toBe('/slug too long')
  })

  test('a schedule must be valid, and its length is checked first', () => {
    for (const schedule of ['* * * * *', 'Mon..Fri 9:00', '2020-01-01', ' 0 0 * * 1#1 ', '@daily'])
      expect(problem({ schedule })).toBeNull()
    for (const schedule of ['', ' ', '* * * *', '60 * * * *', '0 0 31 2 *', '1999-01-01', '@reboot', '💥']) {
      expect(problem({ schedule })).toBe('/schedule bad format schedule')
    }
    expect(problem({ schedule: 'x'.repeat(101) })).toBe('/schedule too long')
  })

  test('a zone must be a known name, exactly', () => {
    for (const tz of ['UTC', 'Europe/Riga', 'US/Pacific']) expect(problem({ tz })).toBeNull()
    for (const tz of ['', 'europe/riga', 'Factory', 'localtime', '+02:00', 'Europe/Riga ', 'Mars/Base']) {
      expect(problem({ tz })).toBe('/tz bad format timezone')
    }
  })

  test('unique is a list of field names, repeated or not', () => {
    for (const unique of [[], ['name', 'name'], ['name', 'slug', 'tags', 'timeout', 'grace']])
      expect(problem({ unique })).toBeNull()
    for (const unique of ['name', null, {}, 1]) expect(problem({ unique })).toBe('/unique not an array')
    for (const item of ['schedule', 'NAME', 1, null, []])
      expect(problem({ unique: ['name', item] })).toBe('/unique/1 unexpected')
  })
})

describe('a body', () => {
  test('may be empty', () => {
    expect(problem({})).toBeNull()
  })

  test('may have unknown names with any value, so that a response can be posted back', () => {
    expect(problem({ uuid: 1, status: null, api_key: [], n_pings: 'x', Timeout: 5 })).toBeNull()
    expect(problem(JSON.parse('{"__proto__": {"timeout": 5}, "constructor": 1, "toString": null}'))).toBeNull()
  })

  test('is checked in fields that will not be used too', () => {
    expect(problem({ timeout: 5, schedule: '* * * * *' })).toBe('/timeout too small')
  })

  test.each([[null], [[]], ['x'], [1], [true]])('is an object, not %p', (body) => {
    expect(problem(body)).toBe(' not an object')
  })
})
