/** Sentences about a check that needs attention, in the words of a reader in Riga at 09:42 on 17 November. */
import { describe, expect, test } from 'bun:test'
import type { Advice } from '../../../src/domain/advice/advice.ts'
import type { FailureCause } from '../../../src/domain/cause/failure-cause.ts'
import type { RefusedSignals } from '../../../src/domain/cause/refused.ts'
import type { Failure, Trouble } from '../../../src/domain/cause/trouble.ts'
import { NOTHING_UNCOUNTED, type Uncounted, type UncountedPings } from '../../../src/domain/cause/uncounted.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { recordPause, recordRun } from '../../../src/domain/check/run-history.ts'
import { showCheck } from '../../../src/domain/check/shown-check.ts'
import type { CheckView } from '../../../src/domain/list/check-view.ts'
import { headlineOf, type Pause, type SentenceRun, sentenceOf } from '../../../src/domain/sentence/sentence.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { type Instant, Temporal } from '../../../src/lib/time.ts'
import { aCheck } from '../../support/builders.ts'

const tz = 'Europe/Riga'
const NOW = local('09:42')

/** Returns a local time today, or `16 04:09` in November. */
function local(time: string): Instant {
  const [day, clock] = time.includes(' ') ? time.split(' ') : ['17', time]
  return Temporal.ZonedDateTime.from(`2026-11-${day}T${clock}[${tz}]`).toInstant()
}

interface Given {
  readonly check?: Partial<Check>
  readonly trouble?: Trouble
  /** newest last: `o` ok, `f` failed, `m` missing, `r` running */
  readonly runs?: string
  /** seconds of each run that ended */
  readonly seconds?: readonly number[]
  readonly channelIds?: readonly string[]
  readonly pause?: Pause | null
  readonly uncounted?: Partial<Uncounted>
  readonly advice?: Advice
  readonly resumedAt?: Instant | null
}

const KINDS: Readonly<Record<string, SentenceRun['kind']>> = { o: 'ok', f: 'failed', m: 'missing', r: 'running' }

function recorded(seconds: readonly number[]): Uint8Array {
  let runs: Uint8Array = new Uint8Array(0)
  for (const each of seconds) runs = recordRun(runs, { kind: 'ok', duration: each * 1_000_000, missed: 0 })
  return runs
}

function given({
  check: fields,
  trouble,
  runs = 'ooo',
  seconds = [],
  channelIds = ['email'],
  uncounted,
  advice,
  resumedAt = null,
  pause = null,
}: Given) {
  const daily = { kind: 'cron', schedule: '30 3 * * *', tz, status: 'up', lastPingAt: local('16 04:09') } as const
  const check = aCheck({ ...daily, runs: recorded(seconds), ...fields })
  const shown = showCheck(check, NOW)
  const view: CheckView = {
    check,
    ...shown,
    state: trouble ? 'down' : shown.state,
    resumedAt,
    pause,
    trouble: trouble ?? null,
    channelIds,
    uncounted: { ...NOTHING_UNCOUNTED, ...uncounted },
    advice: advice ?? null,
  }
  const marks = [...runs].map((letter): SentenceRun => ({ kind: KINDS[letter] ?? 'ok', duration: null }))
  return { view, marks }
}

function says(about: Given): string | null {
  const { view, marks } = given(about)
  const sentence = sentenceOf(view, marks)
  return sentence && sentenceText(sentence, { now: NOW, tz })
}

function heads(about: Given): readonly [string, string] {
  const { view, marks } = given(about)
  const { lead, detail } = headlineOf(view, marks)
  return [sentenceText(lead, { now: NOW, tz }), sentenceText(detail, { now: NOW, tz })]
}

const silent = (since: string, failure: Failure | null = null): Trouble => ({
  since: local(since),
  reason: failure ? 'fail' : 'timeout',
  failure,
})

const failure = (fields: Partial<Failure> = {}): Failure => ({
  n: 7,
  happenedAt: local('07:15'),
  exitStatus: 2,
  lastLine: 'host key has changed',
  cause: null,
  ...fields,
})

