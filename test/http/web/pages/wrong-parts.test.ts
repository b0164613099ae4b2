/** Cards beside the list of problems. */
import { expect, test } from 'bun:test'
import { assetPath } from '../../../../src/http/web/assets/assets.ts'
import { createHref } from '../../../../src/http/web/href.ts'
import { placeWords } from '../../../../src/http/web/pages/overview/places-card.ts'
import { serverCard } from '../../../../src/http/web/pages/overview/server-card.ts'
import type { ServerState } from '../../../../src/services/server/server-state.ts'
import { at, NOON } from '../../../support/builders.ts'
import { wordsOf } from '../../../support/page-words.ts'

const NONE = {
  checks: 0,
  down: 0,
  late: 0,
  slow: 0,
  expected: 0,
  paused: 0,
  unpinged: 0,
  resumed: 0,
  unheard: unheard(0, 0),
}

function unheard(untold: number, unwatched: number) {
  const wouldBe = { expected: 0, paused: 0, unpinged: 0, resumed: 0 }
  return { advice: { untold, unwatched }, checks: untold + unwatched, wouldBe, isCut: false }
}

test.each([
  [{}, 'no checks yet'],
  [{ checks: 36, down: 3, late: 1, paused: 2 }, '3 down, 1 late of 36'],
  [{ checks: 1, late: 1 }, '1 late of 1'],
  [{ checks: 9, slow: 1 }, '1 slow of 9'],
  [{ checks: 14, expected: 14 }, 'all 14 as expected'],
  [{ checks: 1, expected: 1 }, '1 as expected'],
  [{ checks: 11, expected: 9, paused: 2 }, '9 as expected, 2 paused'],
  [
    { checks: 4, expected: 2, unpinged: 1, resumed: 1 },
    '2 as expected, 1 not pinged yet, 1 resumed and not pinged since',
  ],
  [{ checks: 2, paused: 2 }, 'all 2 paused'],
  [{ checks: 1, unheard: unheard(1, 0) }, '1 alerts no one'],
  [{ checks: 5, expected: 1, unheard: unheard(3, 1) }, '1 as expected, 3 alert no one, 1 was due and never pinged'],
])('%j is "%s"', (place, words) => {
  expect(placeWords({ ...NONE, ...place })).toBe(words)
})

const FINE: ServerState = { isWatching: true, lastLookAt: at('11:59:58'), outage: null, backup: null }

function says(over: Partial<ServerState>): string {
  const context = { href: createHref('https://example.org', assetPath), now: NOON, tz: 'UTC' }
  const { text } = serverCard({ ...FINE, ...over }, context, false)
  return wordsOf(text)
}

test('the server says whether it watches', () => {
  expect(says({})).toBe('This server Monitoring checks. Last search for overdue checks: 2 s ago.')
  expect(says({ lastLookAt: null })).toContain('Monitoring checks. No search for overdue checks yet.')
  expect(says({ isWatching: false })).toContain(
    'Not monitoring checks. Last search for overdue checks: 2 s ago. Overdue checks may go unnoticed',
  )
})

test('the server says when it was away, and how old its backup is', () => {
  expect(says({ outage: { from: at('02:10'), until: at('02:16') } })).toContain('Had an outage 02:10 to 02:16.')
  const short = { from: at('03:20').add({ seconds: 50 }), until: at('03:21').add({ seconds: 7 }) }
  expect(says({ outage: short })).toContain('Had an outage 03:20, for 17 seconds.')
  const newest = { at: at('03:00'), bytes: 212_000_000 }
  const isOld = false
  expect(says({ backup: { newest, failedAt: null, isOld } })).toEndWith('Backup written 03:00, 212.0 MB.')
  expect(says({ backup: { newest, failedAt: at('04:00'), isOld } })).toEndWith(
    'Backup failed 04:00. The last backup was written 03:00, 212.0 MB.',
  )
  expect(says({ backup: { newest, failedAt: null, isOld: true } })).toEndWith(
    'No backup for a week. The last backup was written 03:00, 212.0 MB.',
  )
  expect(says({ backup: { newest: null, failedAt: null, isOld } })).not.toContain('ackup')
})
