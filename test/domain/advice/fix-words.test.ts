/** Words for advice in lists, for the buttons of fixes, and for settings that were applied. */
import { expect, test } from 'bun:test'
import type { FixedSettings } from '../../../src/domain/advice/advice.ts'
import { adviceWords, fixedWords, fixLabel, readingLabel } from '../../../src/domain/advice/fix-words.ts'

const label = (settings: FixedSettings) => fixLabel({ do: 'set', settings })

test('a button says all that it sets, the schedule in words', () => {
  expect(label({ tz: 'America/New_York' })).toBe('Set the zone to America/New York')
  expect(label({ grace: 6_300 })).toBe('Set grace to 1 h 45 min')
  expect(label({ timeout: 300, grace: 600 })).toBe('Expect a run every 5 min, grace 10 min')
  expect(label({ timeout: 86_400 })).toBe('Expect a run every day')
  expect(label({ schedule: '0 18 * * 1-5' })).toBe('Set to weekdays at 18:00')
  expect(label({ schedule: '0 5 * * *', grace: 600 })).toBe('Set to daily at 05:00, grace 10 min')
  expect(label({ schedule: '0 5 * * *', tz: 'Europe/Riga' })).toBe('Set to daily at 05:00, zone Europe/Riga')
  expect(label({ methods: 'POST' })).toBe('Accept only POST')
  expect(fixLabel({ do: 'text', text: 'rid' })).toBe('Add a run id')
})

test('another reading says what it would mean', () => {
  const reading = (settings: FixedSettings) => readingLabel({ do: 'set', settings })
  expect(reading({ schedule: '0 18 * * 1-5' })).toBe('It runs on weekdays at 18:00')
  expect(reading({ schedule: '0 4 1 * *' })).toBe('It runs on the 1st of the month at 04:00')
  expect(reading({ grace: 3_600 })).toBe('It takes that long')
  expect(reading({ tz: 'UTC' })).toBe('Set the zone to UTC')
})

test('all that was set is said', () => {
  expect(fixedWords({ timeout: 300, grace: 600 })).toBe('Period set to 5 minutes, grace set to 10 min.')
  expect(fixedWords({ schedule: '0 18 * * 1-5' })).toBe('Schedule set to weekdays at 18:00.')
  expect(fixedWords({ methods: '' })).toBe('All methods count.')
})

test('a mark in a list says of a variant only what is true of it', () => {
  expect(adviceWords({ kind: 'untold', variant: 'none' })).toBe('alerts no one')
  expect(adviceWords({ kind: 'untold', variant: 'partly' })).toBe('an integration alerts no one')
  expect(adviceWords({ kind: 'text', variant: 'step' })).toBe('the schedule may be wrong')
  expect(adviceWords({ kind: 'text', variant: 'clocks' })).toBe('the clocks change soon')
  expect(adviceWords({ kind: 'flapping', variant: 'turns' })).toBe('fails again and again')
})
