import { describe, expect, test } from 'bun:test'
import { redact, redactedLog, withoutPingSecrets } from '../../src/domain/redaction.ts'
import { processorMs } from '../support/processor-time.ts'

describe('a text', () => {
  test.each([
    [
      'Invalid URL https://api.telegram.org/bot123:AAF-x9/sendMessage now',
      'Invalid URL https://api.telegram.org/… now',
    ],
    ['"https://hooks.example.org/T0/B1/x?token=2" is no URL', '"https://hooks.example.org/…" is no URL'],
    ['see https://user:p@ss/word@mail.example.org:465', 'see https://mail.example.org:465'],
    ['smtps://user:secret@mail.example.org', 'smtps://mail.example.org'],
    ['ready at http://localhost:8000', 'ready at http://localhost:8000'],
    ['ready at http://localhost:8000/', 'ready at http://localhost:8000/'],
    ['http://example.org?key=1', 'http://example.org/…'],
    ['550 <jane.doe@example.org>: no such user', '550 <…>: no such user'],
    ['to "ünï@exämple.org", please', 'to "…", please'],
    ['to=jane.doe%40example.org&from=%2B15005550006', 'to=…&from=…'],
    ['bounce-jane.doe=example.org@lists.example is unknown', '… is unknown'],
    ['jane=example.org@lists.example', '…'],
    ['<SRS0=HHH=TT=example.org=jane@relay.example>', '<…>'],
    ['user=bounce-jane=example.org@lists.example&To=jane@example.org', 'user=…&To=…'],
    ['550 <"jane.doe"@example.org>: no such user', '550 <…>: no such user'],
    ['"to" is "jane \\"x\\" doe"@example.org', '"to" is …'],
    [String.raw`{"error":"no \"jane.doe\"@example.org, sorry"}`, '{"error":"no …, sorry"}'],
    ['no user +15005550006 (1)', 'no user … (1)'],
    ['/ping/0b1d2f60-1111-4222-8333-444455556666/fail', '/ping/…/fail'],
    ['/PING/0B1D2F60-1111-4222-8333-444455556666', '/PING/…'],
    ['key odw_AbcdefghijklmnopqrstuvwxyZ01 is wrong', 'key … is wrong'],
    ['the-key-odr_AbcdefghijklmnopqrstuvwxyZabc is wrong', 'the-key-… is wrong'],
    ['odw_abcdefghijklmnopqrstuvwxyzab', '…'],
    ['/ping/abcdefghijklmnopqrstuv/backup', '/ping/…/backup'],
    ['ping key abcdefghij0123456789xy of a project', 'ping key … of a project'],
    [`/setup/${'aBcDeF-_'.repeat(5)}xyZ`, '/setup/…'],
    [`/password/-${'aBcDeF-_'.repeat(5)}x_`, '/password/…'],
    [`/sign-in/link/${'aBc4eF-_'.repeat(5)}xyZ?x=1`, '/sign-in/link/…?x=1'],
    ['license abcd1-efgh2-ijkl3-mnop4-qrst5', 'license …'],
    ['xoxb-123456789012-abcdefghijkl', '…'],
    ['abcdefghijklmnopqr-st1-uvwxyz', '…'],
    ['Backup-20261121T030000Z-Key', '…'],
    ['Basic dXNlcjpwYXNzd29yZDEyMzQ1Ng==', 'Basic …=='],
  ])('%j becomes %j', (text, expected) => expect(redact(text)).toBe(expected))

  test.each([
    'the disk is full: free some space; no restart is needed (database or disk is full)',
    'Received status code 503',
    'UNIQUE constraint failed: checks.badge_key',
    'TypeError: x is not a function\n    at handle (/srv/overdue/node_modules/@elysiajs/cron/dist/index.js:12:34)',
    'listen EADDRINUSE: address already in use 127.0.0.1:8000',
    '2026-11-21T18:29:36.123456+00:00',
    'Europe/Berlin is not a valid timezone',
    'getaddrinfo ENOTFOUND mail-relay-europe-west1',
    'connect ECONNREFUSED smtp-relay-production-01.eu-central-1.example.org:25',
    'cannot write /backups/overdue-20261121T030000Z.db',
    'cannot write /backups/overdue-5f0c71ab-20261121T030000Z.db',
    'kept as overdue.db.before-20261121T030000Z',
  ])('without secrets stays as it is: %j', (text) => expect(redact(text)).toBe(text))

  test('of a megabyte is cut quickly', () => {
    const startedAt = processorMs()
    for (const part of ['a', '-', 'a.', '@', 'a@', '%40', '=', '"a', '\\"', 'http://', 'a:', '0', 'a-', 'odw_']) {
      expect(redact(part.repeat(1_000_000 / part.length)).length).toBeLessThanOrEqual(8_000)
    }
    expect(processorMs() - startedAt).toBeLessThan(3_000)
  })
})

describe('a text of which the log keeps the beginning', () => {
  const url = 'postgres://jane:correct-horse-battery-staple@db.example.org/hc'
  test.each(['9a7b4c0d1e2f3a4b5c6d7e8f', 'jane.doe@example.org', url])(
    'shows nothing of %s, wherever it is cut',
    (secret) => {
      for (let length = 1; length <= secret.length; length++) {
        const words = redact(`${'x'.repeat(7_998 - length)} ${secret} and more`)
        expect(words).toMatch(/^x+ (?:…|postgres:\/\/\S*…)$/)
        expect(words).not.toMatch(/jane|correct|9a7b/)
      }
    },
  )
})

