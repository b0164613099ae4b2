/** The text of a message about a flip: each rule by itself, and two complete messages. */
import { describe, expect, test } from 'bun:test'
import type { Siblings } from '../../../src/domain/alert/flip-context.ts'
import type { Notification } from '../../../src/domain/alert/notification.ts'
import type { OutputChange } from '../../../src/domain/output-diff/output-change.ts'
import { diffOutputs } from '../../../src/domain/output-diff/output-diff.ts'
import { outputLines } from '../../../src/domain/output-diff/output-lines.ts'
import type { Ping } from '../../../src/domain/ping/ping.ts'
import type { PingKind } from '../../../src/domain/ping/signal.ts'
import type { Alert } from '../../../src/transports/transport.ts'
import { aCheck, aFlip, anAlert, aPing, at, bytes, CHECK_ID, LINKS, NOON } from '../../support/builders.ts'

// SHA-1 of the first 16 hex digits of the check's UUID.
const KEY = 'fc90f6da175cabd6de81fd8fd6af74a47d94228d'

const words = (given: Partial<Alert> = {}): Notification => anAlert(given).message
const UP = aFlip({ n: 2, oldStatus: 'down', newStatus: 'up', reason: '' })
const DOWN_BEFORE = aFlip({ n: 1, createdAt: at('10:30') })

describe('the whole message', () => {
  const check = aCheck({
    name: 'Nightly backup',
    desc: 'Database to tape',
    tags: 'prod  db ',
    timeoutSeconds: 3600,
    graceSeconds: 7200,
    lastPingAt: at('09:00'),
    nPings: 12,
    nEvents: 1,
  })
  const lastPing = aPing({ n: 12, receivedAt: at('09:00'), body: bytes('42 files') })
  const given = { check, lastPing, projectName: 'Home lab' }

  test('of a check that went down because no ping came', () => {
    expect(words(given)).toEqual({
      isDown: true,
      status: 'DOWN',
      name: 'Nightly backup',
      link: `https://overdue.test/cloaked/${KEY}/`,
      incidentLink: null,
      alertsLink: 'https://overdue.test/p/tests/alerts',
      incidentKey: KEY,
      sentence: 'No ping since 09:00 UTC. Due 10:00, 2 hours of grace ended 12:00.',
      reason: 'success signal did not arrive on time, grace time passed',
      downtime: null,
      project: 'Home lab',
      description: 'Database to tape',
      tags: ['prod', 'db'],
      timing: [{ label: 'Period', value: '1 hour' }],
      totalPings: 12,
      lastPing: 'Success, 3 hours ago',
      newLines: [],
      body: '42 files',
      others: null,
      othersDown: [],
    })
  })

  test('of a check that recovered', () => {
    expect(words({ ...given, flip: UP, previousFlip: DOWN_BEFORE })).toEqual({
      ...words(given),
      isDown: false,
      status: 'UP',
      sentence: 'Up again after 1 h 30 min. Next ping due at 13:00 UTC.',
      reason: null,
      downtime: '1 h 30 min',
    })
  })
})

describe('the name', () => {
  test('is the name of the check', () => {
    expect(words({ check: aCheck({ name: ' <b>"x" ' }) }).name).toBe(' <b>"x" ')
  })

  test('is the UUID of a check that has no name', () => {
    expect(words({ check: aCheck({ name: '' }) }).name).toBe(CHECK_ID)
  })
})

describe('the link', () => {
  test('and the incident key do not give the UUID away and do not change from flip to flip', () => {
    const [down, up] = [words({ check: aCheck({ name: 'x' }) }), words({ check: aCheck({ name: 'y' }), flip: UP })]
    expect([down.link, down.incidentKey]).toEqual([up.link, up.incidentKey])
    expect(JSON.stringify(down)).not.toContain(CHECK_ID)
  })

  test('leads to the page of the check', () => {
    const links = { ...LINKS, checkPages: 'https://example.org/overdue/cloaked/' }
    expect(words({ links }).link).toBe(`https://example.org/overdue/cloaked/${KEY}/`)
  })
})

describe('the reason', () => {
  test.each([
    ['timeout', 'success signal did not arrive on time, grace time passed'],
    ['fail', 'received a failure signal'],
    ['', null],
  ] as const)('of a flip for %j is %j', (reason, expected) => {
    expect(words({ flip: aFlip({ reason }) }).reason).toBe(expected)
  })
})

