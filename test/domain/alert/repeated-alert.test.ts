/** Alerts that repeat, and the advice that they include. */
import { describe, expect, test } from 'bun:test'
import type { Advice } from '../../../src/domain/advice/advice.ts'
import type { AdviceState } from '../../../src/domain/advice/stored-advice.ts'
import { flipAdviceText, flipSentenceText, withoutBody } from '../../../src/domain/alert/flip-sentence.ts'
import { adviceOfAlert } from '../../../src/domain/alert/repeated-alert.ts'
import type { FlipReason } from '../../../src/domain/check/flip.ts'
import { aFlip, anAlert, at } from '../../support/builders.ts'

const GRACE: Advice = {
  kind: 'grace',
  variant: 'runs',
  says: ['Takes up to ', { took: 5_220 }, ', but grace is ', { took: 3_600 }, '.', { toEditors: [' By 10.0.0.5.'] }],
  fix: { do: 'set', settings: { grace: 6_300 } },
  otherFixes: [],
}
const UNTOLD: Advice = { ...GRACE, kind: 'untold', fix: { do: 'ask', about: 'channels' } }

const state = (over: Partial<AdviceState> = {}): AdviceState => ({
  advice: [GRACE],
  putOff: [],
  fixed: null,
  changedAt: at('00:00').epochMilliseconds,
  ...over,
})
const downs = (...reasons: FlipReason[]) =>
  reasons.map((reason, index) => aFlip({ createdAt: at(`0${9 - index}:00`), reason }))
const now = at('12:00').epochMilliseconds

describe('an alert', () => {
  test('carries advice from the third equal one on', () => {
    expect(adviceOfAlert(downs('timeout', 'timeout'), state(), now)).toBeNull()
    expect(adviceOfAlert(downs('timeout', 'timeout', 'timeout'), state(), now)).toBe(GRACE)
    expect(adviceOfAlert(downs('timeout', 'fail', 'timeout'), state(), now)).toBeNull()
  })

  test('carries none that a change of the timing may have mended, and none that was put off', () => {
    const three = downs('timeout', 'timeout', 'timeout')
    expect(adviceOfAlert(three, state({ changedAt: at('07:30').epochMilliseconds }), now)).toBeNull()
    const putOff = [{ kind: GRACE.kind, variant: GRACE.variant, fix: GRACE.fix, until: now + 1, by: 'ann@example.org' }]
    expect(adviceOfAlert(three, state({ putOff }), now)).toBeNull()
    expect(adviceOfAlert(three, state({ putOff }), now + 1)).toBe(GRACE)
  })

  test('carries none that does not tell why it comes', () => {
    const three = downs('fail', 'fail', 'fail')
    expect(adviceOfAlert(three, state({ advice: [UNTOLD] }), now)).toBeNull()
    expect(adviceOfAlert(three, state({ advice: [UNTOLD, GRACE] }), now)).toBe(GRACE)
    expect(adviceOfAlert(three, null, now)).toBeNull()
  })

  test('says it after its own sentence, without addresses', () => {
    const [plain, repeated] = [anAlert(), anAlert({ advice: GRACE })]
    const said = 'Takes up to 1 h 27 min, but grace is 1 h.'
    expect(repeated.message.sentence).toBe(`${plain.message.sentence} ${said}`)
    expect([flipAdviceText(plain, plain.now), flipAdviceText(repeated, repeated.now)]).toEqual([null, said])
  })

  test('that is short leaves it out', () => {
    expect(flipSentenceText(withoutBody(anAlert({ advice: GRACE })), at('12:00'))).not.toContain('Takes')
  })
})
