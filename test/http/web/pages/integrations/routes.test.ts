/** The list of integrations, its tests, the switches of all checks, and deletion. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Channel, UNSUBSCRIBED } from '../../../../../src/domain/channel/channel.ts'
import type { Check } from '../../../../../src/domain/check/check.ts'
import { UNCONFIRMED } from '../../../../../src/domain/mail/mail-channel.ts'
import { listChannels } from '../../../../../src/services/channels/channels.ts'
import { upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { administrator, type Browser, memberWith } from '../../../../support/browser.ts'
import { openStream } from '../../../../support/live-stream.ts'
import { aChannel, anAuthor, webhook } from '../../../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../../../support/test-app.ts'

const PATH = '/p/tests/integrations'

let t: TestApp
let member: Browser
let reader: Browser
beforeEach(async () => {
  t = await testApp({ env: { EMAIL_HOST: 'mail.example.org', SLACK_ENABLED: 'False' } })
  member = await memberWith(t, 'member', { email: 'ann@example.org' })
  reader = await memberWith(t, 'read-only')
})
afterEach(() => t.close())

let made = 0
async function add(over: Partial<Channel> = {}): Promise<Channel> {
  const createdAt = t.clock.now().add({ seconds: ++made })
  const channel = aChannel(t.project, { name: 'Ops', createdAt, host: 'hooks.example.org', ...over })
  await t.app.deps.store.by(anAuthor()).channels.create(channel)
  return channel
}
const check = async (name: string, channels: readonly Channel[] = [], tags = ''): Promise<Check> => {
  const ids = channels.map(({ id }) => id).join(',')
  return (await upsertCheck(t.app.deps, t.actor, { name, tags, channels: ids }, false)).check
}
const change = async (channels: readonly Channel[], over: Partial<Channel>) => {
  for (const { id } of channels) {
    await t.app.deps.store.channels.change(id, (stored) => ({ channel: { ...stored, ...over } }))
  }
}
const users = async ({ id }: Channel) => (await t.app.deps.store.channels.listActivities([id]))[0]?.checks
const fail = ({ id }: Check) => t.call('GET', `/ping/${id}/fail`)

describe('the list', () => {
  test('of a project without integrations says so, and offers all kinds to who may add one', async () => {
    const { text } = await member.get(PATH)
    expect(text).toContain('No one gets alerts')
    expect(text).toContain('Add an integration')
    expect(text).toContain(`href="${PATH}/new/webhook"`)
    const { text: read } = await reader.get(PATH)
    expect(read).not.toContain('Add one of')
    expect(read).not.toContain('/new/')
  })

  test('says who uses each, when its last alert was, and how the last ones went', async () => {
    const channel = await add()
    const backup = await check('Backup', [channel])
    await check('Sync')
    await fail(backup)
    await t.app.settle('deliveries')
    t.clock.advance({ hours: 5 })
    const { text } = await member.get(PATH)
    expect(text).toContain('<span>Ready</span>')
    expect(text).toContain(`<a href="${PATH}/${channel.id}/checks">1 of 2 checks</a>`)
    expect(text).toContain('aria-label="Last 1 alert: 1 sent"')
    expect(text).toContain('>5 h ago</time>')
    expect(text).toContain('hooks.example.org')
  })

  test('names the members of a group, and the groups of a member', async () => {
    const channel = await add({ name: 'Phone' })
    await add({ name: 'Everyone', kind: 'group', settings: channel.id, host: 'group' })
    const { text } = await member.get(PATH)
    expect(text).toContain('Group, <bdi>Phone</bdi>')
    expect(text).toContain('and 1 group')
  })

  test('shows a reader neither addresses nor forms, but lets them send a test', async () => {
    const channel = await add()
    await add({ kind: 'email', name: '', settings: 'ops@example.org', host: 'email' })
    const { text } = await reader.get(PATH)
    for (const hidden of ['hooks.example.org', 'ops@example.org', `${PATH}/${channel.id}`]) {
      expect(text).not.toContain(hidden)
    }
    expect(text).toContain(`name="test" value="${channel.id}"`)
  })

  test('of many is shown in parts', async () => {
    for (let n = 1; n <= 101; n++) await add({ name: `number ${n}` })
    const { text } = await member.get(PATH)
    expect(text).toContain('1 to 100 of 101 integrations are shown.')
    expect(text).not.toContain('<bdi>number 101</bdi>')
    expect((await member.get(`${PATH}?from=100`)).text).toContain('<bdi>number 101</bdi>')
    expect((await member.get(`${PATH}?from=x`)).text).toContain('<bdi>number 1</bdi>')
  })

  test('keeps names that strangers chose in their places', async () => {
    await add({ name: '<img src=x onerror=alert(1)>\u202e', lastError: '<script>alert(2)</script>' })
    const { text } = await member.get(PATH)
    expect(text).not.toContain('<img src=x')
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('<bdi>&lt;img src=x onerror=alert(1)&gt;')
  })
})

describe('an integration', () => {
  const states: readonly (readonly [string, Partial<Channel>, string, string])[] = [
    ['that was disabled', { disabledReason: 'status 410' }, 'Off', 'Turned off: Status 410. A successful test'],
    [
      'that unsubscribed',
      { disabledReason: UNSUBSCRIBED },
      'Off',
      'The receiver has unsubscribed. Enter a new address',
    ],
    [
      'that is not confirmed',
      { awaitsConfirmation: true, lastError: UNCONFIRMED },
      'Unconfirmed',
      'To send that email again, send a test.',
    ],
    [
      'that failed last',
      { lastError: 'Received status code 500' },
      'Failed',
      'did not arrive: Received status code 500.',
    ],
    ['of a group without members', { kind: 'group', settings: 'x', host: 'group' }, 'Off', 'The group has no members.'],
  ]
  test.each(states)('%s says why, and what ends it', async (_, over, word, why) => {
    await add(over)
    const { text } = await member.get(PATH)
    expect(text).toContain(`<span>${word}</span>`)
    // In its row, and above the list.
    expect(text.split(why)).toHaveLength(3)
  })

  test('that is a group says how many of its members work, in the list and on its form', async () => {
    const phone = await add({ name: 'Phone' })
    const members = [
      phone,
      await add({ name: 'Desk', disabledReason: 'status 410' }),
      await add({ name: 'Mail', lastError: 'refused' }),
    ]
    const settings = members.map(({ id }) => id).join(',')
    const group = await add({ name: 'Everyone', kind: 'group', settings, host: 'group' })
    const why = '1 of 3 members work: <bdi>Desk</bdi> is off, <bdi>Mail</bdi> failed.'
    const { text } = await member.get(PATH)
    expect(text).toContain('<span>1 of 3 work</span>')
    expect(text).toContain(why)
    expect(text).toContain('<b>2 integrations do not work:</b>')
    expect((await member.get(`${PATH}/${group.id}`)).text).toContain(why)
    t.answerWith(answered(500))
    await fail(await check('Backup', [group]))
    await t.app.settle('deliveries')
    expect((await member.get(PATH)).text).toContain('<span>0 of 3 work</span>')
    t.answerWith(answered(200))
    t.clock.advance({ minutes: 5 })
    await t.app.settle('deliveries')
    await change(members, { disabledReason: null, lastError: null })
    const { text: well } = await member.get(PATH)
    expect(well.split('<span>Ready</span>')).toHaveLength(5)
    expect(well).not.toContain('do not work')
  })

  test('that is a group none of whose members is on looks as one that is off', async () => {
    const desk = await add({ name: 'Desk', disabledReason: 'status 410' })
    await add({ name: 'Everyone', kind: 'group', settings: desk.id, host: 'group' })
    expect((await reader.get(PATH)).text).toMatch(/class="word down">(?:(?!<span>).)*<span>0 of 1 work<\/span>/)
  })

  test('that is retried says how many alerts wait and when the next try is', async () => {
    const backup = await check('Backup', [await add()])
    t.answerWith(answered(429, { 'retry-after': '240' }))
    await fail(backup)
    await t.app.settle('deliveries')
    const { text } = await member.get(PATH)
    expect(text).toContain('<span>Retrying</span>')
    expect(text).toContain('>1 alert waits</a>; no alerts are lost. Next attempt <time')
    expect(text).toContain('>in 4 min</time>')
    expect(text).toContain('aria-label="Last 1 alert: 1 retrying"')
  })

  test('that the server cannot send to names the setting to administrators alone', async () => {
    await add({ kind: 'telegram', settings: { id: 1 } })
    const admin = await administrator(t)
    expect((await admin.get(PATH)).text).toContain('Set TELEGRAM_TOKEN=123456:ABC….')
    const { text } = await member.get(PATH)
    expect(text).toContain('This server cannot send anything to it. Ask an administrator.')
    expect(text).not.toContain('TELEGRAM_TOKEN')
  })
})

test('kinds that are switched off or not set up are no links, and only administrators are told the setting', async () => {
  const admin = await administrator(t)
  const { text } = await admin.get(PATH)
  expect(text).toContain('<b>Slack</b><small>Turned off. Set SLACK_ENABLED=True.</small>')
  expect(text).toContain('<b>Command</b><small>Not set up. Set SHELL_ENABLED=True.</small>')
  expect(text).toMatch(
    /<p class="help">\d+ need server settings first\. Set the variables shown here and restart the server\./,
  )
  expect(text).toContain('<a href="/docs/settings">All settings</a>')
  const { text: told } = await member.get(PATH)
  expect(told).toContain('An administrator of this server can set them.')
  expect(told).toContain('<b>Slack</b><small>Turned off. Ask an administrator.</small>')
  expect(told).not.toContain('SLACK_ENABLED')
  expect(told).not.toContain('new/slack')
  expect(told).toContain('new/email')
})

describe('a test', () => {
  const send = (browser: Browser, { id }: Channel) => browser.post(PATH, { test: id })

  test('that arrives says so, and switches the integration on again', async () => {
    const channel = await add({ disabledReason: 'status 410' })
    const { status, location } = await send(reader, channel)
    expect([status, location]).toEqual([303, `${PATH}?done=test-sent`])
    expect(t.sent).toHaveLength(1)
    expect((await listChannels(t.app.deps, t.actor))[0]?.disabledReason).toBeNull()
  })

  test('that fails tells a member what the receiver said, and a reader only that it failed', async () => {
    const channel = await add()
    t.answerWith(answered(503))
    expect((await send(member, channel)).text).toContain('The test did not arrive. Received status code 503.')
    const { text } = await send(reader, channel)
    expect(text).toContain('The test of <b><bdi>Ops</bdi></b> did not arrive.')
  })

  test('tells of a check that comes up when only that is wanted', async () => {
    const channel = await add({ settings: webhook('', 'https://example.org/up') })
    await send(member, channel)
    expect(t.sent.map(({ url }) => url)).toEqual(['https://example.org/up'])
  })

  test('of a group goes to each member, and names those that failed', async () => {
    const [good, bad] = [
      await add({ name: 'good' }),
      await add({ name: 'bad', settings: webhook('https://bad.test/') }),
    ]
    const group = await add({ kind: 'group', settings: `${good.id},${bad.id}`, host: 'group' })
    t.answerWith(({ url }) => answered(url.startsWith('https://bad.test') ? 500 : 200))
    const { text } = await send(member, group)
    expect(t.sent).toHaveLength(2)
    expect(text).toContain('<b><bdi>bad</bdi>:</b> The test did not arrive.')
    expect(text).not.toContain('<b><bdi>good</bdi>:</b>')
  })

  test('of an address that is not confirmed sends the request again', async () => {
    const settings = { value: 'ops@example.org' }
    const channel = await add({ kind: 'email', settings, host: 'email', awaitsConfirmation: true })
    expect((await send(member, channel)).text).toContain('The confirmation email was sent again.')
    expect(t.mails).toHaveLength(1)
  })

  test('of an integration that is gone, or of another project, is not found', async () => {
    expect((await member.post(PATH, { test: crypto.randomUUID() })).status).toBe(404)
    expect((await member.post(PATH, { test: 'x' })).status).toBe(404)
  })
})

describe('the switches of all checks', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
  const save = async (channel: Channel, fields: readonly (readonly [string, string])[]) => {
    const { origin } = new URL(t.app.deps.site.links.siteRoot)
    const body = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value]))
    return member.ask('POST', `${PATH}/${channel.id}/checks`, { origin, ...FORM }, body.toString())
  }

  test('show which checks tell the integration, by name and filtered', async () => {
    const channel = await add()
    const [b, a] = [await check('backup', [channel], 'db'), await check('Alpha')]
    const { text } = await member.get(`${PATH}/${channel.id}/checks`)
    expect(text).toContain('1 of 2 checks send alerts to this integration.')
    expect(text.indexOf(a.publicId)).toBeLessThan(text.indexOf(b.publicId))
    expect(text).toContain(`value="${b.publicId}" checked`)
    expect(text).not.toContain(`value="${a.publicId}" checked`)
    const filtered = (await member.get(`${PATH}/${channel.id}/checks?q=DB`)).text
    expect(filtered).toContain(b.publicId)
    expect(filtered).not.toContain(a.publicId)
  })

  test('that were moved are saved in one change that can be undone; others stay as somebody else has set them', async () => {
    const channel = await add()
    const [gets, loses, others] = [await check('gets'), await check('loses', [channel]), await check('others')]
    const shown = [['was', loses.publicId]] as const
    // While the page is open, somebody else assigns it to the third.
    await upsertCheck(t.app.deps, t.actor, { name: 'others', channels: channel.id, unique: ['name'] }, false)
    const answer = await save(channel, [['action', 'save'], ...shown, ['c', gets.publicId]])
    const location = answer.headers.get('location') ?? ''
    expect(location).toStartWith(`${PATH}/${channel.id}/checks?done=checks-changed&done-n=2&undo=`)
    const { text } = await member.get(`${PATH}/${channel.id}/checks`)
    const on = [gets, loses, others].map(({ publicId }) => text.includes(`value="${publicId}" checked`))
    expect(on).toEqual([true, false, true])
    const token = new URL(location, 'http://x').searchParams.get('undo') ?? ''
    expect((await member.post('/p/tests/undo', { token })).location).toContain('done=undone&done-n=2')
    const { text: again } = await member.get(`${PATH}/${channel.id}/checks`)
    expect([gets, loses].map(({ publicId }) => again.includes(`value="${publicId}" checked`))).toEqual([false, true])
  })

  test('that nobody has moved change nothing', async () => {
    const channel = await add()
    const { publicId } = await check('Backup', [channel])
    const answer = await save(channel, [
      ['action', 'save'],
      ['was', publicId],
      ['c', publicId],
    ])
    expect(answer.headers.get('location')).toEndWith('?done=nothing-changed')
    expect(await users(channel)).toBe(1)
  })

  test('are all on or off by one button, as far as they match', async () => {
    const channel = await add()
    for (const name of ['one', 'two', 'three']) await check(name, [], name === 'two' ? 'db' : '')
    await save(channel, [['action', 'all']])
    expect(await users(channel)).toBe(3)
    await save(channel, [
      ['action', 'none'],
      ['q', 'db'],
    ])
    expect(await users(channel)).toBe(2)
  })

  test('leave a row in the audit log for each check', async () => {
    const channel = await add()
    const { publicId } = await check('Backup')
    t.clock.advance({ minutes: 1 })
    await member.submit(`${PATH}/${channel.id}/checks`, { c: publicId })
    expect(await t.app.deps.store.audit.list(1)).toMatchObject([
      { author: { name: 'ann@example.org' }, action: 'edit', after: { channels: [channel.id] } },
    ])
  })
})

describe('the page that deletes an integration', () => {
  test('says what is lost', async () => {
    const settings = { value: 'ops@example.org', report: 'weekly', reminder: 'daily' }
    const channel = await add({ kind: 'email', settings, host: 'email' })
    await add({ name: 'Everyone', kind: 'group', settings: channel.id, host: 'group' })
    await fail(await check('Backup', [channel]))
    const { text } = await member.get(`${PATH}/${channel.id}/delete`)
    for (const loss of [
      '1 check will no longer alert it.',
      '1 waiting alert to it will never be sent.',
      'The group <bdi>Everyone</bdi> will lose a member.',
      'Its weekly report will stop.',
      'Its daily reminder will stop.',
    ]) {
      expect(text).toContain(loss)
    }
  })

  test('deletes it, with a row in the audit log that has no settings', async () => {
    const channel = await add({ settings: webhook('https://example.org/?token=planted') })
    t.clock.advance({ minutes: 1 })
    const { location } = await member.post(`${PATH}/${channel.id}/delete`)
    expect(location).toBe(`${PATH}?done=integration-deleted`)
    expect(await listChannels(t.app.deps, t.actor)).toEqual([])
    const audit = await t.app.deps.store.audit.list(10)
    expect(audit[0]).toMatchObject({ action: 'delete', author: { name: 'ann@example.org' } })
    expect(JSON.stringify(audit)).not.toContain('planted')
    expect((await member.get(`${PATH}/${channel.id}/delete`)).status).toBe(404)
  })
})

test('an open list shows what becomes of an alert, and a ping alone is no news', async () => {
  const channel = await add()
  const [backup, sync] = [await check('Backup', [channel]), await check('Sync')]
  await t.call('GET', `/ping/${sync.id}`)
  await fail(backup)
  const stream = await openStream(t, reader, '/p/tests/live?view=integrations')
  const news = async () => {
    const events = await stream.take()
    return events.flatMap(({ event, data }) => (event === 'message' ? [data] : [])).join('')
  }
  expect(await news()).toContain('Last 1 alert: 1 under way')
  await t.call('GET', `/ping/${sync.id}`)
  expect(await news()).toBe('')
  await t.app.settle('deliveries')
  const sent = await news()
  expect(sent).toContain('<hx-partial hx-target="#integrations" hx-swap="outerMorph">')
  expect(sent).toContain('Last 1 alert: 1 sent')
  expect(sent).not.toContain(`/integrations/${channel.id}`)
  await stream.leave()
})
