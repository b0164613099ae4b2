import { expect, test } from 'bun:test'
import { readCase } from '../../../src/domain/advice/cases.ts'
import { doctorLines } from './vectors.ts'

const BASE = {
  name: 'a case',
  check: { kind: 'cron', schedule: '0 3 * * *', tz: 'Europe/Riga', grace: 3600, created: '2026-05-01T00:00:00.000Z' },
  now: '2026-05-03T04:00:00.000Z',
  log: [
    ['2026-05-02T03:00:04.500Z', 'success', 12.5, null, '10.0.0.5', { ua: 'curl/8.5.0', method: 'GET', line: 'done' }],
  ],
}

function read(changes: object) {
  return readCase(JSON.stringify({ ...BASE, ...changes }))
}

test('a line becomes facts in milliseconds', () => {
  const { facts, now, tried, name } = read({})
  expect([name, now, tried]).toEqual(['a case', Date.UTC(2026, 4, 3, 4), null])
  expect(facts).toEqual({
    check: {
      kind: 'cron',
      timeoutSeconds: 86_400,
      schedule: '0 3 * * *',
      tz: 'Europe/Riga',
      graceSeconds: 3600,
      createdAt: Date.UTC(2026, 4, 1),
      changedAt: Date.UTC(2026, 4, 1),
      wasPinged: true,
      isPaused: false,
      pausedAt: null,
      manualResume: false,
      methods: '',
    },
    log: [
      {
        at: Date.UTC(2026, 4, 2, 3, 0, 4, 500),
        kind: 'success',
        duration: 12.5,
        runId: null,
        sender: '10.0.0.5',
        userAgent: 'curl/8.5.0',
        method: 'GET',
        ignoredBy: null,
        lastLine: 'done',
      },
    ],
    away: [],
    held: [],
    siblingZones: [],
    accountZone: null,
    channels: [],
    refused: null,
    others: [],
  })
})

test('former names of zones become the present ones', () => {
  expect(read({ siblings: ['Asia/Calcutta'], account: 'GB' }).facts).toMatchObject({
    siblingZones: ['Asia/Kolkata'],
    accountZone: 'Europe/London',
  })
})

test('of a longer log the newest 100 entries are read', () => {
  const log = Array.from({ length: 130 }, (_, index) => [new Date(index * 60_000), 'success', null, null, null])
  const read100 = read({ log }).facts.log
  expect([read100.length, read100[0]?.at]).toEqual([100, 30 * 60_000])
})

test('a pause is told from an outage only where a timing is tried', () => {
  const facts = read({
    away: [['2026-05-02T00:00:00Z', '2026-05-02T01:00:00Z']],
    pauses: ['2026-05-01T12:00:00Z'],
    try: { kind: 'simple', timeout: 300, grace: 300 },
  })
  expect(facts.facts.away.map(({ why }) => why)).toEqual(['pause', 'outage'])
  expect(facts.tried).toMatchObject({ kind: 'simple', timeoutSeconds: 300, graceSeconds: 300 })
})

test.each([
  ['no JSON', 'this is not valid JSON; each line is one JSON object'],
  ['[]', 'the value is not an object'],
  ['null', 'the value is not an object'],
])('%p is refused', (line, message) => {
  expect(() => readCase(line)).toThrow(message)
})

test.each<[object, string]>([
  [{ now: undefined }, 'now is missing'],
  [{ now: 'yesterday' }, 'now is not an instant such as 2026-11-16T04:09:12Z'],
  [
    { check: { ...BASE.check, kind: 'weekly' } },
    'check/kind is not one of the allowed values (simple, cron, or oncalendar)',
  ],
  [{ check: { ...BASE.check, grace: 5 } }, 'check/grace is too small (60 to 31536000)'],
  [{ check: { ...BASE.check, schedule: '0 99 * * *' } }, 'check/schedule is not valid: '],
  [{ check: { ...BASE.check, schedule: 'Mon 03:00' } }, 'check/schedule is oncalendar, and the kind "cron"'],
  [{ check: { kind: 'simple', grace: 60 } }, 'check/timeout is missing'],
  [{ check: { ...BASE.check, kind: 'simple', timeout: 60 } }, 'check/schedule is not for a check of the kind "simple"'],
  [{ check: { kind: 'cron', grace: 60 } }, 'check/schedule is missing'],
  [{ check: { ...BASE.check, graze: 5 } }, 'check/graze is not a known field'],
  [{ siblings: ['Europe/Nowhere'] }, 'siblings/0 is not in the expected format'],
  [{ log: undefined }, 'log is missing'],
  [{ log: [['2026-05-02T03:00:04Z', 'sucess', null, null, null]] }, 'log/0/kind is not one of the allowed values'],
  [{ log: [['2026-05-02T03:00:04Z', 'success', null, null]] }, 'log/0/sender is missing'],
  [{ log: [['2026-05-02T03:00:04Z', 'success', null, null, null, {}, 1]] }, 'log/0/6 is not a known field'],
  [{ log: [['2026-05-02T03:00:04Z', 'success', -1, null, null]] }, 'log/0/seconds is too small'],
  [{ log: ['success'] }, 'log/0 is not an object'],
  [
    { log: [...BASE.log, ['2026-05-01T03:00:04Z', 'success', null, null, null]] },
    'log/1 is earlier than the ping before it',
  ],
  [{ others: [{ name: 'b', log: [['later', 'success', null, null, null]] }] }, 'others/0/log/0/time is not an instant'],
])('%j is refused', (changes, message) => {
  expect(() => read(changes)).toThrow(message)
})

test('all recorded cases are read', () => {
  expect(doctorLines().map(({ name, line }) => readCase(line).name === name)).not.toContain(false)
})