describe('a check that is late', () => {
  const daily = { schedule: '0 9 * * *', lastPingAt: local('16 09:08') } as const

  test('was due, and says when alerts are sent', () => {
    expect(says({ check: daily })).toBe('Due 09:00, no ping yet. Alerts are sent at 10:00, in 18 min.')
  })

  test('says that nobody is told without an integration', () => {
    expect(says({ check: daily, channelIds: [] })).toBe(
      'Due 09:00, no ping yet. It goes down at 10:00, in 18 min; no one is alerted.',
    )
  })

  test('may have until tomorrow', () => {
    expect(says({ check: { ...daily, graceSeconds: 86_400 } })).toEndWith(
      'Alerts are sent tomorrow at 09:00, in 23 h 18 min.',
    )
  })
})

describe('a check that is down by silence', () => {
  const down = { status: 'down' } as const

  test('says what is missing since when', () => {
    expect(says({ check: down, trouble: silent('04:30'), runs: 'ooom' })).toBe(
      'No ping since yesterday 04:09. Due 03:30, one hour of grace ended 04:30. Down for 5 h 12 min.',
    )
  })

  test('counts the runs in a row that are missing', () => {
    const check = { ...down, kind: 'simple', timeoutSeconds: 600, lastPingAt: local('08:34') } as const
    expect(says({ check, trouble: silent('08:47'), runs: 'fommmmmm' })).toBe(
      'No ping since 08:34. 6 runs in a row are missing. Down for 55 min.',
    )
    expect(says({ check, trouble: silent('08:47'), runs: 'm'.repeat(30) })).toContain(
      '30 or more runs in a row are missing.',
    )
  })

  test('says the whole grace time in words only if it was that long', () => {
    expect(says({ check: { ...down, graceSeconds: 1_800 }, trouble: silent('04:00'), runs: 'm' })).toContain(
      'Due 03:30, 30 minutes of grace ended 04:00.',
    )
    expect(says({ check: down, trouble: silent('04:45'), runs: 'm' })).toContain(
      'Due 03:30, its grace time ended 04:45.',
    )
  })

  test('may be running since', () => {
    const check = { ...down, lastStartAt: local('09:40') }
    expect(says({ check, trouble: silent('04:30'), runs: 'omr' })).toEndWith(
      'Down for 5 h 12 min. Running since 09:40.',
    )
  })

  test('may have a run that did not end', () => {
    const check = { ...down, lastStartAt: local('08:11') }
    expect(says({ check, trouble: silent('09:11'), runs: 'oor' })).toBe(
      'Started 08:11 and has not ended, one hour of grace ended 09:11. Down for 31 min.',
    )
  })

  test('says what it knows of a check that was down before its first ping, or whose schedule is not readable', () => {
    expect(says({ check: { ...down, lastPingAt: null }, trouble: silent('09:41') })).toBe(
      'No ping yet. Down for 1 min.',
    )
    expect(says({ check: { ...down, tz: 'Nowhere/Gone' }, trouble: silent('09:41') })).toBe(
      'No ping since yesterday 04:09. Down for 1 min.',
    )
    const { view } = given({ check: down })
    expect(sentenceOf({ ...view, state: 'down' }, [])).toEqual(['Down.'])
  })
})

