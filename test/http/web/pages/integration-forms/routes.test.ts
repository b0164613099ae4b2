/** Forms of integrations: every kind is stored as by the API, and no secret is shown again. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { HIDDEN } from '../../../../../src/domain/carrier/header-lines.ts'
import type { Channel } from '../../../../../src/domain/channel/channel.ts'
import { upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { ENVIRONMENT } from '../../../../security/secrets.ts'
import { administrator, type Browser, memberWith } from '../../../../support/browser.ts'
import { filledForm } from '../../../../support/integration-forms.ts'
import { errorsOf, unescaped } from '../../../../support/page-words.ts'
import { aChannel, anAuthor } from '../../../../support/store-builders.ts'
import { OK, type TestApp, testApp } from '../../../../support/test-app.ts'
import { KINDS } from '../../../../transports/kinds.ts'

let t: TestApp
let member: Browser
beforeAll(async () => {
  t = await testApp({ env: ENVIRONMENT })
  member = await memberWith(t, 'member', { tz: 'Europe/Riga', email: 'ann@example.org' })
})
afterAll(() => t.close())
afterEach(async () => {
  for (const { id } of await all()) await t.app.deps.store.by(anAuthor()).channels.delete(id)
  t.sent.length = 0
  t.answerWith(OK)
  // A person may send ten tests in a minute.
  t.clock.advance({ minutes: 1 })
})

const NEW = '/p/tests/integrations/new'
const pathOf = ({ id }: Pick<Channel, 'id'>) => `/p/tests/integrations/${id}`
const all = () => t.app.deps.store.channels.list(t.project.id)
const only = async () => {
  const [channel, ...others] = await all()
  expect(others).toEqual([])
  if (!channel) throw new Error('there is no integration')
  return channel
}
const add = async (over: Partial<Channel>) => {
  const channel = aChannel(t.project, over)
  await t.app.deps.store.by(anAuthor()).channels.create(channel)
  return channel
}

describe.each(KINDS)('an integration of kind %s', (kind) => {
  const { fields, settings, mistyped } = filledForm(kind)

  test('is stored as it was typed', async () => {
    expect((await member.get(`${NEW}/${kind}`)).status).toBe(200)
    const answer = await member.post(`${NEW}/${kind}`, { name: 'Ops', ...fields })
    const channel = await only()
    expect({ status: answer.status, location: answer.location }).toEqual({
      status: 303,
      location: `${pathOf(channel)}?done=integration-made`,
    })
    expect(channel).toMatchObject({ name: 'Ops', kind, settings })
  })

  test('is refused with what is wrong at each field, of which the first has the focus', async () => {
    const shown = Object.entries(shownIn((await member.get(`${NEW}/${kind}`)).text))
    const unswitched = Object.fromEntries(shown.filter(([, value]) => value !== 'on'))
    const { status, text } = await member.post(`${NEW}/${kind}`, { ...unswitched, name: 'Ops', ...mistyped })
    expect(status).toBe(422)
    expect(Object.keys(errorsOf(text))).toEqual(Object.keys(mistyped))
    expect(/<(?:input|textarea|select)[^>]* autofocus/.exec(text)?.[0]).toContain(`id="${Object.keys(mistyped)[0]}"`)
    expect(await all()).toEqual([])
  })

  test('stays as it is when its form is sent back as the browser shows it, under another name', async () => {
    const channel = await add({ kind, settings })
    const { text } = await member.get(pathOf(channel))
    const { status } = await member.post(pathOf(channel), { ...shownIn(text), name: 'Renamed' })
    expect(status).toBe(303)
    expect(await only()).toMatchObject({ name: 'Renamed', settings })
  })
})

describe.each(KINDS)('an integration of kind %s that came without its settings', (kind) => {
  const { fields, settings } = filledForm(kind)

  test('is listed as switched off, and filling in its form switches it on', async () => {
    const channel = await add({
      kind,
      name: 'Moved',
      settings: {},
      disabledReason: 'its settings were not part of the import',
    })
    await upsertCheck(t.app.deps, t.actor, { name: 'Job', channels: channel.id }, false)
    for (const path of ['/p/tests/integrations', pathOf(channel), '/p/tests/reports', '/p/tests/checks']) {
      expect([path, (await member.get(path)).status]).toEqual([path, 200])
    }
    expect((await member.get('/p/tests/integrations')).text).toContain(
      'Turned off: Its settings were not part of the import',
    )
    const { status } = await member.post(pathOf(channel), { name: 'Moved', ...fields })
    expect(status).toBe(303)
    expect(await only()).toMatchObject({ id: channel.id, settings, disabledReason: null })
  })
})

/** Returns the fields as a browser would send them. */
function shownIn(page: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [tag, name = ''] of page.matchAll(/<(?:input|textarea|select)[^>]* name="([^"]+)"[^>]*>/g)) {
    const value = unescaped(/ value="([^"]*)"/.exec(tag)?.[1] ?? '')
    if (tag.includes('checkbox')) {
      if (tag.includes(' checked')) fields[name] = value
    } else if (tag.startsWith('<input')) fields[name] = value
    else {
      const rest = page.slice(page.indexOf(tag) + tag.length)
      const text = rest.slice(0, rest.indexOf(tag.startsWith('<select') ? '</select>' : '</textarea>'))
      fields[name] = unescaped(
        tag.startsWith('<select') ? (/value="([^"]*)" selected/.exec(text)?.[1] ?? '') : text.replace(/^\n/, ''),
      )
    }
  }
  return fields
}

