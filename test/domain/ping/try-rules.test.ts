/** The result for a made-up ping is the same as for a real one. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Check } from '../../../src/domain/check/check.ts'
import { receive } from '../../../src/domain/ping/ping.ts'
import { type Sample, tryRules } from '../../../src/domain/ping/try-rules.ts'
import { aCheck, aSignal, bytes, NOON } from '../../support/builders.ts'

const KEYWORDS = { startKw: 'BEGIN', successKw: 'backup complete', failureKw: 'ERROR, FATAL' } as const
const http = (body: string, more: object = {}): Sample => ({
  via: 'http',
  method: 'POST',
  action: 'success',
  body,
  ...more,
})
const email = (subject: string, body: string): Sample => ({ via: 'email', subject, body })
const tried = (check: Partial<Check>, sample: Sample) => tryRules(aCheck({ ...KEYWORDS, ...check }), sample)

describe('the deciding keyword', () => {
  test('of a body, in its line', () => {
    const { verdict, found } = tried(
      { filterHttpBody: true },
      http('3 files copied\nnow ERROR: disk full\nbackup complete'),
    )
    expect(verdict.kind).toBe('fail')
    expect(found).toEqual({ part: 'body', line: 2, before: 'now ', word: 'ERROR', after: ': disk full' })
  })

  test('of a subject, and of the text below it', () => {
    const both = { filterSubject: true, filterBody: true }
    const found = { line: 1, before: '', after: '' }
    expect(tried(both, email('FATAL', 'ERROR')).found).toEqual({ ...found, part: 'body', word: 'ERROR' })
    expect(tried(both, email('FATAL', 'x')).found).toEqual({ ...found, part: 'subject', word: 'FATAL' })
    expect(tried(both, email('x', 'y\nBEGIN')).found).toEqual({ ...found, part: 'body', line: 2, word: 'BEGIN' })
  })

  test('after a byte order mark, which is not searched', () => {
    expect(tried({ filterHttpBody: true }, http('\ufeffERROR!')).found).toMatchObject({ before: '', after: '!' })
  })

  test('does not exist when another rule decides', () => {
    expect(tried({}, http('ERROR')).found).toBeNull()
    expect(tried({ filterHttpBody: true }, http('error')).found).toBeNull()
    expect(tried({ methods: 'POST', filterHttpBody: true }, http('ERROR', { method: 'GET' })).found).toBeNull()
  })
})

test('a body without a keyword that is longer than what is searched is told apart', () => {
  const long = `${'.'.repeat(9_999)}ERROR`
  expect(tried({ filterHttpBody: true }, http(long))).toMatchObject({ verdict: { kind: 'ign' }, isCut: true })
  expect(tried({ filterHttpBody: true }, http(`ERROR${long}`))).toMatchObject({
    verdict: { kind: 'fail' },
    isCut: false,
  })
  expect(tried({}, http(long)).isCut).toBe(false)
  expect(tried({ filterBody: true }, email('', long))).toMatchObject({ verdict: { kind: 'fail' }, isCut: false })
})

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', ' ', '\n', ',', 'é', '💾'), { maxLength: 12 })
  .map((all) => all.join(''))
const list = fc.array(fc.constantFrom('a', 'b', 'c', ' ', ',', 'é', '💾'), { maxLength: 6 }).map((all) => all.join(''))
const rules = fc.record({
  status: fc.constantFrom('new', 'up', 'down', 'paused'),
  manualResume: fc.boolean(),
  methods: fc.constantFrom('', 'POST'),
  startKw: list,
  successKw: list,
  failureKw: list,
  filterSubject: fc.boolean(),
  filterBody: fc.boolean(),
  filterHttpBody: fc.boolean(),
  filterDefaultFail: fc.boolean(),
  mailDefaultSuccess: fc.boolean(),
})
const samples: fc.Arbitrary<Sample> = fc.oneof(
  fc.record({
    via: fc.constant('http'),
    method: fc.constantFrom('GET', 'POST', 'PUT'),
    action: fc.constantFrom('success', 'start', 'fail', 'log'),
    body: text,
  }),
  fc.record({ via: fc.constant('email'), subject: text.map((words) => words.replaceAll('\n', '')), body: text }),
)

test('a trial finds what the ping will be when it comes, and its line is a line of the text', () => {
  fc.assert(
    fc.property(rules, samples, (given, sample) => {
      const check = aCheck(given)
      const { verdict, found } = tryRules(check, sample)
      const signal =
        sample.via === 'email'
          ? aSignal({ method: '', mail: { subject: sample.subject, body: sample.body } })
          : aSignal({
              method: sample.method,
              action: sample.action,
              body: sample.body === '' ? null : bytes(sample.body),
            })
      expect(receive(check, signal, NOON).ping.kind).toBe(verdict.kind)
      expect(found !== null).toBe(verdict.by.name === 'keyword')
      if (found === null) return
      const whole = sample.via === 'email' && found.part === 'subject' ? sample.subject : sample.body
      expect(whole.split('\n')[found.line - 1]).toBe(found.before + found.word + found.after)
    }),
  )
})
