/** Checks: their defaults, how a request changes them, and how `unique` selects one. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { applySpec, type Check, type CheckSpec, newCheck, uniqueCriteria } from '../../../src/domain/check/check.ts'
import { NEW_SETTINGS } from '../../../src/domain/check/fields.ts'
import { representCheck } from '../../../src/domain/check/representation.ts'
import { aCheck, at, LINKS, NOON } from '../../support/builders.ts'

const applied = (spec: CheckSpec, given: Partial<Check> = {}, deriveSlug = false) =>
  applySpec(aCheck(given), spec, deriveSlug)

test('a new check has the defaults of the API', () => {
  const identity = { id: 'i', projectId: 'p', badgeKey: 'b', publicId: 'x', createdAt: NOON }
  expect(newCheck(identity)).toEqual({
    ...identity,
    ...NEW_SETTINGS,
    kind: 'simple',
    timeoutSeconds: 86_400,
    graceSeconds: 3_600,
    schedule: '* * * * *',
    tz: 'UTC',
    status: 'new',
    nPings: 0,
    nEvents: 0,
    lastPingAt: null,
    lastSuccessAt: null,
    lastStartAt: null,
    lastStartOccurredAt: null,
    lastStartRid: null,
    lastDuration: null,
    sparedUntil: null,
    runs: new Uint8Array(0),
  })
})

describe('a spec', () => {
  test('that is empty changes nothing', () => {
    const check = aCheck({
      name: 'n',
      slug: 's',
      kind: 'cron',
      tz: 'Europe/Riga',
      successKw: 'ok',
      filterSubject: true,
    })
    expect(applySpec(check, {}, true)).toEqual(check)
  })

  test('writes every field it names', () => {
    const spec: CheckSpec = {
      name: 'Nightly',
      slug: 'nightly',
      tags: ' a  b ',
      desc: 'd',
      grace: 60,
      timeout: 120,
      manual_resume: true,
      methods: 'POST',
      start_kw: 's',
      success_kw: 'ok',
      failure_kw: 'f',
      filter_subject: true,
      filter_body: true,
      filter_http_body: true,
      filter_default_fail: true,
    }
    const check = aCheck()
    expect(applySpec(check, spec, false)).toEqual({
      ...check,
      name: 'Nightly',
      slug: 'nightly',
      tags: ' a  b ',
      desc: 'd',
      graceSeconds: 60,
      timeoutSeconds: 120,
      manualResume: true,
      methods: 'POST',
      startKw: 's',
      successKw: 'ok',
      failureKw: 'f',
      filterSubject: true,
      filterBody: true,
      filterHttpBody: true,
      filterDefaultFail: true,
    })
  })

  test('can empty texts and switch flags off', () => {
    const full = { name: 'n', methods: 'POST', successKw: 'ok', manualResume: true, filterHttpBody: true } as const
    const emptied = { name: '', methods: '', success_kw: '', manual_resume: false, filter_http_body: false } as const
    expect(applied(emptied, full)).toEqual(aCheck())
  })

  test('never changes the state or the identity of the check', () => {
    const state = {
      status: 'down',
      nPings: 9,
      nEvents: 3,
      lastPingAt: NOON,
      lastStartAt: at('12:01'),
      lastStartRid: 'r',
      lastDuration: 4,
    } as const
    const everything = { status: 'up', n_pings: 0, id: 'x', uuid: 'x', last_ping: null, badgeKey: 'x', timeout: 60 }
    expect(applied(everything, state)).toEqual(aCheck({ ...state, timeoutSeconds: 60 }))
  })
})

describe('the kind of a check', () => {
  const cron = { kind: 'cron', schedule: '5 4 * * *', timeoutSeconds: 600 } as const

  test.each([
    ['a schedule of five fields makes it cron', {}, { schedule: '0 5 * * *' }, 'cron', 86_400, '0 5 * * *'],
    ['any other makes it OnCalendar', {}, { schedule: 'daily' }, 'oncalendar', 86_400, 'daily'],
    ['blanks around a schedule are kept', {}, { schedule: ' 0 5 * * *\t' }, 'cron', 86_400, ' 0 5 * * *\t'],
    ['a timeout makes it simple and keeps the schedule', cron, { timeout: 60 }, 'simple', 60, '5 4 * * *'],
    ['beside a schedule, a timeout is dropped', cron, { timeout: 60, schedule: 'hourly' }, 'oncalendar', 600, 'hourly'],
    ['a zone alone does not change it', {}, { tz: 'Europe/Riga' }, 'simple', 86_400, '* * * * *'],
    ['a grace time alone does not change it', cron, { grace: 60 }, 'cron', 600, '5 4 * * *'],
  ] as const)('%s', (_, given, spec, kind, timeoutSeconds, schedule) => {
    expect(applied(spec, given)).toMatchObject({ kind, timeoutSeconds, schedule })
  })
})

describe('the zone', () => {
  test('is stored on a simple check too', () => {
    expect(applied({ tz: 'Europe/Riga' })).toMatchObject({ kind: 'simple', tz: 'Europe/Riga' })
  })

  test('with a former name is stored under the current one', () => {
    expect(applied({ tz: 'US/Pacific' }).tz).toBe('America/Los_Angeles')
    expect(applied({ tz: 'Europe/Kiev' }).tz).toBe('Europe/Kyiv')
  })
})

describe('the slug', () => {
  test('does not follow the name when the client sets it', () => {
    expect(applied({ name: 'DB Backup' }, { slug: 'old' }).slug).toBe('old')
  })

  test('is derived from the name in old versions, even if it becomes empty', () => {
    expect(applied({ name: 'DB Backup' }, { slug: 'old' }, true).slug).toBe('db-backup')
    expect(applied({ name: '💾' }, { slug: 'old' }, true).slug).toBe('')
  })

  test('stays in old versions when no name is sent', () => {
    expect(applied({ tags: 't' }, { name: 'DB Backup', slug: 'old' }, true).slug).toBe('old')
  })

  test('in the request overrides the name', () => {
    expect(applied({ name: 'DB Backup', slug: 'mine' }, {}, true).slug).toBe('mine')
    expect(applied({ name: 'DB Backup', slug: '' }, { slug: 'old' }, true).slug).toBe('')
  })
})

describe('a mail without a keyword in its subject', () => {
  const lenient = (...specs: CheckSpec[]) =>
    specs.reduce((check, spec) => applySpec(check, spec, false), aCheck()).mailDefaultSuccess

  test.each<[string, boolean, CheckSpec[]]>([
    ['is a success with subject_fail alone', true, [{ subject_fail: 'ERR' }]],
    ['is a success where subject is set to nothing', true, [{ subject: 'OK', subject_fail: 'ERR' }, { subject: '' }]],
    ['is not with a subject to look for', false, [{ subject: 'OK', subject_fail: 'ERR' }]],
    ['is no longer when a subject to look for is set', false, [{ subject_fail: 'ERR' }, { subject: 'OK' }]],
    ['is no longer when the keywords are removed', false, [{ subject_fail: 'ERR' }, { subject_fail: '' }]],
    ['is not with the fields that replaced these', false, [{ failure_kw: 'ERR', filter_subject: true }]],
    ['is not where both are sent for a new check', false, [{ subject_fail: 'ERR', filter_subject: true }]],
    ['is no longer when a newer field changes', false, [{ subject_fail: 'ERR' }, { filter_body: true }]],
    ['stays what it is when other fields change', true, [{ subject_fail: 'ERR' }, { name: 'n', tags: 't' }]],
  ])('%s', (_, expected, specs) => {
    expect(lenient(...specs)).toBe(expected)
  })

  test('stays the same when a client posts back a response', () => {
    const view = { version: 3, right: 'write', links: LINKS, now: NOON } as const
    for (const spec of [{ subject_fail: 'ERR' }, { failure_kw: 'ERR', filter_subject: true }]) {
      const check = applySpec(aCheck(), spec, false)
      const { timeout: _, ...answer } = representCheck({ check, channelIds: [] }, view)
      expect(applySpec(check, answer as CheckSpec, false)).toEqual(check)
    }
  })
})

describe('the deprecated fields for keywords in subjects', () => {
  const filtering = { successKw: 'ok', failureKw: 'bad', filterSubject: true } as const

  test.each([
    ['store keywords and switch the filter on', {}, { subject: 'yes' }, 'yes', '', true],
    ['switch it on for failures too', {}, { subject_fail: 'no' }, '', 'no', true],
    ['switch it off when nothing is left', filtering, { subject: '', subject_fail: '' }, '', '', false],
    ['leave it on while the other keywords stay', filtering, { subject: '' }, '', 'bad', true],
    ['leave it off when both are and stay empty', {}, { subject: '' }, '', '', false],
    ['give way to what replaces them', {}, { subject: 'a', success_kw: 'b', filter_subject: false }, 'b', '', false],
    ['are judged before what replaces them', {}, { subject: 'a', success_kw: '' }, '', '', true],
    ['leave the filter alone when absent', {}, { success_kw: 'x' }, 'x', '', false],
  ] as const)('%s', (_, given, spec, successKw, failureKw, filterSubject) => {
    expect(applied(spec, given)).toMatchObject({ successKw, failureKw, filterSubject })
  })

  test('leave the body filter alone', () => {
    expect(applied({ subject: 'a' })).toMatchObject({ filterBody: false, filterHttpBody: false, startKw: '' })
  })
})

test('a spec applied twice changes nothing more', () => {
  const specs = fc.record<CheckSpec>(
    {
      name: fc.string(),
      slug: fc.constantFrom('', 'a'),
      timeout: fc.constantFrom(60, 61),
      schedule: fc.constantFrom('* * * * *', 'daily'),
      tz: fc.constantFrom('UTC', 'US/Pacific'),
      subject: fc.constantFrom('', 'a'),
      subject_fail: fc.constantFrom('', 'b'),
      filter_subject: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  const property = fc.property(specs, fc.boolean(), (spec, deriveSlug) => {
    const once = applySpec(aCheck(), spec, deriveSlug)
    expect(applySpec(once, spec, deriveSlug)).toEqual(once)
  })
  fc.assert(property)
})

describe('unique', () => {
  test.each<[string, CheckSpec, [string, string | number][] | null]>([
    ['absent looks for nothing', { name: 'n' }, null],
    ['without fields looks for nothing', { name: 'n', unique: [] }, null],
    ['with a field the body lacks looks for nothing', { name: 'n', unique: ['name', 'tags'] }, null],
    ['compares an empty text that is sent', { name: '', unique: ['name'] }, [['name', '']]],
    [
      'compares every field it lists, each once, as sent',
      {
        name: 'n',
        slug: 's',
        tags: ' t ',
        timeout: 60,
        grace: 61,
        unique: ['grace', 'name', 'slug', 'tags', 'timeout', 'name'],
      },
      [
        ['grace', 61],
        ['name', 'n'],
        ['slug', 's'],
        ['tags', ' t '],
        ['timeout', 60],
      ],
    ],
    ['does not compare what it does not list', { name: 'n', tags: 't', unique: ['tags'] }, [['tags', 't']]],
  ])('%s', (_, spec, criteria) => {
    const found = uniqueCriteria(spec)
    expect<unknown>(found && [...found]).toEqual(criteria)
  })
})
