/** Names of time zones: which are accepted, which are replaced, and whether Temporal knows all of them. */
import { expect, test } from 'bun:test'
import { canonicalTimeZone, isTimeZone, legacyTimeZones, timeZones } from '../../../src/domain/schedule/time-zones.ts'
import { Temporal } from '../../../src/lib/time.ts'

test('there are 483 current names and 113 former ones, and none is both', () => {
  expect(new Set(timeZones).size).toBe(483)
  expect(timeZones).toHaveLength(483)
  expect(legacyTimeZones.size).toBe(113)
  expect(timeZones.filter((name) => legacyTimeZones.has(name))).toEqual([])
})

test('a current name stays', () => {
  for (const name of ['UTC', 'GMT', 'Etc/GMT+5', 'Europe/Riga', 'America/Argentina/Buenos_Aires']) {
    expect(canonicalTimeZone(name)).toBe(name)
  }
})

test('a former name becomes a current one', () => {
  expect(canonicalTimeZone('Europe/Kiev')).toBe('Europe/Kyiv')
  expect(canonicalTimeZone('UCT')).toBe('Etc/UTC')
  expect(canonicalTimeZone('CET')).toBe('Europe/Brussels')
  for (const present of legacyTimeZones.values()) expect(canonicalTimeZone(present)).toBe(present)
})

test('letter case counts; offsets, abbreviations and files beside the zones are not names', () => {
  const others = ['utc', 'europe/riga', 'Z', '+03:00', 'EEST', 'Factory', 'localtime', 'posixrules', 'posix/UTC']
  for (const name of [...others, 'Europe', 'Europe/', 'America/Coyhaique', '', ' UTC', 'constructor']) {
    expect({ name, canonical: canonicalTimeZone(name) }).toEqual({ name, canonical: null })
    expect(isTimeZone(name)).toBe(false)
  }
})

test('Temporal has data for every name, former ones too', () => {
  const now = Temporal.Instant.from('2026-01-01T00:00:00Z')
  for (const name of [...timeZones, ...legacyTimeZones.keys()]) {
    expect(now.toZonedDateTimeISO(name).timeZoneId).toBe(name)
  }
})
