import { describe, expect, test } from 'bun:test'
import { editDistance, misspellings } from '../../src/domain/spelling.ts'

const KNOWN = ['HOST', 'PORT', 'PING_LOG_LIMIT', 'PING_LOG_LIMIT_FILE', 'API_RATE_LIMIT', 'OTEL_BSP_SCHEDULE_DELAY']

describe('a name that is nearly a known one', () => {
  test.each([
    ['PING_LOG_LIMITT', 'PING_LOG_LIMIT'],
    ['PING_LOG_LMIT', 'PING_LOG_LIMIT'],
    ['PING_LOGS_LIMITS', 'PING_LOG_LIMIT'],
    ['PING_LOG_LIMIT_FLIE', 'PING_LOG_LIMIT_FILE'],
    ['API_RATELIMIT', 'API_RATE_LIMIT'],
  ])('%s is told with %s', (name, meant) => {
    expect(misspellings([name], KNOWN)).toEqual([{ name, meant }])
  })
})

test('the rest of an environment is left alone', () => {
  const others = [
    'PATH',
    'HOSTS',
    'PORT',
    'POST',
    'HOSTNAME',
    'PING_LOG_LIMIT',
    'PING_LIMIT',
    'LANGUAGE',
    'npm_execpath',
  ]
  expect(misspellings([...others, 'OTEL_BLRP_SCHEDULE_DELAY'], KNOWN)).toEqual([])
})

test.each([
  ['', '', 0],
  ['abc', '', 3],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['ab', 'ba', 1],
])('from %j to %j are %i edits', (from, to, edits) => {
  expect(editDistance(from, to)).toBe(edits)
})