describe('what few need', () => {
  const FOLDED = '<details class="advanced"><summary>Advanced</summary>'
  const OPEN = '<details class="advanced" open><summary>Advanced</summary>'
  const foldOf = (text: string) => /<details class="advanced"[\s\S]*?<\/details>/.exec(text)?.[0] ?? ''

  test('is folded in the form of a webhook, and says where its format is described', async () => {
    const { text } = await member.get(`${NEW}/webhook`)
    expect(text).toContain(FOLDED)
    expect(foldOf(text)).not.toContain('name="set-url"')
    for (const name of ['set-body_up', 'set-secret']) expect(foldOf(text)).toContain(`name="${name}"`)
    expect(foldOf(text)).toContain('<a href="https://www.standardwebhooks.com/" rel="noreferrer">')
  })

  test('is open when something stands in it, is stored or is wrong', async () => {
    const url = 'https://example.org/hook'
    expect((await member.get(pathOf(await add({ kind: 'webhook', settings: { url } })))).text).toContain(FOLDED)
    const { secret } = filledForm('webhook').settings as { secret: string }
    for (const settings of [
      { url, secret },
      { url, method_up: 'PUT' },
      { url, url_up: '' },
    ]) {
      expect((await member.get(pathOf(await add({ kind: 'webhook', settings })))).text).toContain(OPEN)
    }
    const wrong = { 'set-url': url, 'set-send_down': 'on', 'set-send_up': 'on', 'set-secret': 'whsec_short' }
    expect((await member.post(`${NEW}/webhook`, wrong)).text).toContain(OPEN)
  })
})

test('a new integration gets the alerts of all checks if that is wanted', async () => {
  const { check } = await upsertCheck(t.app.deps, t.actor, { name: 'Backup' }, false)
  await member.post(`${NEW}/matrix`, { 'set-value': '!a:b', 'for-all': 'on' })
  const found = await t.app.deps.store.checks.find(check.id)
  expect(found?.channelIds).toEqual([(await only()).id])
})

