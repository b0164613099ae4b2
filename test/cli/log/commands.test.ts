/** `overdue log`, on the database of a server. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createPingReceiver } from '../../../src/services/pings/pings.ts'
import { aSignal, bytes } from '../../support/builders.ts'
import { run, runOnTerminal } from '../../support/command-line.ts'
import { testDatabase } from '../../support/databases.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let place: TestDatabase
let t: TestApp
beforeAll(async () => {
  place = await testDatabase()
  t = await testApp({ env: { DATABASE_URL: place.url } })
})
afterAll(async () => {
  await t.close()
  await place.remove()
})

const settings = () => ({ DATABASE_URL: place.url, TZ: 'UTC' })
const log = (...words: string[]) => run(['log', ...words], settings())
const make = (json: object) => t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })

test('says that nothing came', async () => {
  const { uuid } = await make({ name: 'Silent' })
  expect(await log()).toEqual({ code: 0, out: 'No entries yet.\n', err: '' })
  expect((await log(uuid)).out).toBe('No entries yet.\n')
  expect(await log('--json')).toEqual({ code: 0, out: '[]\n', err: '' })
})

describe('of a check', () => {
  beforeAll(async () => {
    const { uuid } = await make({ name: 'Backup', slug: 'backup', timeout: 31_536_000, grace: 31_536_000 })
    await t.call('GET', `/ping/${uuid}/start`)
    t.clock.advance({ minutes: 4 })
    await t.call('POST', `/ping/${uuid}`, { body: 'copied\n12 files\u001b[31m done' })
    t.clock.advance({ hours: 1 })
    await t.call('POST', `/ping/${uuid}/7`, { body: '' })
    t.clock.advance({ minutes: 1 })
    const other = await make({ name: 'Sync' })
    await t.call('POST', `/ping/${other.uuid}/log`, { body: 'a note' })
  })

  test('lists what came, newest first, with how long it took and its last line', async () => {
    const { code, out } = await log('backup')
    expect(code).toBe(0)
    expect(out.split('\n').map((line) => line.trimEnd())).toEqual([
      'TIME                       EVENT      TOOK   LAST LINE',
      '2026-03-04T13:04:00+00:00  Went down  -      the job reported a failure',
      '2026-03-04T13:04:00+00:00  Failed #3  -      exit status 7',
      '2026-03-04T12:04:00+00:00  Went up    -      monitoring started',
      '2026-03-04T12:04:00+00:00  OK #2      4 min  12 files done',
      '2026-03-04T12:00:00+00:00  Start #1   -',
      '',
    ])
  })

  test('of the project lists the pings of all checks', async () => {
    const { out } = await log()
    expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
      ['CHECK', 'TIME', 'EVENT'],
      ['Sync', '2026-03-04T13:05:00+00:00', 'Log #1'],
      ['Backup', '2026-03-04T13:04:00+00:00', 'Failed #3'],
      ['Backup', '2026-03-04T12:04:00+00:00', 'OK #2'],
      ['Backup', '2026-03-04T12:00:00+00:00', 'Start #1'],
      [''],
    ])
  })

  test('takes no more than --limit, and only what came after --since', async () => {
    expect((await log('--limit', '2')).out.trimEnd().split('\n')).toHaveLength(3)
    expect((await log('backup', '--limit', '2')).out.trimEnd().split('\n')).toHaveLength(3)
    expect((await log('--since', '2026-03-04T13:00Z')).out.trimEnd().split('\n')).toHaveLength(3)
    expect((await log('backup', '--since', '1h')).out).toMatch(/^No entries since .+\.\n$/)
  })

  test.each([
    [['--since', 'yesterday'], '--since yesterday is not valid\n→ use a span such as 2h or 7d'],
    [['--limit', '0'], '--limit 0 is not valid'],
    [['backup', 'x'], '"x" is not the number of a ping\n→ `overdue log CHECK` lists'],
    [['backup', '0'], '"0" is not the number of a ping'],
  ])('%j is refused with a sentence', async (words, sentence) => {
    const { code, out, err } = await log(...words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toStartWith(sentence)
  })

  test('has every fact with --json', async () => {
    const lines = JSON.parse((await log('backup', '--json')).out)
    expect(lines.map(({ event }: { event: string }) => event)).toEqual(['flip', 'ping', 'flip', 'ping', 'ping'])
    expect(lines[3]).toMatchObject({
      ...{ at: '2026-03-04T12:04:00+00:00', n: 2, kind: 'success', duration: 240, exit_status: null },
      ...{ scheme: 'http', method: 'POST', body_size: 25, last_line: '12 files done' },
      check: { name: 'Backup' },
    })
    expect(lines[0]).toMatchObject({ from: 'up', to: 'down', reason: 'fail' })
  })
})

describe('of a ping', () => {
  test('gives programs what it brought, byte for byte, and people the facts', async () => {
    const { code, out, err } = await log('backup', '2')
    expect([code, out]).toEqual([0, 'copied\n12 files\u001b[31m done'])
    expect(err).toMatch(/^ping +OK #2\nreceived +Wed 4 Mar 2026, 12:04:00 UTC\nfrom +.*http POST\nagent +/)
  })

  test('gives a terminal its text without control characters', async () => {
    const { out } = await runOnTerminal(['log', 'backup', '2'], settings())
    expect(out).toEndWith('\n\ncopied\n12 files done\n')
    expect(out).not.toContain('\u001b')
  })

  test('says that there was none', async () => {
    expect((await log('backup', '1')).out).toEndWith('\n\nNo body.\n')
    expect(JSON.parse((await log('backup', '1', '--json')).out)).toMatchObject({ n: 1, kind: 'start', body: null })
  })

  test('is refused when the log does not hold it', async () => {
    expect(await log('backup', '9')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('no such ping') })
  })

  test('decodes an email on a terminal', async () => {
    const { uuid } = await make({ name: 'Mailed', filter_default_fail: false })
    const mail = [
      'From: job@example.org',
      'Subject: =?utf-8?q?Backup_f=C3=A4rdig?=',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Allt =C3=A4r bra.',
      '',
    ].join('\r\n')
    const signal = aSignal({ scheme: 'email', method: '', body: bytes(mail) })
    await createPingReceiver(t.app.deps).receive({ kind: 'id', id: uuid }, signal)
    const { out } = await runOnTerminal(['log', 'Mailed', '1'], settings())
    expect(out).toContain('Backup färdig')
    expect(out).toEndWith('\n\nAllt är bra.\n')
  })
})
