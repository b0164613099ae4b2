/** `overdue check …`, on the database of a server. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { deleteCheck, upsertCheck } from '../../../src/services/checks/checks.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import { giveAdvice, UNTOLD, UNWATCHED } from '../../support/advice.ts'
import { run, runOnTerminal } from '../../support/command-line.ts'
import { testDatabase } from '../../support/databases.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'
import { webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

interface CheckJson {
  readonly uuid: string
  readonly name: string
  readonly status: string
  readonly channels: string
}

let place: TestDatabase
let t: TestApp
let channelId: string
beforeAll(async () => {
  place = await testDatabase()
  t = await testApp({ env: { DATABASE_URL: place.url } })
  channelId = (await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })).id
  await createProject(t.app.deps, 'Other')
})
afterAll(async () => {
  await t.close()
  await place.remove()
})

const inTests = (...words: string[]) => [...words, '--project', 'Tests']
const check = (...words: string[]) => run(inTests('check', ...words), { DATABASE_URL: place.url })
async function json<Answer = CheckJson>(...words: string[]): Promise<Answer> {
  const { code, out, err } = await check(...words, '--json')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}
const stored = (uuid: string) => t.json<CheckJson>('GET', `/api/v3/checks/${uuid}`, { key: t.keys.apiKey })

test('a check that was due and never pinged is marked where it is shown and in the list', async () => {
  // Created by the clock of the server, which shows a past time. A project with newer checks would not keep that time.
  const made = await upsertCheck(t.app.deps, t.actor, { name: 'Unpinged', timeout: 60, channels: 'Ops' }, false)
  await giveAdvice(t.app.deps, made.check.id, UNWATCHED)
  const { out } = await check('list')
  expect(out).toMatch(new RegExp(`Unpinged .*never pinged +${made.check.id.slice(0, 8)}\n`))
  expect(out).toContain('→ 1 check was due and never pinged: add the ping URL to the job')
  const note = /Never pinged in 3 days, though its first run was due\. A check that was never pinged never alerts\./
  expect((await check('show', 'Unpinged')).out).toMatch(new RegExp(`→ ${note.source}`))
  const listed = await run(inTests('check', 'list', '--json'), { DATABASE_URL: place.url })
  const found = (JSON.parse(listed.out) as { uuid: string; notes?: string[] }[]).filter(
    ({ notes }) => notes !== undefined,
  )
  expect(found).toMatchObject([{ uuid: made.check.id, notes: [expect.stringMatching(note)] }])
  await deleteCheck(t.app.deps, t.actor, made.check)
})

describe('check create', () => {
  test('creates the check with every option, as the API shows', async () => {
    const made = await json(
      ...['create', '--name', 'Nightly', '--slug', 'nightly', '--tags', 'db prod', '--desc', 'the runbook'],
      ...['--schedule', '30 3 * * *', '--tz', 'Europe/Riga', '--grace', '5m', '--channels', 'Ops'],
    )
    expect(made).toEqual(await stored(made.uuid))
    expect(made).toMatchObject({
      name: 'Nightly',
      slug: 'nightly',
      tags: 'db prod',
      desc: 'the runbook',
      schedule: '30 3 * * *',
      tz: 'Europe/Riga',
      grace: 300,
      channels: channelId,
      status: 'new',
    })
  })

  test.each([
    ['90', 90],
    ['90s', 90],
    ['5m', 300],
    ['2h', 7_200],
    ['1d', 86_400],
    ['1w', 604_800],
  ])('reads %s as %d seconds, and prints the ping URL', async (span, seconds) => {
    const { out } = await check('create', '--name', `Span ${span}`, '--timeout', span)
    const [, uuid = ''] = /^ping URL +http:\/\/localhost:8000\/ping\/(\S+)$/m.exec(out) ?? []
    expect(await stored(uuid)).toMatchObject({ name: `Span ${span}`, timeout: seconds, channels: '' })
  })

  test('reports all problems at once, with reasons, and creates nothing', async () => {
    const before = (await json<unknown[]>('list')).length
    const { code, err } = await check(
      ...['create', '--name', 'x'.repeat(101), '--slug', 'A b', '--timeout', '30', '--grace', 'soon'],
      ...['--schedule', '61 * * * *', '--tz', 'Mars'],
    )
    expect(code).toBe(2)
    expect(err.split('\n')).toEqual([
      'the check is not valid:',
      '  --grace "soon" is not a duration; use seconds, or 5m, 1h, 1d',
      '  --name is too long (at most 100 characters)',
      expect.stringMatching(/^ {2}--schedule "61 \* \* \* \*": .*61.*\. See `overdue schedule --help`\.$/),
      '  --slug "A b": use a-z, 0-9, _ and - only',
      '  --timeout "30": use 60 to 31536000 seconds, such as 5m',
      '  --tz "Mars": unknown time zone; use an IANA name such as Europe/Riga',
      '  --timeout and --schedule: use only one',
      '→ see `overdue check create --help`',
      '',
    ])
    expect((await check('create', '--name', 'y', '--tz', 'Europe/Riga')).err).toContain('  --tz needs --schedule\n')
    expect((await check('create', '--name', 'y', '--channels', 'Nobody')).err).toContain('Nobody')
    const quartz = await check('create', '--name', 'y', '--schedule', '0 0 3 * * ?')
    expect(quartz.err).toContain('write "0 3 * * *". See `overdue schedule --help`.')
    expect((await check('create', '--slug', 'y')).err).toContain('--name is missing')
    expect(await json<unknown[]>('list')).toHaveLength(before)
  })
})

test('a check that is created or assigned without channels says that it alerts no one, and what to do', async () => {
  const { code, out } = await check('create', '--name', 'Untold')
  expect(code).toBe(0)
  expect(out).toEndWith('→ This check alerts no one. Choose who is alerted with `overdue check set --channels`.\n')
  expect((await json<{ notes: string[] }>('create', '--name', 'Untold too')).notes).toHaveLength(1)
  expect((await check('set', 'Untold too', '--channels', 'Ops')).out).not.toContain('alerts no one')
  expect((await check('set', 'Untold too', '--channels', '')).out).toContain('→ This check alerts no one.')
  const alone = ['check', 'create', '--name', 'Alone', '--project', 'Other', '--channels', '*']
  expect((await run(alone, { DATABASE_URL: place.url })).out).toContain(
    '→ This check alerts no one. The project has no channel: create one with `overdue channel create`,',
  )
})

describe('a check is found', () => {
  let uuid: string
  beforeAll(async () => {
    uuid = (await json('create', '--name', 'Find me', '--slug', 'findable')).uuid
    await json('create', '--name', 'Twin', '--slug', 'twin-1')
    await json('create', '--name', 'Twin', '--slug', 'twin-2')
    await json('create', '--name', 'Twins of all', '--slug', 'twins')
  })

  test('by its name, slug and UUID, and by the beginning of each', async () => {
    for (const typed of ['Find me', 'findable', uuid, 'Fin', 'findab', uuid.slice(0, 13)]) {
      expect((await json('show', typed)).uuid).toBe(uuid)
    }
  })

  test('by its full name even if others begin with it; if two have that name, both are listed', async () => {
    expect((await json('show', 'twins')).name).toBe('Twins of all')
    const { code, err } = await check('show', 'Twin')
    expect(code).toBe(1)
    expect(err.split('\n')).toEqual([
      'project "Tests" has several checks that match "Twin":',
      expect.stringMatching(/^ {2}[0-9a-f-]{36} {2}Twin {2}\(twin-1\)$/),
      expect.stringMatching(/^ {2}[0-9a-f-]{36} {2}Twin {2}\(twin-2\)$/),
      '→ use one of these UUIDs',
      '',
    ])
    const [, candidate = ''] = /^ {2}(\S+)/m.exec(err) ?? []
    expect((await json('show', candidate)).name).toBe('Twin')
    expect((await check('show', 'Tw')).err.split('\n')).toHaveLength(6)
  })

  test('in its project only', async () => {
    for (const typed of [uuid, 'Find me', 'none', '']) {
      const { code, err } = await run(['check', 'show', typed, '--project', 'Other'], { DATABASE_URL: place.url })
      expect([code, err]).toEqual([
        1,
        `project "Other" has no check "${typed}"\n→ see \`overdue check list --project "Other"\`\n`,
      ])
    }
  })
})

test('check show says what came and did not count', async () => {
  const spec = { name: 'Deaf', methods: 'POST', timeout: 60, grace: 60, channels: '*' }
  const { uuid } = await t.json<CheckJson>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: spec })
  expect((await check('show', uuid)).out).not.toContain('→')
  for (const _ of [1, 2]) await t.call('GET', `/ping/${uuid}`)
  expect((await check('show', uuid)).out).toStartWith(
    'New: 2 pings have arrived, but none counted. They used GET; this check accepts only POST.',
  )
  await check('delete', uuid)
})

test('check list shows the current status, even before a loop has updated it', async () => {
  const { uuid } = await json('create', '--name', 'Silent', '--tags', 'db prod', '--timeout', '60', '--grace', '60')
  await t.call('GET', `/ping/${uuid}`)
  await giveAdvice(t.app.deps, uuid, UNTOLD)
  // The clock of this server shows a past time, so no loop has updated the check.
  expect((await stored(uuid)).status).toBe('up')
  const listed = await json<CheckJson[]>('list')
  expect(listed.find((found) => found.uuid === uuid)?.status).toBe('down')
  const { out } = await check('list')
  expect(out).toMatch(/\n→ \d+ checks? alerts? no one\. Choose who is alerted with `overdue check set --channels`\.\n$/)
  const [heads = '', ...lines] = out.split('\n')
  expect(heads).toMatch(/^STATUS +NAME +SCHEDULE +LAST PING +NEXT PING +TAGS +NOTE +ID$/)
  const line = lines.find((text) => text.includes('Silent'))
  expect(line).toMatch(/^down +Silent +every 1 minute, grace 1 minute +2026-03-04T12:00:00\+00:00 +2026-03-04T12:01:00/)
  expect(line).toMatch(new RegExp(`db prod +alerts no one +${uuid.slice(0, 8)}$`))
  expect(out).toContain('At 03:30 every day (Europe/Riga), grace 5 minutes')
})

test('check list fits its terminal, with relative times, and with colours unless NO_COLOR is set', async () => {
  const coloured = await runOnTerminal(inTests('check', 'list'), { DATABASE_URL: place.url }, 90)
  expect(coloured.out).toContain('\u001b[31mdown\u001b[0m')
  expect(coloured.out).toMatch(/ weeks? ago/)
  const plain = await runOnTerminal(inTests('check', 'list'), { DATABASE_URL: place.url, NO_COLOR: '1' }, 90)
  expect(plain.out).not.toContain('\u001b[')
  for (const line of plain.out.split('\n')) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(90)
  expect((await check('list')).out).not.toContain('\u001b')
})

test('check list finds checks by their status and their tags', async () => {
  const slow = { timeout: '365d', grace: '365d' }
  const made = ['Filtered one', 'Filtered two', 'Filtered three']
  for (const [index, name] of made.entries()) {
    const tags = index === 0 ? 'filtered' : 'filtered wide'
    await json('create', '--name', name, '--tags', tags, '--timeout', slow.timeout, '--grace', slow.grace)
  }
  await check('pause', 'Filtered one')
  await t.call('POST', `/ping/${(await json('show', 'Filtered two')).uuid}/fail`)
  const names = async (...words: string[]) => {
    return (await json<CheckJson[]>('list', '--tag', 'filtered', ...words)).map(({ name }) => name)
  }
  expect(await names()).toEqual(made)
  expect(await names('--status', 'down,paused')).toEqual(['Filtered one', 'Filtered two'])
  expect(await names('--status', 'Down, new')).toEqual(['Filtered two', 'Filtered three'])
  expect(await names('--status', 'late')).toEqual([])
  expect(await names('--tag', 'wide')).toEqual(['Filtered two', 'Filtered three'])
  const { code, err } = await check('list', '--status', 'broken')
  expect([code, err]).toEqual([2, 'unknown status "broken"\n→ use one of: down, late, running, up, new, paused\n'])
})

test('check list cuts no name while columns that matter less have room', async () => {
  const name = 'Weekly archive of the harbour log'
  await json('create', '--name', name, '--tags', 'a-tag another-tag', '--schedule', '30 3 * * *', '--tz', 'Europe/Riga')
  for (const columns of [60, 80, 120]) {
    const { out } = await runOnTerminal(inTests('check', 'list'), { DATABASE_URL: place.url }, columns)
    const [heads = '', ...lines] = out.split('\n')
    expect(lines.find((line) => line.includes('Weekly'))).toContain(` ${name} `)
    expect(heads.includes('TAGS')).toBe(columns === 120)
    for (const line of lines.slice(0, -2)) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns)
  }
})

test('check show says why a check is as it is, and who was told', async () => {
  const slow = ['--timeout', '365d', '--grace', '365d', '--channels', 'Ops']
  const { uuid } = await json('create', '--name', 'Explained', ...slow)
  await t.call('POST', `/ping/${uuid}/2`, { body: 'disk full' })
  await t.app.settle('deliveries')
  const [why, told, blank] = (await check('show', 'Explained')).out.split('\n')
  expect(why).toMatch(/^Down for .+: failed .+\. Exit status 2\. Last line: ‘disk full’\.$/)
  expect(told).toMatch(/^Alerted: Ops .+\.$/)
  expect(blank).toBe('')
  expect(await json('show', 'Explained')).toMatchObject({ uuid, why, told })
  await t.call('GET', `/ping/${uuid}`)
  await t.app.settle('deliveries')
  expect((await check('show', 'Explained')).out).toMatch(/^Up again after .+\. Next ping due .+\.\nAlerted: Ops/)
  await check('pause', 'Explained')
  expect((await check('show', 'Explained')).out).toMatch(/^Paused by a command .+\. A ping resumes it\.\n/)
})

test('check pause and resume do what the API does', async () => {
  const { uuid } = await json('create', '--name', 'Resting')
  expect((await json('pause', 'Resting')).status).toBe('paused')
  expect((await stored(uuid)).status).toBe('paused')
  expect(await check('resume', 'Resting')).toEqual({ code: 0, out: `resumed "Resting" (${uuid})\n`, err: '' })
  expect((await stored(uuid)).status).toBe('new')
  expect(await check('resume', 'Resting')).toEqual({
    code: 1,
    out: '',
    err: 'check is not paused\n→ only a paused check can be resumed\n',
  })
})

test('check set replaces the channels', async () => {
  const { uuid } = await json('create', '--name', 'Assigned')
  for (const [channels, expected] of [
    ['*', channelId],
    ['', ''],
    ['Ops', channelId],
    [` Ops , ${channelId}`, channelId],
  ] as const) {
    await check('set', 'Assigned', '--channels', channels)
    expect((await stored(uuid)).channels).toBe(expected)
  }
  const { code, err } = await check('set', 'Assigned', '--channels', 'Nobody')
  expect([code, err]).toEqual([
    1,
    'invalid channel identifier: Nobody\n→ there is no channel "Nobody": use names or ids separated by commas; see `overdue channel list --project "Tests"`\n',
  ])
  expect((await check('set', 'Assigned')).err).toContain('nothing to change')
})

test('a name of two channels is answered with their ids, as by channel set', async () => {
  const request = { kind: 'webhook', name: 'Twins', settings: webhook() }
  const [one, two] = [
    await createChannel(t.app.deps, t.actor, request),
    await createChannel(t.app.deps, t.actor, request),
  ]
  const { err } = await check('create', '--name', 'Torn', '--channels', 'Twins')
  expect(err.split('\n')).toEqual([
    'non-unique channel identifier: Twins:',
    `  ${one.id}  webhook`,
    `  ${two.id}  webhook`,
    '→ use one of these ids',
    '',
  ])
  expect((await run(inTests('channel', 'delete', two.id), { DATABASE_URL: place.url })).code).toBe(0)
})

describe('check delete', () => {
  const isThere = async (uuid: string) =>
    (await t.call('GET', `/api/v3/checks/${uuid}`, { key: t.keys.apiKey })).status === 200

  test('deletes without asking if there is no terminal, and with --yes', async () => {
    const { uuid } = await json('create', '--name', 'Doomed')
    expect(await check('delete', 'Doomed')).toEqual({ code: 0, out: `deleted "Doomed" (${uuid})\n`, err: '' })
    expect(await isThere(uuid)).toBe(false)
    const other = await json('create', '--name', 'Doomed')
    const words = inTests('check', 'delete', 'Doomed', '--yes')
    expect((await runOnTerminal(words, { DATABASE_URL: place.url })).code).toBe(0)
    expect(await isThere(other.uuid)).toBe(false)
  })

  test('asks on a terminal, and only a yes deletes', async () => {
    const { uuid } = await json('create', '--name', 'Asked')
    const ask = (answer: boolean) =>
      runOnTerminal(inTests('check', 'delete', 'Asked'), { DATABASE_URL: place.url }, 200, answer)
    const kept = await ask(false)
    expect(kept.code).toBe(1)
    expect(kept.out).toContain(`Delete the check "Asked" (${uuid}) and its log?`)
    expect(await isThere(uuid)).toBe(true)
    expect((await ask(true)).code).toBe(0)
    expect(await isThere(uuid)).toBe(false)
  })
})

describe('spans and schedules', () => {
  test.each([
    ['1d 3h 31m', 99_060],
    ['1h30m', 5400],
    ['2w', 1_209_600],
    ['1 h 30 min', 5400],
  ])('a span may be %s', async (span, seconds) => {
    expect(await json('create', '--name', 'Span', '--grace', span)).toMatchObject({ grace: seconds })
  })

  test.each(['1h 30', '1h;30m', '30 1h', 'h'])('%p is no span', async (span) => {
    const { code, err } = await check('create', '--name', 'Span', '--grace', span)
    expect([code, err]).toEqual([2, expect.stringContaining(`--grace "${span}" is not a duration`)])
  })

  test('of several lines are shown in one, with where each begins', async () => {
    await json('create', '--name', 'Twice', '--schedule', 'Mon 03:00\nTue 04:00')
    expect((await check('show', 'Twice')).out).toMatch(/^expression +Mon 03:00; Tue 04:00 \(UTC\)$/m)
  })
})

test('a list marks what runs longer than usual, and what was resumed and not pinged since', async () => {
  const { uuid } = await json('create', '--name', 'Long', '--timeout', '365d', '--grace', '365d', '--channels', 'Ops')
  // Created by the clock of the server, which shows a past time: a run that it begins lasts for months.
  const ping = (end: string) => t.call('POST', `/ping/${uuid}${end}`)
  for (let n = 0; n < 10; n++) {
    await ping('/start')
    t.clock.advance({ minutes: 1 })
    await ping('')
  }
  const line = async () => (await check('list')).out.split('\n').find((line) => line.includes('Long'))
  expect(await line()).toMatch(/^up +Long .* - +[0-9a-f]{8}$/)
  await ping('/start')
  expect(await line()).toMatch(/^running +Long .* running longer than usual +[0-9a-f]{8}$/)
  await ping('')
  await check('pause', 'Long')
  await check('resume', 'Long')
  expect(await line()).toMatch(/^new +Long .* resumed, not pinged since +[0-9a-f]{8}$/)
})