describe('a form with mistakes', () => {
  test('comes again with all of them at their fields, and with what was typed', async () => {
    const { status, text } = await member.post(`${NEW}/ntfy`, {
      name: 'x'.repeat(101),
      'set-topic': 'no spaces',
      'set-url': 'ftp://ntfy.example.org',
      'set-priority': '9',
      'set-priority_up': 'high',
    })
    expect(status).toBe(422)
    expect(errorsOf(text)).toEqual({
      name: 'This is too long: use at most 100 characters.',
      'set-topic': 'That is not letters, digits, - and _.',
      'set-url': 'That is not a URL such as https://ntfy.sh.',
      'set-priority': 'Write a whole number from 0 to 5.',
      'set-priority_up': 'Write a whole number.',
    })
    expect(shownIn(text)).toMatchObject({ 'set-topic': 'no spaces', 'set-priority': '9' })
    expect(await all()).toEqual([])
  })

  test('does not give back a secret, but asks for it once more', async () => {
    const { text } = await member.post(`${NEW}/gotify`, { 'set-token': 'typed-token', 'set-url': '' })
    expect(text).not.toContain('typed-token')
    expect(errorsOf(text)).toEqual({
      'set-url': 'Fill in: Server URL.',
      'set-token': 'It is not shown. Type it again.',
    })
  })

  test('of a webhook names each: no URL, no header, a key that is none', async () => {
    const { status, text } = await member.post(`${NEW}/webhook`, {
      'set-send_down': 'on',
      'set-method_down': 'POST',
      'set-headers_down': 'nonsense',
      'set-send_up': 'on',
      'set-method_up': 'PATCH',
      'set-url_up': 'https://a b/',
      'set-secret': 'short',
    })
    expect(status).toBe(422)
    expect(errorsOf(text)).toEqual({
      'set-url': 'Write a URL here, or one for each status.',
      'set-headers_down': 'Write each header in its own line, such as Content-Type: text/plain.',
      'set-method_up': 'Choose one from the list.',
      'set-url_up': 'That is not a URL such as https://example.org/hook.',
      'set-secret': 'That is not whsec_ with at least 24 bytes in base64. Type it again.',
    })
  })

  test('of a command says what is wrong with each', async () => {
    const { text } = await member.post(`${NEW}/shell`, { 'set-cmd_down': 'echo "$NAME', 'set-cmd_up': 'echo `$NAME`' })
    expect(Object.keys(errorsOf(text))).toEqual(['set-cmd_down', 'set-cmd_up'])
  })
})

describe('a group', () => {
  test('has the members that were chosen', async () => {
    const [first, second] = [await add({ name: 'One' }), await add({ name: 'Two' })]
    const { text } = await member.get(`${NEW}/group`)
    expect(text).toContain('<bdi>One</bdi>')
    await member.post(`${NEW}/group`, { 'set-members': second.id })
    const group = (await all()).find(({ kind }) => kind === 'group')
    expect(group?.settings).toBe(second.id)
    expect(first.id).not.toBe(second.id)
  })

  test('without members is refused', async () => {
    await add({ name: 'One' })
    const { status, text } = await member.post(`${NEW}/group`, {})
    expect(status).toBe(422)
    expect(text).toContain('Choose at least one.')
  })

  test('of which one was deleted while its form was open comes back with the others, and is stored without it', async () => {
    const [first, second] = [await add({ name: 'One' }), await add({ name: 'Two' })]
    await t.app.deps.store.by(anAuthor()).channels.delete(second.id)
    const typed = { name: 'Everybody', 'set-members': `${first.id},${second.id}` }
    const { status, text } = await member.post(`${NEW}/group`, typed)
    expect(status).toBe(422)
    expect(text).toContain('A chosen integration was deleted. Choose again.')
    const again = shownIn(text)
    expect(again).toMatchObject({ name: 'Everybody', 'set-members': first.id })
    expect((await member.post(`${NEW}/group`, again)).status).toBe(303)
  })
})

test('a stored secret stays, is replaced, or is removed if the kind needs none', async () => {
  const channel = await add({ kind: 'ntfy', settings: filledForm('ntfy').settings })
  const shown = shownIn((await member.get(pathOf(channel))).text)
  const token = async () => ((await only()).settings as { token?: string }).token
  await member.post(pathOf(channel), { ...shown, 'set-token': 'another-token' })
  expect(await token()).toBe('another-token')
  await member.post(pathOf(channel), { ...shown, 'remove-token': 'on' })
  expect(await token()).toBeUndefined()
})

test('a stored secret is not sent to another server: it has to be typed again, or removed', async () => {
  const channel = await add({
    kind: 'ntfy',
    settings: { ...Object(filledForm('ntfy').settings), url: 'https://ntfy.example.org' },
  })
  const shown = shownIn((await member.get(pathOf(channel))).text)
  const elsewhere = { ...shown, 'set-url': 'https://evil.example' }
  const refused = await member.post(pathOf(channel), elsewhere)
  expect([refused.status, errorsOf(refused.text)]).toEqual([
    422,
    { 'set-token': expect.stringContaining('another server') },
  ])
  expect((await only()).settings).toEqual(channel.settings)
  expect((await member.post(pathOf(channel), { ...shown, 'set-url': 'https://ntfy.example.org/base' })).status).toBe(
    303,
  )
  expect((await member.post(pathOf(channel), { ...elsewhere, 'remove-token': 'on' })).status).toBe(303)
  expect((await only()).settings).not.toHaveProperty('token')
})

