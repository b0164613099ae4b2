/** The reported cost of flapping: the number of alerts. */
import { expect, test } from 'bun:test'
import type { Facts } from '../../../../src/domain/advice/facts.ts'
import { DAY, facts, HOUR, nightly, START, said } from '../facts.ts'

const DAYS = 12
const NOW = START + DAYS * DAY
/** The log of a job that fails every other night. */
const log = nightly(DAYS, (day) => (day % 2 === 1 ? { kind: 'fail' } : {}))
const flapping = (held: Facts['held']) => said(facts({ log, held }), NOW)
const [first, second] = [log[1]?.at ?? 0, log[2]?.at ?? 0]

test('an incident that nobody was told of counts as changes and not as messages', () => {
  expect(flapping([])).toStartWith('6 of the last 12 runs failed: 11 changes and 11 messages in ')
  expect(flapping([{ from: first, until: second }])).toContain('11 changes and 9 messages')
  expect(flapping([{ from: first - HOUR, until: first - 1 }])).toContain('11 changes and 11 messages')
})

test('of a job whose incidents were all held it says nothing of messages', () => {
  expect(flapping([{ from: START, until: NOW }])).toStartWith('6 of the last 12 runs failed: 11 changes in ')
})
