/** Pings of the log, judged again by tried rules. */
import { describe, expect, test } from 'bun:test'
import type { PingRules } from '../../../src/domain/ping/classify.ts'
import { type KeptPing, rereadPing } from '../../../src/domain/ping/reread.ts'
import { aCheck, bytes } from '../../support/builders.ts'

const kept = (given: Partial<KeptPing> = {}): KeptPing => ({
  ...{ kind: 'success', ignoredBy: null, method: 'GET', contentType: null, searched: null, mail: null },
  ...given,
})
const rules = (given: Partial<PingRules> = {}): PingRules => aCheck(given)
const reread = (ping: KeptPing, tried: Partial<PingRules>, present: Partial<PingRules> = {}) =>
  rereadPing(ping, rules(present), rules(tried))

const KEYWORDS = { filterHttpBody: true, failureKw: 'ERROR' } as const

describe('a ping of the log', () => {
  test('keeps its kind where its URL decides, and is ignored where its method does not count', () => {
    expect(reread(kept({ kind: 'fail' }), {})).toBe('fail')
    expect(reread(kept(), { methods: 'POST' })).toBe('ign')
    expect(reread(kept({ method: 'POST' }), { methods: 'POST' })).toBe('success')
  })

  test('is what its body says, whatever it was taken for', () => {
    for (const kind of ['success', 'ign', 'start'] as const) {
      expect(reread(kept({ kind, searched: bytes('an ERROR') }), KEYWORDS)).toBe('fail')
      expect(reread(kept({ kind, searched: bytes('fine') }), KEYWORDS)).toBe('ign')
    }
    const mail = { subject: 'an ERROR', body: '' }
    expect(reread(kept({ mail }), { ...KEYWORDS, filterSubject: true })).toBe('fail')
    expect(reread(kept({ kind: 'ign', mail }), {})).toBe('success')
  })

  test('is unknown where its URL would decide and was not looked at', () => {
    expect(reread(kept({ kind: 'ign', ignoredBy: 'method' }), {}, { methods: 'POST' })).toBeNull()
    expect(reread(kept({ kind: 'success' }), {}, KEYWORDS)).toBeNull()
  })

  test('that came during a pause stays ignored', () => {
    expect(reread(kept({ kind: 'ign', ignoredBy: 'pause', searched: bytes('ERROR') }), KEYWORDS)).toBe('ign')
  })
})