test('a hidden header of a webhook is not sent to another server', async () => {
  const settings = { url: 'https://hooks.example.org/a', headers_down: { Authorization: 'Bearer of-bad-news' } }
  const channel = await add({ kind: 'webhook', settings })
  const shown = shownIn((await member.get(pathOf(channel))).text)
  for (const field of ['set-url', 'set-url_down', 'set-url_up']) {
    const refused = await member.post(pathOf(channel), { ...shown, [field]: 'https://evil.example' })
    expect([refused.status, Object.keys(errorsOf(refused.text))]).toEqual([422, ['set-headers_down']])
  }
  expect((await only()).settings).toEqual(settings)
})

test.each([
  [
    'a placeholder that would make another server of a user',
    { 'set-url': 'https://evil.example$NAME@hooks.example.org/' },
  ],
  ['a placeholder in the server', { 'set-url': 'https://hooks.example.org$SLUG/' }],
  ['a placeholder after a backslash', { 'set-url_down': 'https:\\\\hooks.example.org$NAME\\@hooks.example.org/' }],
  ['a user', { 'set-url_up': 'https://evil.example@hooks.example.org/' }],
  ['a Host header', { 'set-headers_down': `Authorization: ${HIDDEN}\nHost: evil.example` }],
  ['a placeholder in a Host header', { 'set-headers_up': 'Host: $NAME' }],
])('a hidden header of a webhook is not sent elsewhere by %s', async (_, change) => {
  const settings = { url: 'https://hooks.example.org/a', headers_down: { Authorization: 'Bearer of-bad-news' } }
  const channel = await add({ kind: 'webhook', settings })
  const shown = shownIn((await member.get(pathOf(channel))).text)
  expect((await member.post(pathOf(channel), { ...shown, ...change })).status).toBe(422)
  expect((await only()).settings).toEqual(settings)
})

test('a kind that the server lacks a setting for says so, and its name to administrators only', async () => {
  const bare = await testApp()
  try {
    const [ann, root] = [await memberWith(bare, 'member'), await administrator(bare)]
    const path = `${NEW}/telegram`
    expect((await ann.get(path)).text).toContain('not set up to send to it yet. Ask an administrator.')
    expect((await ann.get(path)).text).not.toContain('TELEGRAM_TOKEN')
    expect((await root.get(path)).text).toContain('Set TELEGRAM_TOKEN=123456:ABC….')
  } finally {
    await bare.close()
  }
})

test('a kind that is switched off has no form, but says what to set, to administrators only', async () => {
  const off = await testApp({ env: { SLACK_ENABLED: 'False' } })
  try {
    const [ann, root] = [await memberWith(off, 'member'), await administrator(off)]
    for (const [who, remedy] of [
      [ann, 'Ask an administrator.'],
      [root, 'Set SLACK_ENABLED=True.'],
    ] as const) {
      const { status, text } = await who.get(`${NEW}/slack`)
      expect(status).toBe(200)
      expect(text).toContain('<h1><bdi>New integration: Slack</bdi></h1>')
      expect(text).toContain(`This service is turned off on this server. ${remedy}`)
      expect(text).not.toContain('name="set-value"')
    }
  } finally {
    await off.close()
  }
})

test('the form of a kind that was switched off while it was open comes back, and says who can change that', async () => {
  const off = await testApp({ env: { WEBHOOKS_ENABLED: 'False' } })
  try {
    const [ann, root] = [await memberWith(off, 'member'), await administrator(off)]
    for (const [who, remedy] of [
      [ann, 'Ask an administrator.'],
      [root, 'Set WEBHOOKS_ENABLED=True.'],
    ] as const) {
      const { status, text } = await who.post(`${NEW}/webhook`, { name: 'Ops', 'set-url': 'https://example.org/typed' })
      expect(status).toBe(422)
      expect(text).toContain(`This service is turned off on this server. ${remedy}`)
      expect(shownIn(text)).toMatchObject({ name: 'Ops', 'set-url': 'https://example.org/typed' })
    }
    expect(await off.app.deps.store.channels.list(off.project.id)).toEqual([])
  } finally {
    await off.close()
  }
})

