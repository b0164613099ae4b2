/** A row of the list of checks. */
import { expect, test } from 'bun:test'
import type { Advice } from '../../../../../src/domain/advice/advice.ts'
import { NOTHING_UNCOUNTED } from '../../../../../src/domain/cause/uncounted.ts'
import type { Check } from '../../../../../src/domain/check/check.ts'
import { showCheck } from '../../../../../src/domain/check/shown-check.ts'
import { checkRow } from '../../../../../src/http/web/pages/checks/check-row.ts'
import { addSeconds, Temporal } from '../../../../../src/lib/time.ts'
import { UNWATCHED, ZONE } from '../../../../support/advice.ts'
import { aCheck } from '../../../../support/builders.ts'

const NOW = Temporal.Instant.from('2026-11-17T07:42:00Z')
const CHANNELS = new Map([['email', { name: 'Team', place: 0 }]])
const ago = (seconds: number) => addSeconds(NOW, -seconds)

function row(over: Partial<Check>, canWrite = true, advice: Advice | null = null): string {
  const check = aCheck({ publicId: '2n0qtm9q', ...over })
  const found = { check, channelIds: ['email'] }
  const unread = { trouble: null, uncounted: NOTHING_UNCOUNTED, resumedAt: null, pause: null }
  const view = { ...found, ...showCheck(check, NOW), ...unread, advice }
  return checkRow(view, { now: NOW, tz: 'Europe/Riga', canWrite, channels: CHANNELS, silencesOf: () => [], days: null })
    .text
}
const cells = (text: string) =>
  text
    .trim()
    .split(/<t[dh](?: [^>]*)?>/)
    .slice(1)

test('a row names the check by its public id and holds nothing else that identifies it', () => {
  const check = aCheck({ publicId: '2n0qtm9q', status: 'up', lastPingAt: ago(27_000), lastDuration: 712_000_000 })
  const text = row(check)
  expect(text).toStartWith(
    '<tr id=c2n0qtm9q class=up><td><input type=checkbox name=c value=2n0qtm9q aria-label=Select><td>Up<th',
  )
  expect(text).toContain('<a href=checks/2n0qtm9q>')
  expect(cells(text)[4]).toBe('<bdi>Team</bdi>')
  expect(cells(text)[5]).toBe('<time datetime=2026-11-17T00:12:00Z data-relative=since>7 h</time>')
  expect(cells(text)[7]).toBe('11 min')
  expect(text).toContain('<td title="11 min 52 s">')
  for (const secret of [check.id, check.badgeKey, check.projectId]) expect(text).not.toContain(secret)
})

test('a check that was due and never pinged says so, and has it as a class beside its state', () => {
  const text = row({ createdAt: ago(3 * 86_400), timeoutSeconds: 86_400 }, true, UNWATCHED)
  expect(text).toStartWith('<tr id=c2n0qtm9q class="new unwatched">')
  expect(text).toContain('<p>Never pinged in 3 days')
  expect(text).toContain('A check that was never pinged never alerts.')
})

test('a check that does not fit its job has a mark after its name, which leads to its advice', () => {
  const text = row({ status: 'up', lastPingAt: ago(60) }, true, ZONE)
  expect(text).toStartWith('<tr id=c2n0qtm9q class=up>')
  expect(text).toContain(
    '</a><a class=bulb href=checks/2n0qtm9q#advice title="Advice: runs in another time zone" aria-label=',
  )
  expect(text).not.toContain('<p>')
})

test('a reader gets the same row without the box', () => {
  const over = { status: 'up', lastPingAt: ago(60) } as const
  expect(cells(row(over, false)).slice(1)).toEqual(cells(row(over)).slice(1))
  expect(cells(row(over, false))[0]).toBe('')
})

test('the next ping of each state', () => {
  const next = (over: Partial<Check>) => cells(row({ timeoutSeconds: 3600, graceSeconds: 600, ...over }))[6]
  expect(next({ status: 'new' })).toBe('–')
  expect(next({ status: 'up', lastPingAt: ago(1800) })).toContain('>in 30 min<')
  expect(next({ status: 'up', lastPingAt: ago(3900) })).toContain('>5 min ago<')
  expect(next({ status: 'down', lastPingAt: ago(7200) })).toContain('>1 h ago<')
  expect(next({ status: 'paused', lastPingAt: ago(7200) })).toBe('–')
  expect(next({ status: 'up', lastPingAt: ago(1800), lastStartAt: ago(60) })).toBe(
    'ends by <time datetime=2026-11-17T07:51:00Z data-relative=clock>09:51</time>',
  )
  expect(
    next({ status: 'up', timeoutSeconds: 90_000, lastPingAt: ago(1800), lastStartAt: ago(60), graceSeconds: 90_000 }),
  ).toBe('ends <time datetime=2026-11-18T08:41:00Z data-relative=near>tomorrow</time>')
})

test('what may not fit into its column stands in its title too', () => {
  const over = {
    name: 'Offsite copy of the nightly backup',
    kind: 'cron',
    schedule: '17 4 1-7 */2 1',
    graceSeconds: 5400,
  } as const
  expect(row(over)).toContain('title="Offsite copy of the nightly backup"><bdi>')
  expect(row(over)).toMatch(/<td title="[^"]+ · 1 h 30 min"><code>17 4 1-7 \*\/2 1<\/code><i> · 1 h 30 min<\/i>/)
  expect(row({ name: 'Sync', timeoutSeconds: 600, graceSeconds: 60 })).toContain('<td>Every 10 minutes<i> · 1 min</i>')
})

test('names and tags are text', () => {
  const text = row({ name: `<b>"x'\u0007\u202e`, tags: `a"onclick=x <i> c&d e ${'f'.repeat(3)}` })
  expect(text).toContain('<bdi>&lt;b&gt;&quot;x&#39;␇\u202e</bdi>')
  expect(text).toContain('<a href="?tag=a%22onclick%3Dx">a&quot;onclick=x</a>')
  expect(text).toContain('<i title="e fff">+2</i>')
  expect(text).not.toMatch(/<b>|\sonclick=|<i> e/)
  expect(row({ name: '' })).toContain('><i>no name</i></a>')
  // Some attributes have no quotes, so a space would end their value.
  expect(row({ name: 'x onmouseover=run()', tags: 'a b c d onclick=run()' })).not.toMatch(
    /<[^>"]*(?:"[^"]*"[^>"]*)* on\w+=/,
  )
})
