/** First sentence of messages about a flip, for a check in Riga that went down or up on 17 November. */
import { describe, expect, test } from 'bun:test'
import {
  type FlipStory,
  flipSentencePieces,
  flipSentenceText,
  withoutBody,
} from '../../../src/domain/alert/flip-sentence.ts'
import { failureOf } from '../../../src/domain/cause/trouble.ts'
import { NOTHING_UNCOUNTED } from '../../../src/domain/cause/uncounted.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import type { Flip } from '../../../src/domain/check/flip.ts'
import { recordRun } from '../../../src/domain/check/run-history.ts'
import { stripOf } from '../../../src/domain/run/strip.ts'
import { sentenceOf } from '../../../src/domain/sentence/sentence.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { addSeconds, type Instant, Temporal } from '../../../src/lib/time.ts'
import { aCheck, aFlip, aPing, bytes, CHECK_ID } from '../../support/builders.ts'

const tz = 'Europe/Riga'

/** Returns a local time on 17 November, or `16 04:09`. */
function local(time: string): Instant {
  const [day, clock] = time.includes(' ') ? time.split(' ') : ['17', time]
  return Temporal.ZonedDateTime.from(`2026-11-${day}T${clock}[${tz}]`).toInstant()
}

const NIGHTLY = { kind: 'cron', schedule: '30 3 * * *', tz, nEvents: 1, lastPingAt: local('16 04:09') } as const

function wentDown(check: Partial<Check> = {}, flip: Partial<Flip> = {}, given: Partial<FlipStory> = {}): FlipStory {
  return {
    check: aCheck({ ...NIGHTLY, status: 'down', ...check }),
    flip: aFlip({ createdAt: local('04:30'), ...flip }),
    previousFlip: null,
    isNewest: true,
    incident: null,
    projectTz: null,
    lastPing: null,
    uncounted: NOTHING_UNCOUNTED,
    advice: null,
    cause: null,
    ...given,
  }
}

function failed(body: string, given: Parameters<typeof aPing>[0] = {}, check: Partial<Check> = {}): FlipStory {
  const at = local('07:15')
  const lastPing = aPing({ kind: 'fail', exitStatus: 2, receivedAt: at, body: bytes(body), ...given })
  return wentDown({ lastPingAt: at, ...check }, { createdAt: at, reason: 'fail' }, { lastPing })
}

function cameUp(
  check: Partial<Check> = {},
  previousFlip: Flip | null = aFlip({ createdAt: local('04:30') }),
): FlipStory {
  const at = local('06:40')
  const flip = aFlip({ n: 2, createdAt: at, oldStatus: 'down', newStatus: 'up', reason: '' })
  return wentDown({ status: 'up', nEvents: 2, lastPingAt: at, ...check }, flip, { previousFlip })
}

/** Returns the sentence as written a second after the flip. */
function says(story: FlipStory, now = addSeconds(story.flip.createdAt, 1)): string {
  return flipSentenceText(story, now)
}

describe('a check that went down by silence', () => {
  test('says what is missing since when, in its zone', () => {
    expect(says(wentDown())).toBe(
      'No ping since yesterday 04:09 (Europe/Riga). Due 03:30, one hour of grace ended 04:30.',
    )
    expect(says(wentDown({ kind: 'simple', tz: 'UTC', timeoutSeconds: 84_060 }))).toBe(
      'No ping since yesterday 02:09 UTC. Due 01:30, one hour of grace ended 02:30.',
    )
  })

  test('counts no run whose grace time goes on: a second that is due at that moment may come', () => {
    const often = { kind: 'simple', timeoutSeconds: 600, lastPingAt: local('03:20') } as const
    expect(says(wentDown(often))).toBe('No ping since 03:20 (Europe/Riga). Due 03:30, one hour of grace ended 04:30.')
  })

  test('may be in the middle of a run', () => {
    expect(says(wentDown({ lastStartAt: local('03:30') }))).toBe(
      'Started 03:30 (Europe/Riga) and has not ended, one hour of grace ended 04:30.',
    )
  })

  test('does not name a due time after it went down, of a schedule that was changed since', () => {
    expect(says(wentDown({ schedule: '0 9 * * *', lastPingAt: local('03:00') }))).toBe(
      'No ping since 03:00 (Europe/Riga).',
    )
  })

  test('has its times as of the day on which it is written', () => {
    expect(says(wentDown(), local('18 00:30'))).toBe(
      'No ping since 16 Nov 04:09 (Europe/Riga). Due yesterday 03:30, one hour of grace ended yesterday 04:30.',
    )
  })
})

