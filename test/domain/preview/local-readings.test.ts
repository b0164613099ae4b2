import { expect, test } from 'bun:test'
import { localReadings } from '../../../src/domain/preview/local-readings.ts'
import { Temporal } from '../../../src/lib/time.ts'

const ms = (text: string) => Temporal.Instant.from(text).epochMilliseconds

test('the clocks of every zone are read as Temporal reads them, across their changes', () => {
  const zones = ['Europe/Riga', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kathmandu', 'Africa/Casablanca', 'UTC']
  const moments = Array.from({ length: 700 }, (_, index) => ms('2025-12-01T00:20:00Z') + index * 61_200_000)
  for (const zone of zones) {
    const expected = moments.map((moment) => {
      const local = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).toPlainDateTime()
      return ms(`${local}Z`)
    })
    expect(localReadings(zone, moments)).toEqual(expected)
  }
})

test('a moment at which clocks change is read as after the change', () => {
  const change = ms('2026-03-29T01:00:00Z')
  expect(localReadings('Europe/Riga', [change - 1_000, change])).toEqual([
    ms('2026-03-29T02:59:59Z'),
    ms('2026-03-29T04:00:00Z'),
  ])
  expect(localReadings('Europe/Riga', [])).toEqual([])
})
