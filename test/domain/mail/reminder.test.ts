import { describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import type { Flip } from '../../../src/domain/check/flip.ts'
import { type DownSentences, mailParts } from '../../../src/domain/mail/layout.ts'
import { type DownCandidate, reminderBlocks, reminderTitle, stillDown } from '../../../src/domain/mail/reminder.ts'
import { aCheck, aFlip, at, CHECK_ID, LINKS, NOON, PROJECT_ID } from '../../support/builders.ts'

const SAYS = 'No ping since 10:58. Down for 3 h.'

const checkOf = (check: Partial<Check>, newestFlip: Flip | null = null): DownCandidate => ({
  check: aCheck(check),
  newestFlip,
})
const down = (name: string, since: string, lastPing: string | null = null): DownCandidate =>
  checkOf(
    { name, status: 'down', lastPingAt: lastPing === null ? null : at(lastPing) },
    aFlip({ createdAt: at(since) }),
  )

describe('what is still down', () => {
  test('includes a check that is stored as down, since its flip', () => {
    expect(stillDown([down('Backup', '09:00', '08:00')], NOON)[0]).toMatchObject({
      check: { name: 'Backup' },
      since: at('09:00'),
    })
  })

  test('includes a check that is overdue before its flip is written, since its deadline', () => {
    const overdue = { status: 'up', lastPingAt: at('10:00'), timeoutSeconds: 3600, graceSeconds: 600 } as const
    expect(stillDown([checkOf(overdue, aFlip({ newStatus: 'up' }))], NOON)[0]?.since).toEqual(at('11:10'))
    expect(stillDown([checkOf(overdue)], at('11:09:59'))).toEqual([])
  })

  test.each(['new', 'up', 'paused'] as const)('does not include a check that is %s', (status) => {
    expect(stillDown([checkOf({ status, lastPingAt: at('11:59') })], NOON)).toEqual([])
  })

  test('does not include a check whose schedule is no longer valid, unless it is stored as down', () => {
    const unreadable = { kind: 'cron', schedule: 'gone', lastPingAt: at('01:00') } as const
    expect(stillDown([checkOf({ ...unreadable, status: 'up' })], NOON)).toEqual([])
    expect(stillDown([checkOf({ ...unreadable, status: 'down' })], NOON)).toHaveLength(1)
  })

  test('is sorted by how long it has been down; a deleted flip counts as the longest', () => {
    const candidates = [
      down('b', '10:00'),
      down('a', '11:00'),
      checkOf({ name: 'c', status: 'down' }),
      down('d', '09:00'),
    ]
    expect(stillDown(candidates, NOON).map(({ check, since }) => [check.name, since === null])).toEqual([
      ['c', true],
      ['d', false],
      ['b', false],
      ['a', false],
    ])
  })
})

describe('a reminder', () => {
  const words = (
    candidates: readonly DownCandidate[],
    projectName = 'Home lab',
    sentences: DownSentences = new Map(),
  ) => {
    const still = stillDown(candidates, NOON)
    const blocks = reminderBlocks(still, projectName, LINKS, 'Europe/Riga', sentences)
    return mailParts({ title: reminderTitle(still), tone: 'bad', blocks, footer: [] })
  }

  test('uses singular and plural', () => {
    expect(reminderTitle(stillDown([down('a', '09:00')], NOON))).toBe('Reminder: 1 check still down')
    expect(reminderTitle(stillDown([down('a', '09:00'), down('b', '09:00')], NOON))).toBe(
      'Reminder: 2 checks still down',
    )
  })

  test("shows since when each check is down and what is wrong with it, in the receiver's zone", () => {
    const forgotten = checkOf({ id: PROJECT_ID, name: 'Ancient', status: 'down' })
    const sentences = new Map([[CHECK_ID, SAYS]])
    expect(words([down('Backup', '09:00', '08:58:30'), forgotten], 'Home lab', sentences).text).toBe(
      [
        'Reminder: 2 checks still down',
        '',
        'Project Home lab. Times are in Europe/Riga.',
        '',
        'Check    Down since                       What is wrong',
        'Ancient  more than three months ago',
        `Backup   Wed, 04 Mar 2026 11:00:00 +0200  ${SAYS}`,
        '',
      ].join('\n'),
    )
  })

  test('keeps user input in its place', () => {
    const hostile = 'a\r\nBcc: x@example.org <img src=x onerror=alert(1)>'
    const { text, html } = words([down(hostile, '09:00')], hostile, new Map([[CHECK_ID, `Last line: ‘${hostile}’.`]]))
    expect(text).not.toContain('\nBcc')
    expect(html).toContain('a Bcc: x@example.org &lt;img src=x onerror=alert(1)&gt;')
    expect(html).not.toContain('<img')
  })

  test('links each check to its page', () => {
    const still = stillDown([down('Backup', '09:00')], NOON)
    const [, table] = reminderBlocks(still, 'Home lab', LINKS, 'UTC', new Map())
    const cell = table?.kind === 'table' ? table.rows[0]?.[0] : null
    const url = 'https://overdue.test/cloaked/fc90f6da175cabd6de81fd8fd6af74a47d94228d/'
    expect(cell).toEqual({ label: 'Backup', url })
  })

  test('names five hundred checks and counts the others', () => {
    const many = Array.from({ length: 501 }, (_, index) => down(`Job ${index}`, '09:00'))
    const { text } = words(many)
    expect(text).toContain('Reminder: 501 checks still down')
    expect(text).toContain('\nNot shown: the 1 check that went down last.\n')
    expect(text.match(/^Job /gm)).toHaveLength(500)
  })
})
