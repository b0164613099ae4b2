import { expect, test } from 'bun:test'
import { silencedBy } from '../../../src/domain/silence/silenced-by.ts'
import { aCheck, aSilence, at, NOON } from '../../support/builders.ts'

const check = aCheck()
const silence = (hours: number, over = {}) =>
  aSilence({ startsAt: NOON, endsAt: NOON.add({ hours }), match: { checks: [check.id], tags: [] }, ...over })

test('a check is muted by the silence that lets go last', () => {
  const last = silence(3)
  const silences = [silence(1), last, silence(2)]
  expect(silencedBy(silences, check, NOON.add({ minutes: 30 }))).toEqual({ silence: last, until: at('15:00') })
})

test('a check is not muted by one that has ended, holds only warnings, or is about others', () => {
  const others = [
    silence(1, { match: { checks: [crypto.randomUUID()], tags: [] } }),
    silence(1, { upTo: 'warning' }),
    silence(-1, { startsAt: NOON.subtract({ hours: 2 }) }),
  ]
  expect(silencedBy(others, check, NOON)).toBeNull()
  expect(silencedBy([], check, NOON)).toBeNull()
})