describe('a log', () => {
  const lines: unknown[][] = []
  const log = redactedLog((...line) => void lines.push(line))

  test('keeps ids that give no access and numbers, and redacts other texts', () => {
    const id = '0b1d2f60-1111-4222-8333-444455556666'
    const error = new Error('no answer of https://hooks.example.org/secret')
    log('warning', 'delivery failed', { channel: id, delivery: id, attempts: 3, reason: id, error, none: null })
    log('info', 'stopped')
    expect(lines).toEqual([
      [
        'warning',
        'delivery failed',
        {
          channel: id,
          delivery: id,
          attempts: 3,
          reason: '…',
          error: 'Error: no answer of https://hooks.example.org/…',
          none: null,
        },
      ],
      ['info', 'stopped'],
    ])
  })
})

describe('what a ping brought', () => {
  const id = '94a363ea-df09-4d51-8c1b-2a3f4e5d6c7b'
  test.each([
    [`curl: (22) https://hc.example.org/ping/${id}/fail`, 'curl: (22) https://hc.example.org/ping/…/fail'],
    [`To: <${id.toUpperCase()}@hc.example.org>`, 'To: <…@hc.example.org>'],
    [`_${id}_ ${id.replaceAll('-', '%2D')}`, '_…_ …'],
    ['To: kq3v9x0h5p7n2m8b4c6d1f+nightly-backup@hc.example.org', 'To: …+nightly-backup@hc.example.org'],
    ['GET /ping/Abc-Efgh_Jklm-Opqr-Uvw/backup', 'GET /ping/…/backup'],
    ['key kq3v9x0h5p7n2m8b4c6d1f.', 'key ….'],
  ])('shows nothing that allows pings: %s', (text, shown) => {
    expect(withoutPingSecrets(text)).toBe(shown)
  })

  test('keeps the rest, also what looks like other keys', () => {
    const text =
      'sha256:uNiVztksCsDhcc0u9e8BgrJXVGDeS5p4kWbXq0hR2aA at 2026/11/16 07:15, 3f2a9c01 from ops@example.org, antidisestablishmentarianism'
    expect(withoutPingSecrets(text)).toBe(text)
  })

  test('of which only the beginning is known ends before the word that was cut off', () => {
    for (let length = 10; length < 60; length++) {
      const cut = `curl https://hc.example.org/ping/${id}`.slice(0, length)
      expect(withoutPingSecrets(cut, 'start')).toBe('curl …')
    }
    expect(withoutPingSecrets('all done ', 'start')).toBe('all done ')
  })

  describe('that was cut before it was stored', () => {
    const key = 'kq3v9x0h5p7n2m8b4c6d1f'
    test.each([
      ['a ping URL', `https://hc.example.org/ping/${id}`, 36, 8],
      ['a ping URL in capitals', `https://hc.example.org/ping/${id.toUpperCase()}`, 36, 8],
      ['a ping URL that is encoded', `https%3A%2F%2Fhc.example.org%2Fping%2F${id.replaceAll('-', '%2D')}`, 44, 11],
      ['a UUID alone', `id=${id}`, 36, 9],
      ['a ping URL with a key', `https://hc.example.org/ping/${key}/nightly`, 30, 8],
      ['a ping URL with a key of letters only', `https://hc.example.org/ping/${'q'.repeat(22)}/nightly`, 30, 8],
      ['a ping URL with a key under another path', `https://hc.example.org/${key}/nightly`, 30, 10],
      ['an address with a key', `To: <${key}+nightly@hc.example.org`, 44, 16],
    ])('shows little of %s', (_, text, length, shown) => {
      const begin = text.length - length
      for (let end = begin + shown; end <= text.length; end++) {
        for (const after of ['', '…', ' done']) {
          if (after === ' done' && end < text.length) continue
          const left = withoutPingSecrets(`curl ${text.slice(0, end)}${after}`)
          expect(left).not.toContain(text.slice(begin, begin + shown))
        }
      }
    })

    test.each([
      'saved as 20251126-043000',
      'see https://github.com/example/repo/actions/runs/19712345678',
      'see https://docs.example.org/guide/getting-started',
      'commit 3f2a9c01d4e5b6a7',
      'container 4b825dc642cb',
      'took 1732639383123456',
      'completed successfully',
      'restored node-app-2025',
    ])('keeps other last words: %s', (text) => expect(withoutPingSecrets(text)).toBe(text))
  })

  test('is found in one pass, whatever it is', () => {
    const startedAt = processorMs()
    for (const part of [
      '0123456789abcdef-',
      'a1',
      '94a363ea-df09-',
      '%2d',
      'a',
      'a ',
      'a1b2c3g4h5…',
      '/ping/',
      '://a1g',
    ])
      withoutPingSecrets(part.repeat(1_000_000 / part.length), 'start')
    expect(processorMs() - startedAt).toBeLessThan(3_000)
  })
})