describe('a check that is down by a failure', () => {
  const check = { status: 'down', lastPingAt: local('07:15') } as const

  test('says how often it failed, its exit status and its last line', () => {
    expect(says({ check, trouble: silent('07:15', failure()), runs: 'of' })).toBe(
      'Failed: exit status 2. Last line: ‘host key has changed’. Down for 2 h 27 min.',
    )
    expect(says({ check, trouble: silent('07:15', failure()), runs: 'off' })).toStartWith(
      'Failed twice: exit status 2.',
    )
    expect(says({ check, trouble: silent('07:15', failure()), runs: 'offf' })).toStartWith('Failed 3 times in a row:')
    expect(says({ check, trouble: silent('07:15', failure()), runs: 'f'.repeat(30) })).toStartWith(
      'Failed 30 or more times in a row:',
    )
  })

  test('says less when the ping said less', () => {
    const bare = silent('07:15', failure({ exitStatus: null, lastLine: null }))
    expect(says({ check, trouble: bare, runs: 'of' })).toBe('Failed. Down for 2 h 27 min.')
  })

  test.each([
    [
      { subject: '[Failed] Nightly', rule: { name: 'keyword', word: 'Failed', part: 'subject' } },
      { exitStatus: null, lastLine: null },
      'Failed: ‘[Failed] Nightly’. The keyword ‘Failed’ is in the subject.',
      'Subject: ‘[Failed] Nightly’. The keyword ‘Failed’ is in the subject.',
    ],
    [
      { subject: 'Is it well?', rule: { name: 'no-keyword', searched: 'subject or the text' } },
      { exitStatus: null, lastLine: null },
      'Failed: ‘Is it well?’ No keyword is in the subject or the text, so the ping counts as a failure.',
      'Subject: ‘Is it well?’ No keyword is in the subject or the text, so the ping counts as a failure.',
    ],
    [
      { subject: null, rule: { name: 'keyword', word: 'ERROR', part: 'body' } },
      {},
      'Failed: exit status 2. The keyword ‘ERROR’ is in the body. Last line: ‘host key has changed’.',
      'Exit status 2. The keyword ‘ERROR’ is in the body. Last line: ‘host key has changed’.',
    ],
    [
      { subject: 'Nightly', rule: null },
      { exitStatus: null, lastLine: null },
      'Failed: ‘Nightly’.',
      'Subject: ‘Nightly’.',
    ],
  ] as const satisfies readonly (readonly [FailureCause, Partial<Failure>, string, string])[])(
    'says what made it a failure: %j',
    (cause, fields, sentence, detail) => {
      const trouble = silent('07:15', failure({ ...fields, cause }))
      expect(says({ check, trouble })).toBe(`${sentence} Down for 2 h 27 min.`)
      expect(heads({ check, trouble })[1]).toBe(detail)
    },
  )

  test('counts the runs that are missing after it', () => {
    const trouble = silent('07:15', failure({ lastLine: null }))
    expect(says({ check, trouble, runs: 'offm' })).toBe(
      'Failed twice: exit status 2. The run after it is missing. Down for 2 h 27 min.',
    )
    expect(says({ check, trouble, runs: 'ofmmm' })).toContain('Failed: exit status 2. The 3 runs after it are missing.')
  })
})

describe('a run that goes on', () => {
  const check = { lastPingAt: local('04:09'), lastStartAt: local('08:11'), graceSeconds: 7_200 } as const
  const usually = (minutes: number) => {
    return { seconds: Array(5).fill(minutes * 60), check: { ...check, lastDuration: minutes * 60_000_000 } }
  }

  test('is worth a sentence when it takes longer than those before it', () => {
    expect(says(usually(60))).toBe('Started 08:11. Longer than usual: 1 h.')
  })

  test('is worth none as long as it is usual, or nobody knows what is', () => {
    expect(says(usually(80))).toBeNull()
    expect(says({ check, seconds: [300, 300, 300, 300] })).toBeNull()
  })

  test('has a headline', () => {
    const next = 'Alerts are sent at 10:11, in 29 min, unless it ends.'
    expect(heads(usually(80))).toEqual(['Running for 1 h 31 min, since 08:11.', `Usually: 1 h 20 min. ${next}`])
    expect(heads(usually(60))[1]).toBe(`Longer than usual: 1 h. ${next}`)
    expect(heads({ check })[1]).toBe(next)
  })

  test('answers what was due meanwhile, until it is slow', () => {
    const due = { schedule: '0 9 * * *', lastPingAt: local('16 09:08'), lastStartAt: local('08:55') } as const
    expect(says({ check: due })).toBeNull()
    expect(heads({ check: due })[0]).toBe('Running for 47 min, since 08:55.')
    const seconds = Array(5).fill(300)
    expect(says({ check: { ...due, lastDuration: 300_000_000 }, seconds })).toBe(
      'Due 09:00, running since 08:55. Longer than usual: 5 min. Alerts are sent at 09:55, in 13 min.',
    )
  })
})

test('a check that is fine needs no sentence', () => {
  expect(says({ check: { lastPingAt: local('04:09') } })).toBeNull()
  expect(says({ check: { status: 'paused' } })).toBeNull()
  expect(says({ check: { status: 'new', lastPingAt: null } })).toBeNull()
})

