/** The kind of ping of a signal, and the rule that decides: manual resume, then methods, then keywords, then the URL. */
import { describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { classify } from '../../../src/domain/ping/classify.ts'
import type { Action, Signal } from '../../../src/domain/ping/signal.ts'
import { aCheck, aSignal, bytes } from '../../support/builders.ts'

const ACTIONS: readonly Action[] = ['success', 'start', 'fail', 'log']
const kind = (check: Partial<Check>, signal: Partial<Signal> = {}) => classify(aCheck(check), aSignal(signal)).kind

test.each(ACTIONS)('without settings the URL decides: %s', (action) => {
  expect(kind({}, { action, body: bytes('failed') })).toBe(action)
})

describe('a check that requires POST', () => {
  const check = { methods: 'POST' } as const

  test.each(['GET', 'HEAD', 'PUT', 'OPTIONS', 'DELETE', 'post'])('ignores %s', (method) => {
    for (const action of ACTIONS) expect(kind(check, { action, method })).toBe('ign')
  })

  test('accepts POST', () => {
    expect(kind(check, { action: 'fail', method: 'POST' })).toBe('fail')
  })

  test('ignores other methods before it looks for keywords', () => {
    const filtering = { ...check, filterHttpBody: true, filterDefaultFail: true, failureKw: 'x' }
    expect(kind(filtering, { method: 'GET', body: bytes('x') })).toBe('ign')
    expect(kind(filtering, { method: 'POST', body: bytes('x') })).toBe('fail')
  })
})

test.each(['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS'])('a check with the default methods accepts %s', (method) => {
  expect(kind({}, { method })).toBe('success')
})

describe('a paused check', () => {
  test('with manual resume ignores everything, keywords and logs included', () => {
    const check = { status: 'paused', manualResume: true, filterHttpBody: true, successKw: 'ok' } as const
    for (const action of ACTIONS) expect(kind(check, { action, body: bytes('ok') })).toBe('ign')
  })

  test('without manual resume ignores nothing', () => {
    for (const action of ACTIONS) expect(kind({ status: 'paused' }, { action })).toBe(action)
  })

  test.each(['new', 'up', 'down'] as const)('only: one that is %s accepts pings despite manual resume', (status) => {
    expect(kind({ status, manualResume: true })).toBe('success')
  })
})

describe('a request for a silence', () => {
  const asked = { action: 'log', silence: { seconds: 1_200, untilHealthy: false } } as const

  test('is logged, whatever keywords the check looks for', () => {
    expect(kind({ filterHttpBody: true, successKw: 'ok' }, asked)).toBe('log')
    expect(kind({ filterHttpBody: true, filterDefaultFail: true }, { action: 'log', silence: 'end' })).toBe('log')
    expect(kind({ filterHttpBody: true, failureKw: 'failed' }, { ...asked, body: bytes('failed') })).toBe('log')
  })

  test('is ignored by another method than the check requires, and by a pause that only a person ends', () => {
    expect(kind({ methods: 'POST' }, asked)).toBe('ign')
    expect(kind({ status: 'paused', manualResume: true }, asked)).toBe('ign')
  })
})

describe('keywords in the body', () => {
  const check = { filterHttpBody: true, startKw: 'begin', successKw: 'ok, done', failureKw: 'failed,Error' } as const

  test.each([
    ['begin', 'start'],
    ['all ok', 'success'],
    ['all done', 'success'],
    ['failed', 'fail'],
    ['begin, ok', 'success'],
    ['ok, but begin failed', 'fail'],
    ['broken', 'success'],
    ['OK error', 'ign'],
    ['', 'ign'],
  ] as const)('%p is %p', (body, expected) => {
    expect(kind(check, { body: bytes(body) })).toBe(expected)
  })

  test.each(ACTIONS)('replace what the URL said: %s', (action) => {
    expect(kind(check, { action, body: bytes('failed') })).toBe('fail')
    expect(kind(check, { action, body: bytes('ok') })).toBe('success')
    expect(kind(check, { action, body: bytes('nothing') })).toBe('ign')
    expect(kind({ ...check, filterDefaultFail: true }, { action, body: bytes('nothing') })).toBe('fail')
  })

  test('replace an exit status', () => {
    expect(kind(check, { action: 'fail', exitStatus: 1, body: bytes('ok') })).toBe('success')
  })

  test('are not found without a body', () => {
    expect(kind(check, { body: null })).toBe('ign')
    expect(kind({ ...check, filterDefaultFail: true }, { body: null })).toBe('fail')
  })

  test('do not count while only mail is filtered', () => {
    const mail = { ...check, filterHttpBody: false, filterSubject: true, filterBody: true, filterDefaultFail: true }
    expect(kind(mail, { body: bytes('failed') })).toBe('success')
  })

  test('are searched in the first 10 kB only', () => {
    expect(kind(check, { body: bytes(`${'.'.repeat(9998)}ok`) })).toBe('success')
    expect(kind(check, { body: bytes(`${'.'.repeat(9999)}ok`) })).toBe('ign')
  })

  test('are found between bytes that are not UTF-8', () => {
    expect(kind(check, { body: new Uint8Array([0xff, 0xc3, ...bytes('ok'), 0xe2, 0x82]) })).toBe('success')
  })

  test('may be written in any script', () => {
    expect(kind({ ...check, successKw: 'готово' }, { body: bytes('всё готово 💾') })).toBe('success')
  })
})

describe('a mail', () => {
  const keywords = { startKw: 'BEGIN', successKw: 'OK, done', failureKw: 'FAILED' } as const
  const mailKind = (check: Partial<Check>, subject: string, body = '') =>
    kind(check, { method: '', scheme: 'email', body: bytes('FAILED'), mail: { subject, body } })

  test('is a success without an email filter, whatever it says and whatever HTTP pings need', () => {
    const check = { ...keywords, filterHttpBody: true, filterDefaultFail: true, methods: 'POST' } as const
    expect(mailKind(check, 'FAILED', 'FAILED')).toBe('success')
  })

  test.each([
    ['BEGIN', 'start'],
    ['all OK', 'success'],
    ['BEGIN, done', 'success'],
    ['OK, but BEGIN FAILED', 'fail'],
    ['ok, Failed', 'ign'],
    ['', 'ign'],
  ] as const)('with the subject %p is %p', (subject, expected) => {
    expect(mailKind({ ...keywords, filterSubject: true }, subject)).toBe(expected)
  })

  test('is searched only where the check says', () => {
    const subject = { ...keywords, filterSubject: true }
    const body = { ...keywords, filterBody: true }
    expect([mailKind(subject, 'x', 'FAILED'), mailKind(body, 'x', 'FAILED')]).toEqual(['ign', 'fail'])
    expect([mailKind(subject, 'OK', 'x'), mailKind(body, 'OK', 'x')]).toEqual(['success', 'ign'])
    const both = { ...subject, ...body }
    expect([mailKind(both, 'OK', 'x'), mailKind(both, 'x', 'OK'), mailKind(both, 'OK', 'FAILED')]).toEqual([
      'success',
      'success',
      'fail',
    ])
  })

  test('that arrived before the check had a filter stays a success', () => {
    const check = { ...keywords, filterSubject: true, filterDefaultFail: true }
    expect(kind(check, { method: '', scheme: 'email', mail: 'unread' })).toBe('success')
  })

  test('finds no keyword across subject and body', () => {
    expect(mailKind({ ...keywords, filterSubject: true, filterBody: true }, 'O', 'K')).toBe('ign')
  })

  test('without a keyword is a failure if the check says so', () => {
    expect(mailKind({ ...keywords, filterBody: true, filterDefaultFail: true }, 'OK')).toBe('fail')
  })

  test('without a keyword is a success if the deprecated fields say so', () => {
    const check = { failureKw: 'ERR', filterSubject: true, mailDefaultSuccess: true } as const
    expect(['ERR', 'all well', ''].map((subject) => mailKind(check, subject))).toEqual(['fail', 'success', 'success'])
    expect(mailKind({ ...check, filterDefaultFail: true }, 'all well')).toBe('fail')
    expect(kind({ ...check, filterHttpBody: true }, { body: bytes('all well') })).toBe('ign')
  })

  test('is searched beyond the 10 kB of an HTTP body', () => {
    expect(mailKind({ ...keywords, filterBody: true }, '', `${'x'.repeat(100_000)}OK`)).toBe('success')
  })

  test('is ignored by a paused check with manual resume', () => {
    const paused = { ...keywords, status: 'paused', manualResume: true } as const
    expect(mailKind({ ...paused, filterSubject: true }, 'FAILED')).toBe('ign')
    expect(mailKind(paused, 'FAILED')).toBe('ign')
  })
})

describe('the rule that decided', () => {
  const keywords = { startKw: 'BEGIN', successKw: 'OK, done', failureKw: 'FAILED' } as const
  const by = (check: Partial<Check>, signal: Partial<Signal> = {}) =>
    classify(aCheck({ ...keywords, ...check }), aSignal(signal)).by
  const mail = (subject: string, body: string) => ({ method: '', mail: { subject, body } })

  test.each([
    ['a pause', by({ status: 'paused', manualResume: true, methods: 'POST' }), { name: 'pause' }],
    ['a method', by({ methods: 'POST', filterHttpBody: true }, { body: bytes('OK') }), { name: 'method' }],
    ['the URL', by({}, { action: 'fail', body: bytes('OK') }), { name: 'url' }],
    ['no filter for emails', by({ filterHttpBody: true }, mail('OK', 'FAILED')), { name: 'email' }],
    ['no keyword', by({ filterHttpBody: true }, { body: bytes('ok') }), { name: 'no-keyword' }],
    [
      'no keyword, which is a failure',
      by({ filterBody: true, filterDefaultFail: true }, mail('OK', '')),
      { name: 'no-keyword' },
    ],
  ] as const)('is %s', (_, rule, expected) => {
    expect(rule).toEqual(expected)
  })

  test('is a keyword, with its place in the body', () => {
    expect(by({ filterHttpBody: true }, { body: bytes('all\ndone, OK, OK') })).toEqual({
      name: 'keyword',
      // The first keyword of the list, wherever others occur.
      word: 'OK',
      part: 'body',
      at: 10,
    })
  })

  test('is a keyword, with its place in the subject or the text of an email', () => {
    const both = { filterSubject: true, filterBody: true }
    const found = (word: string, part: 'subject' | 'body', at: number) => ({ name: 'keyword', word, part, at }) as const
    expect(by(both, mail('is OK', 'well done'))).toEqual(found('OK', 'subject', 3))
    expect(by(both, mail('is OK', 'FAILED'))).toEqual(found('FAILED', 'body', 0))
    expect(by(both, mail('', 'is OK'))).toEqual(found('OK', 'body', 3))
    expect(by({ filterSubject: true }, mail('is OK', 'FAILED'))).toEqual(found('OK', 'subject', 3))
    expect(by({ filterBody: true }, mail('FAILED', 'is OK'))).toEqual(found('OK', 'body', 3))
  })
})
