import { expect, test } from 'bun:test'
import { createLog, terminalLine } from '../../src/app/observe.ts'
import type { LogLevel } from '../../src/lib/log.ts'

/** Returns the output of a log that gets a line of each level. */
function lines(level: LogLevel, terminal: object | null = null): readonly string[] {
  const written: string[] = []
  const log = createLog(level, { terminal, write: (line) => written.push(line) })
  for (const each of ['debug', 'info', 'warning', 'error'] as const) {
    log(each, 'happened {name}', { name: 'x', count: 3, list: ['a\nb'] })
  }
  return written
}

test('a line is one JSON object, with its details beside the message', () => {
  const logged = lines('debug').map((line) => JSON.parse(line))
  expect(logged.map((line) => line.level)).toEqual(['DEBUG', 'INFO', 'WARN', 'ERROR'])
  expect(logged[1]).toMatchObject({ logger: 'overdue', name: 'x', count: 3, list: ['a\nb'] })
  expect(Number.isNaN(Date.parse(String(logged[1]['@timestamp'])))).toBe(false)
  for (const line of lines('debug')) expect(line).toMatch(/^[^\n]+\n$/)
})

test('lines below the level are left out, also on a terminal', () => {
  expect(lines('warning').map((line) => JSON.parse(line).level)).toEqual(['WARN', 'ERROR'])
  expect(lines('error', {})).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3} error {3}happened /)])
})

test('two logs of one process have their own levels and outputs', () => {
  const [one, other] = [[], []] as [string[], string[]]
  const loud = createLog('info', { terminal: null, write: (line) => one.push(line) })
  const quiet = createLog('error', { terminal: null, write: (line) => other.push(line) })
  loud('info', 'ready')
  quiet('info', 'ready')
  loud('info', 'stopped')
  expect(one.map((line) => JSON.parse(line).message)).toEqual(['ready', 'stopped'])
  expect(other).toEqual([])
})

test('a line on a terminal is one, whatever its details hold', () => {
  const properties = { reason: 'a\u001b[2J\r\nb\u009b1m\u202etxt' }
  const record = {
    category: ['overdue'],
    level: 'info',
    message: ['happened'],
    rawMessage: 'happened',
    properties,
  } as const
  const line = terminalLine({ ...record, timestamp: Date.parse('2026-03-04T12:00:00.5Z') })
  expect(line).toBe('12:00:00.500 info    happened reason="a\\u001b[2J\\r\\nb1mtxt"\n')
})
