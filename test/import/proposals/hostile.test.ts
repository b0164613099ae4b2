/** Files made to keep an import busy: each takes one pass, and would otherwise take the square of its length. */
import { expect, test } from 'bun:test'
import type { Flip } from '../../../src/domain/check/flip.ts'
import { mapAlerts } from '../../../src/import/from-healthchecks/alerts.ts'
import { coversOfLine } from '../../../src/import/proposals/command/exit-status.ts'
import { readCrontabLine } from '../../../src/import/proposals/crontab/lines.ts'
import { pingedChecks, seemsToPing } from '../../../src/import/proposals/pinging-already.ts'
import { Proposals } from '../../../src/import/proposals/proposal.ts'
import { planTimers } from '../../../src/import/proposals/systemd/systemd.ts'
import { Units } from '../../../src/import/proposals/systemd/units.ts'
import { fromSeconds, Temporal } from '../../../src/lib/time.ts'

const ID = '6f2ae1f6-93f9-4bb0-a5b0-0ac7d2c0a4a1'
const NOW = Temporal.Instant.from('2026-05-04T10:00:00Z')
const OPTIONS = {
  zone: 'UTC',
  prefix: '',
  taken: new Set<string>(),
  now: NOW,
  pingEndpoint: 'https://overdue.example.org/ping/',
}
const TIMER_OPTIONS = { ...OPTIONS, by: 'overdue-run' } as const

test('a word of many addresses is read once, and the last ping in it counts', () => {
  const begins = 'http://'.repeat(300_000)
  expect(pingedChecks(begins).ids).toEqual([])
  expect(pingedChecks(`${begins}a/${ID} 'https://b/${ID}/start'`).ids).toEqual([ID, ID])
})

test.each(['$_HCHC', '/ping/', 'a.', 'a-', 'CHECK_UUID ', 'runitor ', '%41', 'x -uuid ', `/${ID}`])(
  'a text of many %p is read once',
  (part) => {
    expect(seemsToPing(part.repeat(1_000_000 / part.length))).toBe(part === 'runitor ')
  },
)

test('a setting of a crontab with many blanks is read once', () => {
  const value = `x${' '.repeat(500_000)}y`
  expect(readCrontabLine(`NAME = \t${value} \t`, 'user')).toEqual({ kind: 'setting', name: 'NAME', value })
})

test.each([
  '((a(b)',
  '( a ) && ',
  '[ -f x ] && exit 0; ',
  'case x in a) ;; ',
  'a | { ',
  'a &> b ',
  'eval ',
  'flock -n 9 || exit 0; ',
])('a line of many %p is read once for each shell in it', (part) => {
  expect(coversOfLine(`${part.repeat(5_000 / part.length)} /opt/a`, '/bin/sh').length).toBeLessThan(10)
})

test('twenty thousand jobs of one name get their numbers', () => {
  const proposals = new Proposals(OPTIONS)
  const job = {
    name: 'backup',
    tags: '',
    timing: { timeout: 3_600 },
    isPaused: false,
    place: '',
    delaySeconds: 0,
    why: [],
  }
  const checks = Array.from({ length: 20_000 }, () => proposals.add(job))
  expect(checks.at(-1)).toMatchObject({ name: 'backup 20000', slug: 'backup-20000' })
})

test('a unit with many settings of one name has all of them, and many timers may start one service', () => {
  const values = Array.from({ length: 400_000 }, () => 'ExecStart=/bin/true').join('\n')
  const units = new Units([{ path: '/etc/systemd/system/a.service', text: `[Service]\n${values}\n` }])
  expect(units.get('a.service')?.get('Service.ExecStart')).toHaveLength(400_000)
  const timers = Array.from({ length: 3_000 }, (_, index) => ({
    path: `/etc/systemd/system/t${index}.timer`,
    text: '[Timer]\nOnCalendar=daily\nUnit=a.service\n',
  }))
  expect(planTimers(timers, TIMER_OPTIONS).checks).toHaveLength(1)
})

test('names of units and schedules that are far too long are not taken apart', () => {
  const service = { path: 'a.service', text: `[Service]\nSlice=${'a-'.repeat(50_000)}b.slice\n` }
  const { checks } = planTimers([{ path: 'a.timer', text: '[Timer]\nOnCalendar=daily\n' }, service], TIMER_OPTIONS)
  expect(checks).toHaveLength(1)
  const times = { path: 'b.timer', text: `[Timer]\n${'OnCalendar=*:0/5\n'.repeat(100_000)}` }
  const name = { path: 'c.timer', text: `[Timer]\nOnCalendar=daily\nUnit=${'a-'.repeat(50_000)}b.target\n` }
  const { notes } = planTimers([times, name], TIMER_OPTIONS)
  expect(notes.map(({ reason }) => reason.length < 400)).toEqual([true, true])
})

test('messages find the newest flip that is not later, among as many as there are', () => {
  const flips = Array.from({ length: 100_000 }, (_, index): Flip => {
    const [oldStatus, newStatus] = index % 2 === 0 ? (['up', 'down'] as const) : (['down', 'up'] as const)
    return { checkId: ID, n: index + 1, createdAt: fromSeconds(index * 10), oldStatus, newStatus, reason: '' }
  })
  const rows = Array.from({ length: 100_000 }, (_, index) => ({
    code: crypto.randomUUID(),
    created: fromSeconds(index * 10 + 5).toString(),
    channel_id: '1',
    check_status: 'down',
    error: '',
  }))
  const alerts = mapAlerts(rows, ID, flips, new Map([['1', 'channel']]))
  expect(alerts).toHaveLength(50_000)
  // Two messages about each flip: the last one counts.
  expect(alerts[1]).toMatchObject({ eventN: 3, createdAt: fromSeconds(35) })
})
