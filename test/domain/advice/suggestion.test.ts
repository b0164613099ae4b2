/** The timing that advice proposes, for the check's settings and for trial settings. */
import { expect, test } from 'bun:test'
import { readCase } from '../../../src/domain/advice/cases.ts'
import { suggestTiming } from '../../../src/domain/advice/suggestion.ts'
import { doctorLines } from './vectors.ts'

/** A job that runs at 03:00 UTC, with a check that expects it at 03:00 in Berlin. */
const line = doctorLines().find(({ name }) => name === 'woken: zone to UTC')?.line ?? ''
const { facts, tried, now } = readCase(line)
const inUtc = tried ?? facts.check

test('a fix of the timing is proposed with its advice, and all that it does not change stays', () => {
  const found = suggestTiming(facts, facts.check, now)
  expect(found?.advice.kind).toBe('zone')
  expect(found?.timing).toEqual(inUtc)
})

test('a timing that fits is left as it is', () => {
  expect(suggestTiming(facts, inUtc, now)).toBeNull()
})

test('another timing is held against the whole log, and that of the check only against what came since it was set', () => {
  const changed = { ...facts, check: { ...facts.check, changedAt: now } }
  expect(suggestTiming(changed, facts.check, now)).toBeNull()
  expect(suggestTiming(changed, { ...facts.check, graceSeconds: 600 }, now)?.timing).toEqual({
    ...inUtc,
    graceSeconds: 600,
  })
})

test('a fix that changes something else is no proposal', () => {
  const emptied = { ...facts, log: [] }
  expect(suggestTiming(emptied, facts.check, now)).toBeNull()
})
