/** Tests of the preloaded `toMatchObject`. If it took any instant for any other, the tests that expect instants would always pass. */
import { describe, expect, test } from 'bun:test'
import { Temporal } from '../../src/lib/time.ts'

/** Makes a value of each kind without enumerable members from a number; equal numbers make equal values. */
const KINDS: Readonly<Record<string, (number: number) => unknown>> = {
  instant: (number) => Temporal.Instant.fromEpochMilliseconds(number),
  zonedDateTime: (number) => new Temporal.ZonedDateTime(BigInt(number), 'Europe/Athens'),
  plainDate: (number) => new Temporal.PlainDate(2026, 3, number),
  duration: (number) => Temporal.Duration.from({ minutes: number }),
  date: (number) => new Date(number),
  map: (number) => new Map([[number, 'a']]),
  set: (number) => new Set([number]),
  expression: (number) => new RegExp(`a{${number}}`),
  error: (number) => new Error(`after ${number} attempts`),
}

describe.each(Object.entries(KINDS))('%s', (_kind, value) => {
  test('matches the same value', () => {
    expect({ value: value(1), more: 1 }).toMatchObject({ value: value(1) })
    expect([{ inner: [value(1)], more: 1 }]).toMatchObject([{ inner: [value(1)] }])
  })

  test('does not match another one, at any depth', async () => {
    expect({ value: value(1) }).not.toMatchObject({ value: value(2) })
    expect([{ inner: [value(1)] }]).not.toMatchObject([{ inner: [value(2)] }])
    expect(() => expect({ value: value(1) }).toMatchObject({ value: value(2) })).toThrow()
    await expect(Promise.resolve({ value: value(1) })).resolves.not.toMatchObject({ value: value(2) })
  })
})

test('what is expected may still leave members out and hold matchers', () => {
  const sent = { job: 'backup', to: { email: 'a@example.org', name: 'Ada' } }
  expect(sent).toMatchObject({ to: { email: expect.stringContaining('@') } })
  expect(sent).not.toMatchObject({ to: { email: expect.stringContaining('#') } })
  expect(sent).not.toMatchObject({ to: { phone: undefined } })
})