describe('the headline of a check', () => {
  test('that is down by silence', () => {
    const check = { status: 'down', lastDuration: 2_280_000_000 } as const
    expect(heads({ check, trouble: silent('04:30'), runs: 'om' })).toEqual([
      'Down for 5 h 12 min: the run due at 03:30 never reported.',
      'Last ping yesterday 04:09, after 38 min. Due 03:30, one hour of grace ended 04:30.',
    ])
    expect(heads({ check, trouble: silent('16 04:30'), runs: 'ommm' })[0]).toBe(
      'Down for 1 d 5 h: 3 runs in a row are missing.',
    )
    expect(heads({ check: { ...check, lastStartAt: local('08:11') }, trouble: silent('09:11') })[0]).toBe(
      'Down for 31 min: a run has not ended.',
    )
    expect(heads({ check: { status: 'down', lastPingAt: null }, trouble: silent('09:11') })).toEqual([
      'Down for 31 min: no ping arrived.',
      '',
    ])
  })

  test('that is down by a failure', () => {
    const check = { status: 'down', lastPingAt: local('07:15') } as const
    expect(heads({ check, trouble: silent('16 07:15', failure()), runs: 'off' })).toEqual([
      'Down for 1 d 2 h: failed twice, the last time at 07:15.',
      'Exit status 2. Last line: ‘host key has changed’.',
    ])
    expect(heads({ check, trouble: silent('16 07:15', failure()), runs: 'of' })[0]).toBe(
      'Down for 1 d 2 h: failed at 07:15.',
    )
  })

  test('by a failure whose last line ends a sentence', () => {
    const check = { status: 'down', lastPingAt: local('07:15') } as const
    const trouble = silent('16 07:15', failure({ lastLine: 'Authentication failed.' }))
    expect(heads({ check, trouble, runs: 'off' })?.[1]).toBe('Exit status 2. Last line: ‘Authentication failed.’')
  })

  test('that is late', () => {
    const check = { schedule: '0 9 * * *', lastPingAt: local('16 09:08') } as const
    expect(heads({ check })).toEqual([
      'Due 09:00, no ping yet.',
      'Alerts are sent at 10:00, in 18 min. Last ping yesterday 09:08.',
    ])
  })

  test('that is up', () => {
    expect(heads({ check: { schedule: '0 2 * * *', lastPingAt: local('02:05') } })).toEqual([
      'Up.',
      'Next ping due in 16 h 18 min, tomorrow at 02:00.',
    ])
    const { view, marks } = given({ check: { schedule: '0 2 * * *', lastPingAt: local('02:05') } })
    const again = (downtime: number | null) =>
      sentenceText(headlineOf(view, marks, { downtime }).lead, { now: NOW, tz })
    expect([again(7_800), again(null)]).toEqual(['Up again after 2 h 10 min.', 'Up again.'])
    expect(heads({ check: { kind: 'oncalendar', schedule: '2020-01-01' } })[1]).toBe('No further run is scheduled.')
  })

  test('that is new', () => {
    expect(heads({ check: { status: 'new', lastPingAt: null } })).toEqual([
      'New: no ping yet.',
      'Monitoring starts with the first ping.',
    ])
  })

  test('that was resumed says that it is not watched, and never that no ping came', () => {
    const check = { status: 'new', lastPingAt: null, nPings: 7, runs: recordPause(recorded([60])) } as const
    const words = 'Resumed 2 min ago. Not monitored until the next ping arrives.'
    const resumedAt = local('09:40')
    expect([heads({ check, resumedAt }), says({ check, resumedAt })]).toEqual([[words, ''], words])
    expect(heads({ check })[0]).toBe('Resumed. Not monitored until the next ping arrives.')
  })

  test('that is paused', () => {
    const paused = { status: 'paused' } as const
    const pause = { at: local('02 10:03'), by: { kind: 'person', name: 'ops@example.org' } } as const
    expect(heads({ check: paused })).toEqual(['Paused.', 'A ping resumes it.'])
    expect(heads({ check: { ...paused, manualResume: true }, pause })).toEqual([
      'Paused by ops@example.org on 2 Nov at 10:03.',
      'It stays paused until you resume it.',
    ])
    const firstLine = (by: Pause['by']) => heads({ check: paused, pause: { ...pause, by } })[0]
    expect(firstLine(null)).toBe('Paused on 2 Nov at 10:03.')
    expect(firstLine({ kind: 'key', name: 'abcdefgh' })).toBe('Paused by an API key on 2 Nov at 10:03.')
    expect(firstLine({ kind: 'command', name: '' })).toBe('Paused by a command on 2 Nov at 10:03.')
  })
})