describe('a check that failed', () => {
  test('says how, with the last line', () => {
    expect(says(failed('starting\nhost key has changed\n'))).toBe(
      'Failed: exit status 2. Last line: ‘host key has changed’.',
    )
    expect(says(failed('', { exitStatus: null }))).toBe('Failed.')
  })

  test('counts the failures in a row', () => {
    const run = { kind: 'failed', duration: null, missed: 0 } as const
    const runs = recordRun(recordRun(recordRun(new Uint8Array(), { ...run, kind: 'ok' }), run), run)
    expect(says(failed('no', {}, { runs }))).toBe('Failed twice: exit status 2. Last line: ‘no’.')
  })

  test('has nothing in it that would allow pings', () => {
    const sentence = says(failed(`curl -fsS https://hc.example.org/ping/${CHECK_ID}`))
    expect(sentence).toBe('Failed: exit status 2. Last line: ‘curl -fsS https://hc.example.org/ping/…’.')
  })

  test('quotes no email, whose last line says nothing', () => {
    expect(says(failed('--boundary--', { scheme: 'email' }))).toBe('Failed: exit status 2.')
  })

  test('says what made an email a failure, and where the body is left out, not its subject', () => {
    const rule = { name: 'keyword', word: 'Failed', part: 'subject' } as const
    const story = { ...failed('', { scheme: 'email', exitStatus: null }), cause: { subject: '[Failed] Nightly', rule } }
    expect(says(story)).toBe('Failed: ‘[Failed] Nightly’. The keyword ‘Failed’ is in the subject.')
    expect(says(withoutBody(story))).toBe('Failed. The keyword ‘Failed’ is in the subject.')
  })

  test('quotes nothing where the body is left out', () => {
    expect(says(withoutBody(failed('token=abc')))).toBe('Failed: exit status 2.')
    expect(withoutBody(wentDown())).toEqual(wentDown())
  })

  test('has few words when the log does not have the ping any more', () => {
    expect(says({ ...failed(''), lastPing: null })).toBe('Failed.')
    expect(says(failed('', { kind: 'log' }))).toBe('Failed.')
  })

  test('tells what the job wrote from the words around it', () => {
    const pieces = flipSentencePieces(failed('a\u202eb'), local('07:16'))
    expect(pieces.filter(({ isForeign }) => isForeign).map(({ text }) => text)).toEqual(['ab'])
  })
})

describe('a check that has changed before its message is written', () => {
  const later = { lastPingAt: local('06:40') }

  test('had its last ping when the log says', () => {
    const lastPing = aPing({ receivedAt: local('16 04:09') })
    expect(says(wentDown(later, {}, { lastPing }))).toBe(says(wentDown()))
  })

  test('had ignored the pings that the log says, and what was refused since is not told', () => {
    const counts = { 'no-keyword': 0, method: 2, pause: 0, log: 0, unknown: 0 }
    const pings = { counts, method: 'GET', lastAt: local('04:00') }
    const refused = { n: 1, lastTail: '/-1', lastAt: local('05:00') }
    const uncounted = { pings, refused }
    const lastPing = aPing({ kind: 'ign', receivedAt: local('04:00') })
    expect(says(wentDown(later, {}, { lastPing, uncounted }))).toBe(
      '2 pings have arrived, but none counted: they used GET.',
    )
    expect(says(wentDown({}, {}, { uncounted: { pings: null, refused } }))).toContain('No ping counted since')
  })

  test('had started a run when the log says', () => {
    const lastPing = aPing({ kind: 'start', receivedAt: local('03:30') })
    expect(says(wentDown(later, {}, { lastPing }))).toStartWith('Started 03:30 (Europe/Riga) and has not ended')
  })

  test('counts no runs, for they are others now', () => {
    const often = { kind: 'simple', timeoutSeconds: 600 } as const
    const lastPing = aPing({ receivedAt: local('03:20') })
    expect(says(wentDown({ ...later, ...often }, {}, { lastPing }))).toBe(
      'No ping since 03:20 (Europe/Riga). Due 03:30, one hour of grace ended 04:30.',
    )
  })

  test('has few words when nothing is known of its pings', () => {
    expect(says(wentDown(later))).toBe('No ping arrived in time.')
    expect(says(wentDown({ lastPingAt: null }, {}, { lastPing: aPing({ kind: 'log' }), isNewest: false }))).toBe(
      'No ping arrived in time.',
    )
  })
})

