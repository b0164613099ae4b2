import { expect, test } from 'bun:test'
import { cleared } from '../../../src/domain/check/clear.ts'
import {
  type Fingerprint,
  fingerprintAfter,
  fingerprintOf,
  minus,
  NO_CHECKS,
  plus,
} from '../../../src/domain/check/fingerprint.ts'
import { aCheck, NOON } from '../../support/builders.ts'

const found = (given: Parameters<typeof aCheck>[0] = {}, channelIds: readonly string[] = []) => ({
  check: aCheck({ status: 'up', nPings: 5, ...given }),
  channelIds,
})
const seenAs = (publicId: string) => fingerprintOf(found({ publicId }))
const [a, b, c] = [seenAs('a'), seenAs('b'), seenAs('c')]
const sum = (...parts: readonly Fingerprint[]) => parts.reduce(plus, NO_CHECKS)

test('checks are the same in any order, and after one was taken out and added again', () => {
  const all = sum(a, b, c)
  expect(sum(c, a, b)).toEqual(all)
  expect(sum(minus(all, b), b)).toEqual(all)
  expect(sum(a, b)).not.toEqual(all)
  expect(sum(a, a, c)).not.toEqual(all)
})

test('whatever people change changes the settings', () => {
  const before = found({ name: 'Backup', tags: 'a b' }, ['x', 'y'])
  const { settings } = fingerprintOf(before)
  const edits = [
    found({ name: 'Sync', tags: 'a b' }, ['x', 'y']),
    found({ name: 'Backup', tags: 'a' }, ['x', 'y']),
    found({ name: 'Backup', tags: 'a b', graceSeconds: 61 }, ['x', 'y']),
    found({ name: 'Backup', tags: 'a b' }, ['x']),
    found({ name: 'Backup', tags: 'a b', status: 'paused' }, ['x', 'y']),
    { ...before, check: cleared(before.check) },
  ]
  for (const edit of edits) expect(fingerprintOf(edit).settings).not.toBe(settings)
  expect(fingerprintOf({ ...before, channelIds: ['y', 'x'] }).settings).toBe(settings)
})

test('of a description the length and the beginning count, however long it is', () => {
  const long = 'x'.repeat(1_000_000)
  const settingsOf = (desc: string) => fingerprintOf(found({ desc })).settings
  for (const desc of ['', 'x', `${long}.`, `.${long.slice(1)}`]) expect(settingsOf(desc)).not.toBe(settingsOf(long))
  expect(settingsOf(`${long.slice(1)}.`)).toBe(settingsOf(long))
})

test('pings, flips and what is done after an outage change the activity alone, and never back', () => {
  const states = [
    found({}),
    found({ sparedUntil: NOON }),
    found({ nPings: 6 }),
    found({ nPings: 6, sparedUntil: NOON }),
    found({ nPings: 7, nEvents: 1, status: 'down', lastStartAt: NOON }),
  ].map(fingerprintOf)
  expect(new Set(states.map(({ settings }) => settings)).size).toBe(1)
  const activities = states.map(({ activity }) => activity)
  expect(activities).toEqual([...new Set(activities)].toSorted((one, other) => one - other))
})

test('what a check is after a change is known without its settings', () => {
  const before = found({ status: 'new', nPings: 0 })
  for (const after of [found({ status: 'new', nPings: 1 }), found({ nPings: 1 }), found({ status: 'paused' })])
    expect(fingerprintAfter(fingerprintOf(before), before, after)).toEqual(fingerprintOf(after))
})
