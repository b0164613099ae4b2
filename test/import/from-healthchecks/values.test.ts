import { describe, expect, test } from 'bun:test'
import {
  addressOf,
  durationOf,
  flagOf,
  instantOf,
  integerOf,
  uuidOf,
} from '../../../src/import/from-healthchecks/values.ts'

const HOUR = 3_600_000_000

describe('a value of a column', () => {
  test.each([
    ['2026-05-04 10:00:13.721545', '2026-05-04T10:00:13.721545Z'],
    ['2026-05-04 10:00:13', '2026-05-04T10:00:13Z'],
    ['2026-05-04 10:00:13.7+00', '2026-05-04T10:00:13.7Z'],
    ['2026-05-04 12:00:13.721545+02', '2026-05-04T10:00:13.721545Z'],
    ['2026-05-04 04:30:13-05:30', '2026-05-04T10:00:13Z'],
    ['2026-05-04T10:00:13.721545Z', '2026-05-04T10:00:13.721545Z'],
  ])('%s is the instant %s', (text, instant) => {
    expect(instantOf(text)?.toString()).toBe(instant)
  })

  test.each(['infinity', '', 'yesterday', '2026-05-04', null, undefined])('%p is no instant', (text) => {
    expect(instantOf(text)).toBeNull()
  })

  test.each([
    ['3600000000', HOUR],
    ['01:00:00', HOUR],
    ['1 day', 24 * HOUR],
    ['-1 days +01:00:00', null],
    ['7 days 12:00:00', 180 * HOUR],
    ['00:11:37.560951', 697_560_951],
    ['-00:00:01', -1_000_000],
    ['', null],
    [null, null],
  ])('%p is a duration of %p microseconds', (text, microseconds) => {
    expect(durationOf(text)).toBe(microseconds)
  })

  test('is a UUID with hyphens or without', () => {
    const uuid = '222ddc36-28c0-419c-8600-14f871d3705d'
    expect(uuidOf('222DDC3628C0419C860014F871D3705D')).toBe(uuid)
    expect(uuidOf(uuid)).toBe(uuid)
    expect(uuidOf('222ddc36')).toBeNull()
  })

  test('is a flag in the words of each engine', () => {
    expect(['1', 't', 'true', '0', 'f', 'false', null, undefined].map(flagOf)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })

  test('is an address, of which PostgreSQL tells the mask', () => {
    expect(['203.0.113.5/32', '2001:db8::1/128', '203.0.113.5', '', null].map(addressOf)).toEqual([
      '203.0.113.5',
      '2001:db8::1',
      '203.0.113.5',
      null,
      null,
    ])
  })

  test('is a whole number only if it is a safe one', () => {
    expect(['12', '-3', '1.5', '99999999999999999999', '', null].map(integerOf)).toEqual([
      12,
      -3,
      null,
      null,
      null,
      null,
    ])
  })
})