test('a check that was held and noted since it went down is as it was', () => {
  expect(says(wentDown({ nEvents: 4 }))).toBe(says(wentDown()))
})

describe('a check that came up', () => {
  test('says how long it was down, and when the next ping is due', () => {
    expect(says(cameUp())).toBe('Up again after 2 h 10 min. Next ping due tomorrow at 03:30 (Europe/Riga).')
  })

  test('may have been down nobody knows how long', () => {
    expect(says(cameUp({}, null))).toStartWith('Up again. Next ping due ')
    expect(says(cameUp({}, aFlip({ newStatus: 'paused' })))).toStartWith('Up again. Next ping due ')
  })

  test('counts from that ping, whatever came after it', () => {
    expect(says(cameUp({ nEvents: 3, status: 'down', lastPingAt: local('18 03:31') }))).toBe(says(cameUp()))
  })

  test('announces no ping of a check that was paused since', () => {
    expect(says(cameUp({ nEvents: 3, status: 'paused' }))).toBe('Up again after 2 h 10 min.')
  })

  test('announces nothing that has passed when its message is written', () => {
    expect(says(cameUp(), local('18 09:00'))).toBe('Up again after 2 h 10 min.')
  })

  test('may have had its last run', () => {
    const once = { kind: 'oncalendar', schedule: '2026-11-17 03:30' } as const
    expect(says(cameUp(once))).toBe('Up again after 2 h 10 min. No further run is scheduled.')
  })
})

describe('the incident', () => {
  const by = { kind: 'person', accountId: 'a', name: 'ann@example.org' } as const
  const silence = { why: 'silence', silenceId: 's', until: local('06:00') } as const
  const NOTHING = { n: 1, held: null, reason: '', note: null } as const
  const note = { at: local('06:10'), by, text: 'Disk is full.' }
  const late = local('06:00')

  test('says what held a late alert, and since when the check is down', () => {
    const story = failed('disk full')
    const held = { ...silence, until: local('09:00') }
    const told = (reason: string) => says({ ...story, incident: { ...NOTHING, held, reason } }, local('09:00'))
    expect(told('upgrade')).toBe(
      'Failed: exit status 2. Last line: ‘disk full’. Held until 09:00 (Europe/Riga) by silence ‘upgrade’, down since 07:15.',
    )
    expect(told('')).toEndWith('Held until 09:00 (Europe/Riga) by a silence, down since 07:15.')
  })

  test('may have been held by whoever was on it', () => {
    const held = { why: 'acknowledgement', by, until: late } as const
    expect(says(wentDown({}, {}, { incident: { ...NOTHING, held } }), late)).toEndWith(
      ' Held until 06:00 by ann@example.org, down since 04:30.',
    )
  })

  test('says of a late alert what was so when the check went down, whatever came until it was sent', () => {
    const later = { lastPingAt: local('05:00'), nEvents: 4 }
    const lastPing = aPing({ receivedAt: local('16 04:09') })
    const story = wentDown(later, {}, { lastPing, incident: { ...NOTHING, held: silence } })
    expect(says(story, late)).toBe(
      'No ping since yesterday 04:09 (Europe/Riga). Due 03:30, one hour of grace ended 04:30. ' +
        'Held until 06:00 by a silence, down since 04:30.',
    )
    // Events of people have numbers, but do not change the sentence.
    expect(says(wentDown({ nEvents: 4 }, {}, { incident: NOTHING }), late)).toBe(says(wentDown(), late))
  })

  test('does not say again on the way up what held the first alert', () => {
    expect(says({ ...cameUp(), incident: { ...NOTHING, held: silence } })).toBe(says(cameUp()))
  })

  test('has the last note in later alerts', () => {
    expect(says({ ...cameUp(), incident: { ...NOTHING, note } })).toBe(
      'Up again after 2 h 10 min. Next ping due tomorrow at 03:30 (Europe/Riga). Note by ann@example.org at 06:10: ‘Disk is full.’',
    )
    expect(says(wentDown({}, {}, { incident: { ...NOTHING, note } }), local('06:20'))).toEndWith(
      ' Note by ann@example.org at 06:10: ‘Disk is full.’',
    )
  })

  test('shows notes and reasons on one line, as far as they fit, and nothing that would allow pings', () => {
    const text = `curl https://hc.example.org/ping/${CHECK_ID}\n${'x'.repeat(1_000)}`
    const words = says({ ...cameUp(), incident: { ...NOTHING, note: { ...note, text } } })
    expect(words).toContain('‘curl https://hc.example.org/ping/… xxx')
    expect(words.length).toBeLessThan(350)
    const story = wentDown({}, {}, { incident: { ...NOTHING, held: silence, reason: text } })
    expect(says(story).length).toBeLessThan(300)
    const pieces = flipSentencePieces(story, late).filter(({ isForeign }) => isForeign)
    expect(pieces.map((piece) => piece.text)).toEqual([expect.stringContaining('curl')])
  })

  test('says nothing of what people wrote where the message is short', () => {
    const story = wentDown({}, {}, { incident: { n: 1, held: silence, reason: 'upgrade', note } })
    expect(says(withoutBody(story), late)).toEndWith(' Held until 06:00 by a silence, down since 04:30.')
  })
})