describe('the downtime', () => {
  test.each([
    ['11:59:59.5', '500 ms'],
    ['11:59:28.4', '31 s'],
    ['11:30', '30 min'],
    ['10:30', '1 h 30 min'],
    ['12:00:05', '0 ms'],
  ])('since %s is %s at noon, in the sentence too', (time, expected) => {
    const { downtime, sentence } = words({
      flip: { ...UP, createdAt: NOON },
      previousFlip: aFlip({ createdAt: at(time) }),
    })
    expect(downtime).toBe(expected)
    expect(sentence).toStartWith(`Up again after ${expected}. `)
  })

  test('is measured between the flips, however late the message', () => {
    expect(words({ flip: UP, previousFlip: DOWN_BEFORE, now: at('23:00') }).downtime).toBe('1 h 30 min')
  })

  test.each([
    ['on the way down', aFlip({ n: 2 }), DOWN_BEFORE],
    ['when there was no flip before', UP, null],
    ['when the flip before was not down', UP, { ...UP, n: 1 }],
    ['after a pause', UP, aFlip({ newStatus: 'paused', reason: '' })],
  ])('is null %s', (_, flip, previousFlip) => {
    expect(words({ flip, previousFlip }).downtime).toBeNull()
  })
})

describe('the last ping', () => {
  const said = (given: Partial<Ping>) => words({ lastPing: aPing(given), now: at('12:05') }).lastPing

  test.each<[PingKind, string]>([
    ['success', 'Success, 5 minutes ago'],
    ['fail', 'Failure, 5 minutes ago'],
    ['start', 'Start, 5 minutes ago'],
    ['log', 'Log, 5 minutes ago'],
    ['ign', 'Ignored, 5 minutes ago'],
  ])('of kind %s is shown as %j', (kind, expected) => {
    expect(said({ kind })).toBe(expected)
  })

  test('that failed by exit status names it', () => {
    expect(said({ kind: 'fail', exitStatus: 123 })).toBe('Exit status 123, 5 minutes ago')
    expect(said({ kind: 'success', exitStatus: 0 })).toBe('Success, 5 minutes ago')
  })

  test('is relative to the time of the message, and never in the future', () => {
    expect(said({ receivedAt: at('12:05') })).toBe('Success, now')
    expect(said({ receivedAt: at('12:06') })).toBe('Success, now')
  })

  test('of a check without pings is never', () => {
    expect(words({ lastPing: null }).lastPing).toBe('Never')
  })
})

describe('the timing', () => {
  test.each([
    [90 * 60, '1 hour 30 minutes'],
    [7 * 86_400, '1 week'],
    [8 * 86_400, '8 days'],
  ])('of a simple check of %d seconds is its period', (timeoutSeconds, value) => {
    expect(words({ check: aCheck({ timeoutSeconds }) }).timing).toEqual([{ label: 'Period', value }])
  })

  test.each([
    ['cron', '*/5 * * * *'],
    ['oncalendar', 'Mon..Fri 12:00'],
  ] as const)('of a %s check is its schedule as written, and its time zone', (kind, schedule) => {
    expect(words({ check: aCheck({ kind, schedule, tz: 'Europe/Riga' }) }).timing).toEqual([
      { label: 'Schedule', value: schedule },
      { label: 'Time Zone', value: 'Europe/Riga' },
    ])
  })
})

describe('the body', () => {
  const body = (content: string | Uint8Array | null) => {
    const sent = typeof content === 'string' ? bytes(content) : content
    return words({ lastPing: aPing({ body: sent }) }).body
  }

  test('is null without a ping, without a body and with an empty one', () => {
    expect([words({ lastPing: null }).body, body(null), body('')]).toEqual([null, null, null])
  })

  test('that was dropped is mentioned', () => {
    const lastPing = aPing({ body: null, droppedBytes: 31_457_280 })
    expect(words({ lastPing }).body).toBe("A body of 31457280 bytes was dropped because the check's log is full.")
  })

  test('is cut within bounds that fit its longest characters, and stays whole before the cut', () => {
    expect(body('🦆'.repeat(1000))).toBe('🦆'.repeat(1000))
    expect(body(`é${'🦆'.repeat(100_000)}`)).toBe(`é${'🦆'.repeat(999)}\n[truncated]`)
    expect(body(`\ufeff${'🦆'.repeat(1001)}`)).toBe(`${'🦆'.repeat(1000)}\n[truncated]`)
  })

  test('is whole up to 1000 characters', () => {
    expect(body('x'.repeat(1000))).toBe('x'.repeat(1000))
  })

  test('is cut at 1000 characters, and says so on a line of its own', () => {
    expect(body('x'.repeat(1001))).toBe(`${'x'.repeat(1000)}\n[truncated]`)
    expect(body('x'.repeat(10_000))).toBe(`${'x'.repeat(1000)}\n[truncated]`)
  })

  test('counts an emoji as one character and never cuts one in half', () => {
    expect(body('🎉'.repeat(1000))).toBe('🎉'.repeat(1000))
    expect(body('🎉'.repeat(1001))).toBe(`${'🎉'.repeat(1000)}\n[truncated]`)
    expect(body(`${'x'.repeat(999)}🎉y`)).toBe(`${'x'.repeat(999)}🎉\n[truncated]`)
  })

  test('is read leniently where it is not UTF-8', () => {
    expect(body(new Uint8Array([0x61, 0xff, 0x62]))).toBe('a\ufffdb')
  })

  test('has plain spaces for non-breaking ones; line ends and markup stay', () => {
    expect(body('1\u00a0MB\r\n<b>\t"x"\n')).toBe('1 MB\r\n<b>\t"x"\n')
  })
})

