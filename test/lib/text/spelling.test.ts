import { describe, expect, test } from 'bun:test'
import { editDistance, misspellings } from '../../../src/lib/text/spelling.ts'

const KNOWN = ['HOST', 'PORT', 'PING_LOG_LIMIT', 'PING_LOG_LIMIT_FILE', 'API_RATE_LIMIT']

describe('a name that is similar to a known one', () => {
  test.each([
    ['PING_LOG_LIMITT', 'PING_LOG_LIMIT'],
    ['PING_LOG_LMIT', 'PING_LOG_LIMIT'],
    ['PING_LOGS_LIMITS', 'PING_LOG_LIMIT'],
    ['PING_LOG_LIMIT_FLIE', 'PING_LOG_LIMIT_FILE'],
    ['API_RATELIMIT', 'API_RATE_LIMIT'],
    ['PING_LIMIT', 'PING_LOG_LIMIT'],
    ['API_RATE', 'API_RATE_LIMIT'],
    ['PROT', 'PORT'],
    ['HOTS', 'HOST'],
  ])('%s is reported with %s', (name, meant) => {
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
    'LIMIT',
    'PING_LOG_DIR',
    'LANGUAGE',
    'npm_execpath',
  ]
  expect(misspellings(others, KNOWN)).toEqual([])
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