describe('an address inside', () => {
  const post = (kind: string, fields: Readonly<Record<string, string>>, who = member) =>
    who.post(`${NEW}/${kind}`, { ...filledForm(kind).fields, ...fields })
  const words = (host: string) =>
    `${host} is a private address. Use a public host, or ask the administrator to allow private addresses.`

  test.each([
    ['webhook', 'set-url', 'http://192.168.4.20/close', '192.168.4.20'],
    ['webhook', 'set-url_down', 'http://localhost:3000/', 'localhost'],
    ['webhook', 'set-url_up', 'http://x.localhost/$NAME', 'x.localhost'],
    ['webhook', 'set-url', 'http://0x7f.1/', '127.0.0.1'],
    ['webhook', 'set-url', 'http://[::1]:8000/', '[::1]'],
    ['ntfy', 'set-url', 'https://10.1.2.3', '10.1.2.3'],
    ['gotify', 'set-url', 'https://169.254.169.254/', '169.254.169.254'],
    ['zulip', 'set-site', 'https://172.16.0.9', '172.16.0.9'],
    ['slack', 'set-value', 'https://127.0.0.1/hook', '127.0.0.1'],
  ])('of %s is refused at its field: %s is %s', async (kind, field, url, host) => {
    const { status, text } = await post(kind, { [field]: url })
    expect(status).toBe(422)
    expect(errorsOf(text)[field]).toStartWith(words(host))
    expect(await all()).toEqual([])
  })

  test('is refused in an edit too, where administrators are told the setting', async () => {
    const channel = await add({ kind: 'webhook', settings: { url: 'https://example.org/hook' } })
    const root = await administrator(t)
    const shown = shownIn((await root.get(pathOf(channel))).text)
    const { text } = await root.post(pathOf(channel), { ...shown, 'set-url': 'http://10.0.0.1/' })
    const remedy = 'Use a public host, or set INTEGRATIONS_ALLOW_PRIVATE_IPS=True on the server.'
    expect(errorsOf(text)).toEqual({ 'set-url': `10.0.0.1 is a private address. ${remedy}` })
    expect((await only()).settings).toEqual({ url: 'https://example.org/hook' })
  })

  test('counts only in fields with an address', async () => {
    const { status } = await post('webhook', { 'set-body_down': 'http://localhost/' })
    expect(status).toBe(303)
  })

  test('is stored if the server sends to private addresses, or only a resolver knows that it is one', async () => {
    expect((await post('gotify', { 'set-url': 'https://gotify.corp.internal' })).status).toBe(303)
    const open = await testApp({ env: { INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True' } })
    try {
      const ann = await memberWith(open, 'member')
      expect((await post('gotify', { 'set-url': 'http://localhost:8080' }, ann)).status).toBe(303)
    } finally {
      await open.close()
    }
  })
})

test('a new integration has the name of its kind in the title, and help that is spelt as it is typed', async () => {
  const { text } = await member.get(`${NEW}/webhook`)
  expect(text).toContain('<h1><bdi>New integration: Webhook</bdi></h1>')
  expect(text).toContain('whsec_')
  expect(text).not.toContain('Whsec_')
})

test('a kind or an integration that does not exist has no form', async () => {
  expect((await member.get(`${NEW}/no-such-kind`)).status).toBe(404)
  expect((await member.get('/p/tests/integrations/nothing')).status).toBe(404)
})

describe('a test beside the form', () => {
  const settings = {
    url: 'https://hooks.example.org/in/$STATUS',
    headers_down: { Authorization: 'Bearer header-secret-1', 'Content-Type': 'text/plain' },
    body_down: '$NAME is $STATUS',
  }

  test('shows the request and the answer, without secrets', async () => {
    const channel = await add({ kind: 'webhook', settings })
    t.answerWith({
      kind: 'answered',
      status: 401,
      headers: new Headers({ 'content-type': 'application/json', 'set-cookie': 'session=1' }),
      body: '{"error":"header-secret-1 is <b>wrong</b>"}',
    })
    const { status, text } = await member.post(`${pathOf(channel)}/test`, { status: 'down' })
    expect(status).toBe(200)
    expect(t.sent).toMatchObject([{ url: 'https://hooks.example.org/in/down', body: 'TEST is down' }])
    expect(text).toContain('<b>POST https://hooks.example.org/in/down</b>')
    expect(text).toContain('authorization: Bearer ••••')
    expect(text).toContain('content-type: text/plain')
    expect(text).toContain('TEST is down')
    expect(text).toContain('<b>401 Unauthorized</b>')
    expect(text).toContain('•••• is &lt;b&gt;wrong')
    expect(text).toContain('Received status code 401')
    expect(text).not.toMatch(/header-secret-1|set-cookie|session=1/)
  })

  test('comes up as well as down', async () => {
    const channel = await add({ kind: 'webhook', settings })
    const { text } = await member.post(`${pathOf(channel)}/test`, { status: 'up' })
    expect(text).toContain('The receiver accepted the test.')
    expect(t.sent).toMatchObject([{ url: 'https://hooks.example.org/in/up' }])
  })

  test('is sent with what was saved before it', async () => {
    const channel = await add({ kind: 'matrix', settings: '!old:example.org' })
    const typed = { 'set-value': '!new:example.org', action: 'test' }
    const { status, location } = await member.post(pathOf(channel), typed)
    expect({ status, location }).toEqual({ status: 307, location: `${pathOf(channel)}/test` })
    expect((await only()).settings).toBe('!new:example.org')
    const { text } = await member.post(`${pathOf(channel)}/test`, typed)
    expect(decodeURIComponent(t.sent[0]?.url ?? '')).toContain('!new:example.org')
    expect(text).toContain('The receiver accepted the test.')
  })

  test('of a new one leads to the form of it, so that a reload adds no second one', async () => {
    const typed = { 'set-value': '!new:example.org', action: 'test' }
    const { status, location } = await member.post(`${NEW}/matrix`, typed)
    expect({ status, location }).toEqual({ status: 307, location: `${pathOf(await only())}/test` })
    for (let reload = 0; reload < 2; reload++) {
      const { text } = await member.post(location ?? '', typed)
      expect(text).toContain(`action="${pathOf(await only())}"`)
    }
    expect(t.sent).toHaveLength(2)
  })

  test('is one of ten in a minute, from all pages of all projects together', async () => {
    const channel = await add({ kind: 'webhook', settings })
    const list = () => member.post('/p/tests/integrations', { test: channel.id })
    for (let sent = 0; sent < 9; sent++) await member.post(`${pathOf(channel)}/test`)
    t.clock.advance({ seconds: 20 })
    expect((await list()).status).toBe(303)
    for (const { status, headers, text } of [await list(), await member.post(`${pathOf(channel)}/test`)]) {
      expect({ status, wait: headers.get('retry-after') }).toEqual({ status: 429, wait: '40' })
      expect(text).toContain('You have sent 10 tests within a minute, the next may be sent in 40 seconds.')
    }
    const another = await memberWith(t, 'member', { email: 'bob@example.org' })
    expect((await another.post(`${pathOf(channel)}/test`)).status).toBe(200)
    t.clock.advance({ seconds: 40 })
    expect((await list()).status).toBe(303)
    expect(t.sent).toHaveLength(12)
  })

  test('says why nothing was sent', async () => {
    const channel = await add({ kind: 'webhook', settings: { ...settings, url_up: '' } })
    const { text } = await member.post(`${pathOf(channel)}/test`, { status: 'up' })
    expect(text).toContain('according to its settings, it gets no alerts')
    expect(t.sent).toEqual([])
  })

  test('of a group shows what each member was sent', async () => {
    const one = await add({ name: 'One', kind: 'webhook', settings })
    const two = await add({ name: 'Two', kind: 'webhook', settings: { url: 'https://two.example.org/' } })
    const group = await add({ kind: 'group', settings: `${one.id},${two.id}` })
    const { text } = await member.post(`${pathOf(group)}/test`, { status: 'down' })
    expect(text).toContain('<bdi>One</bdi>: The receiver accepted')
    expect(text).toContain('POST https://two.example.org/')
  })
})

test('a form that would mail an address too often is shown again, with what was typed, and adds nothing', async () => {
  const open = await testApp({ env: { REGISTRATION_OPEN: 'True', EMAIL_HOST: 'mail.example.org' } })
  try {
    const owner = await memberWith(open, 'owner')
    const addEmail = () => owner.post(`${NEW}/email`, { name: 'Night shift', ...filledForm('email').fields })
    for (let n = 0; n < 5; n += 1) expect((await addEmail()).status).toBe(303)
    const refused = await addEmail()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
    expect(refused.text).toContain('Too many confirmation emails were requested; try again later.')
    expect(refused.text).toContain('Night shift')
    expect(await open.app.deps.store.channels.list(open.project.id)).toHaveLength(5)
  } finally {
    await open.close()
  }
})