describe('the zone', () => {
  test('may be that of the receiver', () => {
    const story = wentDown()
    expect(flipSentenceText(story, story.flip.createdAt, 'America/New_York')).toBe(
      'No ping since yesterday 21:09 (America/New_York). Due 20:30, one hour of grace ended 21:30.',
    )
  })

  test('is that of the project in messages without one of their own', () => {
    const story = wentDown({}, {}, { projectTz: 'America/New_York' })
    const now = local('04:30')
    expect(flipSentenceText(story, now)).toContain('(America/New_York)')
    expect(flipSentenceText(story, now, 'Asia/Tokyo')).toContain('(Asia/Tokyo)')
  })

  test('is UTC when nobody knows the rules of another any more', () => {
    expect(says(wentDown({ tz: 'Atlantis/Capital' }))).toBe('No ping since yesterday 02:09 UTC.')
  })
})

test('the words are those of the page at that moment', () => {
  const runs = recordRun(new Uint8Array(), { kind: 'failed', duration: null, missed: 0 })
  for (const story of [wentDown(), wentDown({ lastStartAt: local('03:30') }), failed('disk full', {}, { runs })]) {
    const { check, flip, lastPing } = story
    const now = flip.createdAt
    const trouble = { since: now, reason: flip.reason, failure: lastPing && failureOf(lastPing, null) }
    const view = {
      check,
      channelIds: [],
      state: 'down',
      expected: null,
      usual: null,
      isSlow: false,
      isResumed: false,
      resumedAt: null,
      pause: null,
      trouble,
      uncounted: NOTHING_UNCOUNTED,
      advice: null,
    } as const
    const page = sentenceOf(view, stripOf(check, now))
    expect(`${flipSentenceText(story, now).replace(' (Europe/Riga)', '')} Down for 0 s.`).toBe(
      sentenceText(page ?? [], { now, tz }),
    )
  }
})

describe('a ping that came late', () => {
  const succeeded = (ran: string, previous: Partial<Flip> = {}) => {
    const story = cameUp({}, aFlip({ createdAt: local('04:30'), ...previous }))
    return { ...story, lastPing: aPing({ receivedAt: local('06:40'), occurredAt: local(ran) }) }
  }

  test('and had ended a run in time, tells that the outage was none', () => {
    expect(says(succeeded('03:12'))).toBe(
      'Up again after 2 h 10 min. The job had succeeded at 03:12 (Europe/Riga), in time; its ping arrived 3 h 28 min late. ' +
        'Next ping due tomorrow at 03:30.',
    )
  })

  test.each([
    ['after the deadline', '04:30', {}],
    ['after a failure', '03:12', { reason: 'fail' }],
  ] as const)('%s, tells only that it was late', (_, ran, previous) => {
    expect(says(succeeded(ran, previous))).toMatch(
      / The job had succeeded at \d\d:\d\d \(Europe\/Riga\); its ping arrived \d h \d+ min late\. /,
    )
  })

  test('and reports a failure, still takes the check down, and says when it failed', () => {
    expect(says(failed('broken', { occurredAt: local('05:15') }))).toContain(
      'The job had failed at 05:15 (Europe/Riga); its ping arrived 2 h late.',
    )
  })

  test('before the flip, is not what made it', () => {
    const earlier = { ...cameUp(), lastPing: aPing({ receivedAt: local('06:39'), occurredAt: local('03:12') }) }
    expect(says(earlier)).not.toContain('late')
    const silent = wentDown({}, {}, { lastPing: aPing({ receivedAt: local('04:30'), occurredAt: local('03:12') }) })
    expect(says(silent)).not.toContain('its ping arrived')
  })
})