describe('a check whose pings do not count', () => {
  const pings: UncountedPings = {
    counts: { 'no-keyword': 5, method: 0, pause: 0, log: 0, unknown: 0 },
    method: null,
    lastAt: local('09:41'),
  }
  const refused: RefusedSignals = { n: 1, lastTail: '/-1', lastAt: local('09:00') }
  const down = { status: 'down' } as const
  const came = '5 pings have arrived since yesterday 04:09, but none counted'
  const wasRefused = 'The exit status -1 was refused at 09:00: only 0 to 255 count. Send /fail for it.'

  test('is not silent while it is down', () => {
    const trouble = silent('04:30')
    expect(says({ check: down, trouble, runs: 'ooom', uncounted: { pings } })).toBe(
      `${came}: no keyword was found. Due 03:30, one hour of grace ended 04:30. Down for 5 h 12 min.`,
    )
    expect(heads({ check: down, trouble, runs: 'ooom', uncounted: { pings } })).toEqual([
      `Down for 5 h 12 min: ${came}.`,
      'No keyword was found. Due 03:30, one hour of grace ended 04:30.',
    ])
    expect(says({ check: down, trouble, runs: 'ooom', uncounted: { refused } })).toBe(
      `No ping counted since yesterday 04:09. ${wasRefused} Due 03:30, one hour of grace ended 04:30. Down for 5 h 12 min.`,
    )
  })

  test('says so after a failure, and in a run that did not end', () => {
    const failed = { check: { ...down, lastPingAt: local('07:15') }, trouble: silent('07:15', failure()), runs: 'of' }
    expect(says({ ...failed, uncounted: { pings } })).toContain(
      '5 pings have arrived since 07:15, but none counted: no keyword',
    )
    expect(heads({ ...failed, uncounted: { pings } })[1]).toContain(
      '5 pings have arrived since 07:15, but none counted: no',
    )
    const endless = { check: { ...down, lastStartAt: local('08:11') }, trouble: silent('09:11'), runs: 'oor' }
    expect(says({ ...endless, uncounted: { pings } })).toStartWith('Started 08:11 and has not ended, one hour of grace')
    for (const text of [says({ ...endless, uncounted: { pings } }), heads({ ...endless, uncounted: { pings } })[1]]) {
      expect(text).toContain('5 pings have arrived since 08:11, but none counted: no keyword was found.')
    }
  })

  test('says so while it is late, runs, or is new', () => {
    const late = { schedule: '0 9 * * *', lastPingAt: local('16 09:08') } as const
    expect(says({ check: late, uncounted: { pings } })).toBe(
      'Due 09:00. 5 pings have arrived since yesterday 09:08, but none counted: no keyword was found. Alerts are sent at 10:00, in 18 min.',
    )
    const running = { lastPingAt: local('04:09'), lastStartAt: local('08:11'), graceSeconds: 7_200 } as const
    expect(says({ check: running, uncounted: { pings } })).toStartWith(
      '5 pings have arrived since 08:11, but none counted',
    )
    const fresh = { status: 'new', lastPingAt: null } as const
    expect(says({ check: fresh, uncounted: { pings } })).toBe(
      '5 pings have arrived, but none counted: no keyword was found.',
    )
    expect(heads({ check: fresh, uncounted: { refused } })).toEqual([
      'New: no ping counted yet.',
      `Monitoring starts with the first ping that counts. ${wasRefused}`,
    ])
  })

  test('says on its page what was refused, whatever its state, and elsewhere only while it matters', () => {
    const up = { schedule: '0 2 * * *', lastPingAt: local('09:30') } as const
    expect(heads({ check: up, uncounted: { refused } })[1]).toBe(
      `Next ping due in 16 h 18 min, tomorrow at 02:00. ${wasRefused}`,
    )
    expect(says({ check: up, uncounted: { refused } })).toBeNull()
  })
})
