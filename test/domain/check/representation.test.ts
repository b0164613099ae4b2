/** A check as the API returns it: its members, their order, and how they differ by key and version. */
import { describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { type ApiVersion, checkUrl, representCheck, type View } from '../../../src/domain/check/representation.ts'
import { uniqueKey } from '../../../src/domain/check/unique-key.ts'
import { ADDED } from '../../conformance/not-yet.ts'
import { aCheck, at, CHECK_ID, LINKS, NOON } from '../../support/builders.ts'

const VIEW: View = { version: 3, right: 'write', links: LINKS, now: NOON }
const shown = (given: Partial<Check> = {}, view: Partial<View> = {}, channelIds: readonly string[] = []) =>
  representCheck({ check: aCheck(given), channelIds }, { ...VIEW, ...view })

/** Members of checks in Healthchecks. */
const COMMON = [
  ...['name', 'slug', 'tags', 'desc', 'grace', 'n_pings', 'status', 'started', 'last_ping', 'next_ping'],
  ...['manual_resume', 'methods', 'subject', 'subject_fail', 'start_kw', 'success_kw', 'failure_kw'],
  ...['filter_subject', 'filter_body', 'filter_http_body', 'filter_default_fail', 'badge_url'],
]
const WRITABLE = ['uuid', 'ping_url', 'update_url', 'pause_url', 'resume_url', 'channels']

describe('the members and their order', () => {
  test.each([
    ['of a simple check', {}, {}, [...COMMON, ...WRITABLE, 'timeout']],
    ['of a cron check', { kind: 'cron' }, {}, [...COMMON, ...WRITABLE, 'schedule', 'tz']],
    ['of an OnCalendar check', { kind: 'oncalendar' }, {}, [...COMMON, ...WRITABLE, 'schedule', 'tz']],
    ['with a duration', { lastDuration: 1 }, {}, [...COMMON, 'last_duration', ...WRITABLE, 'timeout']],
    ['with a read-only key', {}, { right: 'read' }, [...COMMON, 'unique_key', 'timeout']],
    [
      'with a read-only key, of a cron check with a duration',
      { kind: 'cron', lastDuration: 1 },
      { right: 'read' },
      [...COMMON, 'last_duration', 'unique_key', 'schedule', 'tz'],
    ],
  ] as const)('%s', (_, given, view, members) => {
    for (const version of [1, 2, 3] as const)
      expect(Object.keys(shown(given, { ...view, version })).filter((name) => !ADDED.has(name))).toEqual([...members])
  })
})

test('a fresh check', () => {
  const url = `https://overdue.test/api/v3/checks/${CHECK_ID}`
  expect(shown()).toMatchObject({
    name: '',
    slug: '',
    tags: '',
    desc: '',
    grace: 3600,
    n_pings: 0,
    status: 'new',
    started: false,
    last_ping: null,
    next_ping: null,
    manual_resume: false,
    methods: '',
    subject: '',
    subject_fail: '',
    start_kw: '',
    success_kw: '',
    failure_kw: '',
    filter_subject: false,
    filter_body: false,
    filter_http_body: false,
    filter_default_fail: false,
    badge_url: `https://overdue.test/b/2/${aCheck().badgeKey}.svg`,
    uuid: CHECK_ID,
    ping_url: `https://overdue.test/ping/${CHECK_ID}`,
    update_url: url,
    pause_url: `${url}/pause`,
    resume_url: `${url}/resume`,
    channels: '',
    timeout: 86400,
  })
})

test('a check with everything in it', () => {
  const check: Partial<Check> = {
    name: 'n',
    slug: 's',
    tags: ' t  u ',
    desc: 'd',
    kind: 'cron',
    schedule: '0 13 * * *',
    tz: 'Europe/Riga',
    graceSeconds: 60,
    manualResume: true,
    methods: 'POST',
    startKw: 'a',
    successKw: 'b',
    failureKw: 'c',
    filterSubject: true,
    filterBody: true,
    filterHttpBody: true,
    filterDefaultFail: true,
    status: 'up',
    nPings: 7,
    lastPingAt: at('11:00:00.9'),
    lastDuration: 3_900_000,
  }
  expect(shown(check)).toMatchObject({
    name: 'n',
    slug: 's',
    tags: ' t  u ',
    desc: 'd',
    grace: 60,
    n_pings: 7,
    status: 'up',
    started: false,
    last_ping: '2026-03-04T11:00:00+00:00',
    next_ping: '2026-03-05T11:00:00+00:00',
    manual_resume: true,
    methods: 'POST',
    subject: 'b',
    subject_fail: 'c',
    start_kw: 'a',
    success_kw: 'b',
    failure_kw: 'c',
    filter_subject: true,
    filter_body: true,
    filter_http_body: true,
    filter_default_fail: true,
    last_duration: 3,
    schedule: '0 13 * * *',
    tz: 'Europe/Riga',
  })
})

describe('single members', () => {
  test('subject and subject_fail are empty while subjects are not filtered, whatever the keywords', () => {
    const keywords = { successKw: 'b', failureKw: 'c', filterBody: true }
    expect(shown(keywords)).toMatchObject({ subject: '', subject_fail: '', success_kw: 'b', failure_kw: 'c' })
  })

  test.each([
    [null, undefined],
    [0, undefined],
    [1, 0],
    [999_999, 0],
    [1_000_000, 1],
    [300_000_000_000, 300_000],
  ])('a duration of %p microseconds is %p', (lastDuration, seconds) => {
    expect<unknown>(shown({ lastDuration }).last_duration).toBe(seconds)
  })

  test('channels are separated by commas', () => {
    expect(shown({}, {}, ['a', 'b', 'c']).channels).toBe('a,b,c')
  })

  test('a read-only key gets nothing that lets it ping or write', () => {
    const text = JSON.stringify(shown({}, { right: 'read' }, ['channel-id']))
    expect(text).toContain(`"unique_key":"${uniqueKey(CHECK_ID)}"`)
    for (const secret of [CHECK_ID, '/ping/', '/api/', 'channel-id']) expect(text).not.toContain(secret)
  })

  test.each([1, 2, 3] as const)('URLs are of version %p when the request is', (version) => {
    const url = `https://overdue.test/api/v${version}/checks/${CHECK_ID}`
    expect(checkUrl(CHECK_ID, version, LINKS)).toBe(url)
    expect(shown({}, { version })).toMatchObject({
      update_url: url,
      pause_url: `${url}/pause`,
      resume_url: `${url}/resume`,
    })
  })

  test('URLs keep the path of the site root', () => {
    const links = {
      siteRoot: 'https://x.test/hc',
      pingEndpoint: 'https://p.test/',
      checkPages: 'https://x.test/hc/cloaked/',
    }
    expect(shown({}, { links })).toMatchObject({
      ping_url: `https://p.test/${CHECK_ID}`,
      update_url: `https://x.test/hc/api/v3/checks/${CHECK_ID}`,
      badge_url: `https://x.test/hc/b/2/${aCheck().badgeKey}.svg`,
    })
  })
})

describe('a run under way', () => {
  const run = { lastStartAt: at('11:30'), graceSeconds: 3600 }
  const status = (given: Partial<Check>, version: ApiVersion, time: string) =>
    shown(given, { version, now: at(time) }).status

  test.each(['new', 'paused', 'up', 'down'] as const)('is "started" only in version 1, instead of %s', (stored) => {
    const check = { ...run, status: stored, lastPingAt: at('11:00') }
    expect([1, 2, 3].map((version) => status(check, version as ApiVersion, '12:00'))).toEqual([
      'started',
      stored,
      stored,
    ])
  })

  test('is "started" instead of grace and of down by time-out too', () => {
    const late = { ...run, status: 'up', lastPingAt: at('10:00'), timeoutSeconds: 3600 } as const
    expect([status(late, 1, '11:59'), status(late, 3, '11:59')]).toEqual(['started', 'grace'])
    expect([status(late, 1, '12:00'), status(late, 3, '12:00')]).toEqual(['started', 'down'])
  })

  test('is down in every version after its grace time, and still started', () => {
    for (const version of [1, 2, 3] as const) {
      expect(shown(run, { version, now: at('12:30') })).toMatchObject({ status: 'down', started: true })
    }
    expect(status(run, 1, '12:29:59.999999')).toBe('started')
  })

  test('shows its start as the next ping', () => {
    expect(shown(run)).toMatchObject({ started: true, next_ping: '2026-03-04T11:30:00+00:00', last_ping: null })
  })
})