describe('the other checks', () => {
  const sibling = (id: number, given: Partial<Siblings['down'][number]> = {}) => ({
    id: `eeeeeeee-0000-4000-8000-0000000000${String(id).padStart(2, '0')}`,
    name: `Job ${id}`,
    lastPingAt: at('11:00'),
    ...given,
  })
  const down = (count: number): Siblings => ({
    exist: true,
    downCount: count,
    counts: count > 0 ? null : { up: 3, new: 0, paused: 0 },
    down: Array.from({ length: Math.min(count, 10) }, (_, index) => sibling(index + 1)),
  })
  const others = (siblings: Siblings, given: Partial<Alert> = {}) => {
    const message = words({ siblings, ...given })
    return [message.others, message.othersDown]
  }

  test('are not mentioned when there are none', () => {
    expect(others({ exist: false, downCount: 0, down: [], counts: null })).toEqual([null, []])
  })

  test('may all be up, whether this one went down or up', () => {
    expect(others(down(0))).toEqual(['All the other checks are up.', []])
    expect(others(down(0), { flip: UP })).toEqual(['All the other checks are up.', []])
  })

  test.each([
    [{ up: 3, new: 4, paused: 0 }, '3 other checks are up, 4 are new.'],
    [{ up: 1, new: 1, paused: 1 }, '1 other check is up, 1 is new, 1 is paused.'],
    [{ up: 0, new: 0, paused: 2 }, 'No other check is up, 2 are paused.'],
    [null, 'No other check is down.'],
  ])('are up only if they are watched: %j', (counts, sentence) => {
    expect(others({ ...down(0), counts })[0]).toBe(sentence)
  })

  test('that are down are listed with their last ping, or by UUID without a name', () => {
    const siblings = {
      exist: true,
      downCount: 3,
      counts: null,
      down: [sibling(1), sibling(2, { lastPingAt: null }), sibling(3, { name: '', lastPingAt: NOON })],
    }
    expect(others(siblings, { now: NOON })).toEqual([
      'The following checks are also down:',
      [
        { label: 'Job 1', value: 'last ping: 1 hour ago' },
        { label: 'Job 2', value: 'last ping: never' },
        { label: sibling(3).id, value: 'last ping: now' },
      ],
    ])
  })

  test('are still down when this one recovered', () => {
    const [sentence, named] = others(down(1), { flip: UP })
    expect(sentence).toBe('The following checks are still down:')
    expect(named).toEqual([{ label: 'Job 1', value: 'last ping: 1 hour ago' }])
  })

  test('are named up to ten', () => {
    const [sentence, named] = others(down(10))
    expect(sentence).toBe('The following checks are also down:')
    expect(named).toHaveLength(10)
  })

  test('are counted beyond ten', () => {
    expect(others(down(11))).toEqual(['11 other checks are also down.', []])
    expect(others(down(250), { flip: UP })).toEqual(['250 other checks are still down.', []])
  })
})

describe('the lines that are new in the output', () => {
  const output = 'begin\nWARNING: changed\nSFTP: host key has changed\nclosing\nexit 2'
  const newLines = (good: string, given: Partial<Alert> = {}) => {
    const diff = diffOutputs(outputLines(good), outputLines(output))
    const change: OutputChange | null = diff && {
      kind: 'changed',
      good: { n: 1, receivedAt: NOON, occurredAt: null },
      isCut: false,
      diff,
    }
    const lastPing = aPing({ n: 2, kind: 'fail', body: bytes(output) })
    return words({ flip: aFlip({ reason: 'fail' }), lastPing, change, ...given }).newLines
  }

  test('are the first three, without the last line, which the sentence quotes', () => {
    expect(newLines('begin\nexit 2')).toEqual(['WARNING: changed', 'SFTP: host key has changed', 'closing'])
    expect(newLines('begin\nWARNING: changed\nclosing\ndone')).toEqual(['SFTP: host key has changed'])
    expect(newLines('begin\nWARNING: changed\nSFTP: host key has changed\nclosing')).toEqual([])
  })

  test('are none when all of it is new, or nothing is known', () => {
    expect(newLines('another job')).toEqual([])
    expect(newLines('begin', { change: null })).toEqual([])
    const notCompared = { kind: 'not-compared', why: 'no-good-run', good: null } as const
    expect(newLines('begin', { change: notCompared })).toEqual([])
  })

  test('are limited in length', () => {
    const long = outputLines(`begin\n${'x'.repeat(300)}`)
    const diff = diffOutputs(outputLines('begin'), long)
    const change: OutputChange | null = diff && {
      kind: 'changed',
      good: { n: 1, receivedAt: NOON, occurredAt: null },
      isCut: false,
      diff,
    }
    expect(newLines('', { change })).toEqual([`${'x'.repeat(159)}…`])
  })
})
