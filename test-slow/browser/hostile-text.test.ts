/** Hostile text in every field that a client can set and a page shows: it is shown as text, and nothing else happens. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { freePort } from '../../test/support/free-port.ts'
import { smtpClient } from '../../test/support/smtp-client.ts'
import { publicIdOf } from './support/filled.ts'
import { HOSTILE } from './support/hostile.ts'
import {
  ADMINISTRATOR,
  administrator,
  openSiteWithAdministrator,
  PASSWORD,
  type Person,
  plainSlugs,
  type Site,
  send,
} from './support/site.ts'

/** Several texts at once, where only one of them must do something for a test to fail. */
const GROUPS = Array.from({ length: 5 }, (_, group) => HOSTILE.filter((_, index) => index % 5 === group).join(' '))

const mailPort = freePort()
let site: Site
let owner: Person
let page: Page

beforeAll(async () => {
  site = await openSiteWithAdministrator({
    EMAIL_HOST: '127.0.0.1',
    DEFAULT_FROM_EMAIL: 'a@example.org',
    INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True',
    SHELL_ENABLED: 'True',
    SMTPD_PORT: String(mailPort),
    PING_EMAIL_DOMAIN: 'ping.example',
  })
  owner = await administrator(site)
  page = await site.tab({ as: owner })
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error('Content Security Policy: ' + violatedDirective + ' ' + blockedURI))`)
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(() => site.close())

const change = (path: string, fields: Readonly<Record<string, string>>) =>
  send(site.server.baseUrl, path, fields, { cookie: owner.cookie })

/** Opens a page and expects that it is ours and runs nothing but our script. */
async function openSafely(path: string, where: Page = page): Promise<void> {
  await where.goto(path)
  await expectSafe(where)
}

async function expectSafe(where: Page = page): Promise<void> {
  await where.waitForLoadState('load')
  const state = await where.evaluate(`({
    ran: window.ran,
    scripts: [...document.querySelectorAll('script')].map(({ src }) => src && new URL(src).pathname)
      .filter((path) => !/^\\/assets\\/(htmx|overdue|status|wall)\\.\\w+\\.js$/.test(path)),
    inline: document.querySelectorAll('style, object, embed, base, meta[http-equiv]').length,
    // The HTML of an email stands in a document without any right; that of a report is a document of this server.
    frames: [...document.querySelectorAll('iframe')].filter(({ sandbox, src }) =>
      sandbox.value !== '' || !/^(?:\\/p\\/[\\w-]+\\/reports\\/[\\w-]+\\/email)?$/.test(src && new URL(src).pathname)).length,
    commands: document.querySelectorAll('hx-partial, [hx-get], [hx-post], [hx-on], [hx-trigger]:not(#main)').length,
    handlers: [...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith('on')),
    addresses: [...document.querySelectorAll('[href], [src], [action]')].map((one) => one.href ?? one.src ?? one.action)
      // The form of a webhook leads to what its signature follows.
      .filter((url) => typeof url === 'string' && new URL(url).origin !== location.origin && url !== 'https://www.standardwebhooks.com/'),
    origin: location.origin,
    styled: getComputedStyle(document.documentElement).getPropertyValue('--text') !== '',
  })`)
  expect(state).toEqual({
    ran: undefined,
    scripts: [],
    inline: 0,
    frames: 0,
    commands: 0,
    handlers: [],
    addresses: [],
    origin: site.server.baseUrl,
    styled: true,
  })
}

/** As the text of a page shows it. */
const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

describe('of checks', () => {
  let apiKey: string
  let made: readonly Made[]
  /** One for each group, with pings and emails. */
  let pinged: readonly Made[]

  beforeAll(async () => {
    const { server } = site
    const keys = await server.overdue<{ api_key: string; ping_key: string }>('project', 'create', 'Target')
    await plainSlugs(server)
    apiKey = keys.api_key
    for (const text of GROUPS) {
      const settings = JSON.stringify({ url: 'http://127.0.0.1:9/' })
      await server.overdue(
        ...['channel', 'create', '--project', 'Target', '--kind', 'webhook'],
        ...[`--name=${text.slice(0, 100)}`, `--settings=${settings}`],
      )
    }
    made = await Promise.all(
      HOSTILE.map((text) => create({ name: text.slice(0, 100), tags: text.slice(0, 500), desc: text })),
    )
    pinged = await Promise.all(GROUPS.map((_, index) => create({ name: `Pinged ${index}`, channels: '*' })))
    for (const text of HOSTILE) {
      await fetch(`${server.baseUrl}/ping/${keys.ping_key}/${encodeURIComponent(text)}?create=1`, {
        headers: { 'User-Agent': asHeader(text) },
      })
    }
    const client = await smtpClient(mailPort)
    for (const [index, text] of GROUPS.entries()) {
      const { uuid } = pinged[index] ?? { uuid: '' }
      expect(await client.mail(email(text), `${uuid}@ping.example`)).toStartWith('250')
      await fail(uuid, text)
    }
    client.close()
  })

  const call = (method: string, path: string, body: object) =>
    fetch(`${site.server.baseUrl}/api/v3/checks/${path}`, {
      method,
      headers: { 'X-Api-Key': apiKey },
      body: JSON.stringify(body),
    })

  async function create(spec: object): Promise<Made> {
    const answer = await call('POST', '', spec)
    expect([spec, answer.status]).toEqual([spec, 201])
    const { uuid } = (await answer.json()) as { uuid: string }
    return { uuid, page: `/p/target/checks/${await publicIdOf(site.server, uuid)}` }
  }

  const fail = (uuid: string, text: string) =>
    fetch(`${site.server.baseUrl}/ping/${uuid}/fail`, {
      method: 'POST',
      body: text,
      headers: { 'User-Agent': asHeader(text) },
    })

  test('names and tags in the list, where pointers show more', async () => {
    await openSafely(LIST)
    const shown = (await page.locator(NAMES).allTextContents()).map(plain)
    for (const text of HOSTILE) expect(shown).toContain(plain(text.slice(0, 100)))
    for (const one of (await page.locator('#list th').all()).slice(0, 20)) await one.dispatchEvent('pointerover')
    await page.locator('#filters summary', { hasText: 'Tags' }).click()
    await expectSafe()
    await page.keyboard.press('Escape')
    await page.getByLabel('Select all shown').check()
    await page.locator('#bulk summary', { hasText: 'Assign…' }).click()
    await expectSafe()
    await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Delete…', exact: true }).click()])
    await expectSafe()
  })

  test('names, tags and descriptions on the pages of checks', async () => {
    for (const [index, { page: path }] of made.entries()) {
      await openSafely(path)
      expect(plain(String(await page.locator('h1').textContent()))).toBe(plain((HOSTILE[index] ?? '').slice(0, 100)))
    }
  })

  test('names in the forms about a check, and in their errors', async () => {
    for (const [index, { page: path }] of made.entries()) {
      if (index % 12 !== 0) continue
      for (const form of ['edit', 'schedule', 'rules', 'copy', 'transfer', 'clear', 'delete', 'log']) {
        await openSafely(`${path}/${form}`)
      }
    }
    const [{ page: path }] = pinged as [Made]
    for (const text of GROUPS) {
      await openAndSend(`${path}/delete`, { 'Type its name to confirm': text }, 'Delete check')
      await openAndSend(`${LIST}/new`, { Name: text, Slug: text, Tags: text, Description: text }, 'Create check')
      await page.getByText('Cron', { exact: true }).click()
      await typeSchedule({ 'Cron expression': text, 'Time zone': text, 'Grace time': text })
      await fillAndSend({}, 'Create check')
      await page.getByText('systemd OnCalendar', { exact: true }).click()
      await typeSchedule({ 'OnCalendar expressions': text })
    }
  })

  test('made-up pings and the keywords in them, as they are typed and as they are sent', async () => {
    const [{ page: path }] = made as [Made]
    await page.goto(`${path}/rules`)
    for (const place of ['bodies of requests', 'subjects of emails', 'texts of emails']) {
      await page.getByText(place, { exact: true }).click()
    }
    const body = page.getByRole('textbox', { name: 'Body of the request', exact: true })
    const found = page.locator('#tried .found')
    for (const [index, text] of HOSTILE.entries()) {
      // A comma would make two keywords of it.
      const [keyword = ''] = text.trim().split(',')
      await page.getByLabel('Failure keywords').fill(keyword)
      await body.fill(`text ${index}: ${text} after`)
      await found.filter({ hasText: `text ${index}:` }).waitFor()
      await expectSafe()
      const line = plain(String(await found.textContent()))
      if (/^[\x20-\x7e]{1,70}$/.test(text)) expect(line).toBe(plain(`text ${index}: ${text} after`))
    }
    await page.getByText('An email', { exact: true }).click()
    await page.getByLabel('Failure keywords').fill('')
    for (const [index, text] of GROUPS.entries()) {
      await page.getByLabel('Success keywords').fill(text.slice(0, 200))
      await page.getByLabel('Subject', { exact: true }).fill(`group ${index}: ${text.slice(0, 400)}`)
      await page.getByRole('textbox', { name: 'Text of the email', exact: true }).fill(text)
      await found.filter({ hasText: `group ${index}:` }).waitFor()
      await expectSafe()
    }
    await page.getByLabel('Start keywords').fill(GROUPS.join(' '))
    await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Save rules' }).click()])
    await expectSafe()
    await page.getByLabel('Start keywords').fill(GROUPS.join(' ').slice(0, 200))
    await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Save rules' }).click()])
    await expectSafe()
  })

  test('bodies, agents, subjects and emails in the log, on the first page and in the list', async () => {
    for (const path of ['/', LIST, '/p/target/first-ping']) await openSafely(path)
    for (const [index, { page: path }] of pinged.entries()) {
      for (const each of [path, `${path}/log`, `${path}/log/2`]) await openSafely(each)
      const body = plain(String(await page.getByRole('group', { name: 'Ping body' }).textContent()))
      const texts = HOSTILE.filter((text, each) => each % 5 === index && /^[\x20-\x7e]*$/.test(text))
      for (const text of texts) expect(body).toContain(plain(text))
      await openSafely(`${path}/log/1`)
      for (const part of await page.locator('details.part').all()) await part.locator('summary').click()
      await expectSafe()
      const frame = page.frameLocator('iframe.mail').locator('body')
      expect(await frame.locator('script, style, img, iframe, a[href], form, input').count()).toBe(0)
    }
  })

  test('originals are files that no browser shows', async () => {
    for (const { page: path } of pinged) {
      for (const n of [1, 2]) {
        const answer = await page.request.get(`${path}/log/${n}/body`)
        expect(answer.headers()['content-disposition']).toStartWith('attachment')
        expect(answer.headers()['content-type']).toBe(n === 1 ? 'message/rfc822' : 'text/plain; charset=utf-8')
        expect(answer.headers()['x-content-type-options']).toBe('nosniff')
      }
    }
  })

  test('what changes while pages are open comes by the stream, as text too', async () => {
    const [{ uuid, page: path }] = pinged as [Made]
    const others = await Promise.all([another(), another(), another(), another()])
    const [list, wrong, one, log, deliveries] = [page, ...others]
    for (const [where, at] of [
      [list, LIST],
      [wrong, '/'],
      [one, path],
      [log, `${path}/log`],
      [deliveries, '/p/target/deliveries'],
    ] as const) {
      await where?.goto(at)
      await where?.locator('#live', { hasText: 'Live' }).waitFor({ state: 'attached' })
    }
    for (const [index, text] of HOSTILE.entries()) {
      await call('POST', uuid, { name: text.slice(0, 100), tags: text.slice(0, 500), desc: text })
      await fail(uuid, `round ${index} ${text}`)
      // Every few, since an update takes a quarter of a second.
      if (index % 6 !== 5 && index < HOSTILE.length - 1) continue
      await list?.locator('#needs').getByText(`round ${index} `).waitFor()
      await wrong?.locator('#wrong').getByText(`round ${index} `).waitFor()
      await one?.locator('#latest').getByText(`round ${index} `).waitFor()
      for (const where of [list, wrong, one, log, deliveries]) {
        await expectSafe(where)
        expect(await where?.locator('h1').count()).toBe(1)
      }
    }
    await list?.getByRole('heading', { level: 1, name: 'Checks' }).waitFor()
    for (const where of others) await where?.close()
  })

  test('names and tags among badges, and in the preview of a report', async () => {
    await openSafely('/p/target/badges')
    const links = await page
      .locator('.badge-pick .chip')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    expect(links.length).toBeGreaterThan(HOSTILE.length)
    for (const link of links.filter((_, index) => index % 8 === 0)) await openSafely(`${link}&format=json`)
    const settings = JSON.stringify({ value: 'ops@example.org', report: 'daily' })
    const words = [
      '--project',
      'Target',
      '--kind',
      'email',
      '--name',
      GROUPS[0]?.slice(0, 100) ?? '',
      '--settings',
      settings,
    ]
    const { id } = await site.server.overdue<{ id: string }>('channel', 'create', ...words)
    await openSafely('/p/target/reports')
    for (const kind of ['report', 'reminder']) {
      await openSafely(`/p/target/reports/${id}?kind=${kind}`)
      const email = page.frameLocator('iframe.mail').locator('body')
      expect(await email.locator('h1').count()).toBe(1)
      expect(await email.locator('script, style, img, iframe, form, input, a:not([href="#"])').count()).toBe(0)
    }
  })

  test('names of checks and integrations, and what receivers answered, among deliveries and in one of them', async () => {
    await openSafely('/p/target/deliveries?since=all')
    const links = await page
      .locator('.deliveries .alert a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    expect(links.length).toBeGreaterThan(0)
    for (const link of links.slice(0, GROUPS.length)) await openSafely(String(link))
    await openSafely('/p/target/settings')
  })

  test('filters in addresses, of the list and of the log', async () => {
    const [{ page: path }] = pinged as [Made]
    for (const text of GROUPS) {
      const value = encodeURIComponent(text)
      await openSafely(`${LIST}?q=${value}&tag=${value}&status=${value}&sort=${value}&all=${value}`)
      await openSafely(`${path}/log?kind=${value}&until=${value}&older=${value}`)
      await openSafely(`${path}?snippet=${value}&done=${value}`)
      await openSafely(`/p/target/deliveries?q=${value}&state=${value}&since=${value}&check=${value}&after=${value}`)
      await openSafely(`/p/target/badges?q=${value}&format=${value}&states=${value}`)
      await page.goto('/p/target/badges')
      await page.getByRole('searchbox').fill(text)
      await page.getByText('No tag or check has').waitFor()
      await expectSafe()
      await page.goto(`${LIST}?status=up`)
      await page.getByRole('searchbox').fill(text)
      await page.getByText('No check matches').first().waitFor()
      await expectSafe()
    }
  })

  const another = () => page.context().newPage()

  async function fillAndSend(fields: Readonly<Record<string, string>>, button: string): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
    await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: button, exact: true }).click()])
    await expectSafe()
  }

  /** While it is typed, the page says what it means. */
  async function typeSchedule(fields: Readonly<Record<string, string>>): Promise<void> {
    const [last = '', text = ''] = Object.entries(fields).at(-1) ?? []
    const name = (await page.getByLabel(last, { exact: true }).getAttribute('name')) ?? ''
    // Each pause in the typing asks, so an answer may be that to an earlier field.
    const asked = page.waitForResponse((answer) => {
      const sent = new URLSearchParams(answer.request().postData() ?? '').get(name) ?? ''
      return answer.url().endsWith('/new/preview') && onOneLine(sent) === onOneLine(text)
    })
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
    expect((await asked).status()).toBe(200)
    await page.locator('#mistake[aria-busy]').waitFor({ state: 'detached' })
    await expectSafe()
  }

  async function openAndSend(path: string, fields: Readonly<Record<string, string>>, button: string): Promise<void> {
    await page.goto(path)
    await fillAndSend(fields, button)
  }
})

/** As browsers send it from a field, whose kind decides what becomes of line ends. */
function onOneLine(text: string): string {
  return text.replace(/[\r\n]/g, '')
}

interface Made {
  readonly uuid: string
  /** path */
  readonly page: string
}

const LIST = '/p/target/checks'
const NAMES = '#list tr[id] th > a:first-child'

/** What a header may contain. */
const asHeader = (text: string) => text.replace(/[^\x20-\x7e]/g, '')

function email(text: string): string {
  const word = `=?utf-8?B?${Buffer.from(text.slice(0, 400)).toString('base64')}?=`
  const part = (type: string) =>
    `--edge\r\nContent-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${btoa(
      String.fromCharCode(...new TextEncoder().encode(text)),
    ).replace(/.{70}/g, '$&\r\n')}\r\n`
  return [
    `From: ${asHeader(text).slice(0, 400)} <a@b.example>`,
    `X-Job: ${asHeader(text).slice(0, 400)}`,
    `Subject: ${word}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=edge',
    '',
    `${part('plain')}${part('html')}--edge--`,
    '',
  ].join('\r\n')
}

test('names of projects, in the list, the switcher, headings, titles and forms', async () => {
  for (const text of HOSTILE) expect((await change('/projects/new', { name: text })).status).toBe(303)
  await openSafely('/projects')
  await page.locator('.switcher summary').click()
  await expectSafe()
  const shown = (await page.locator('.plist b').allTextContents()).map(plain)
  for (const text of HOSTILE) expect(shown).toContain(plain(text))
  const slugs = await page
    .locator('.plist a')
    .evaluateAll((links) => links.map((link) => String(link.getAttribute('href'))))
  for (const path of slugs.slice(0, 12)) {
    expect(path).toMatch(/^\/p\/[a-z\d-]{1,40}\/checks$/)
    await openSafely(path)
    await openSafely(path.replace('checks', 'settings'))
    await openSafely(path.replace('checks', 'team/leave'))
    const invited = await change(path.replace('checks', 'team/invitations'), { role: 'member' })
    const [, token] = /^overdue_invitation=([\w-]{43});/.exec(invited.headers.get('set-cookie') ?? '') ?? []
    expect(token).toBeDefined()
    await openSafely(`/invitation/${token}`)
    await openSafely(`/wall?p=${path.split('/')[2]}`)
  }
})

test('what a project shows to everybody, and the forms of that', async () => {
  const stranger = await site.tab()
  const { key } = await site.server.overdue<{ key: string }>('key', 'create', 'Default', '--kind', 'read-write')
  for (const [index, text] of HOSTILE.entries()) {
    const [name, words] = [text.slice(0, 100), text.slice(0, 200)]
    const made = await fetch(`${site.server.baseUrl}/api/v3/checks/`, {
      method: 'POST',
      headers: { 'X-Api-Key': key },
      body: JSON.stringify({ name }),
    })
    const { uuid } = (await made.json()) as { uuid: string }
    const id = await publicIdOf(site.server, uuid)
    const page = '/p/default/status-page'
    const slug = `hostile-${index}`
    await change(page, { action: 'save', slug, title: name, text, tz: 'UTC', public: 'on' })
    const added = await change(page, { action: 'add', 'section-name': name, 'section-tag': '' })
    const section = added.headers.get('location') ?? ''
    const shown = { [`show-${id}`]: 'on', [`name-${id}`]: name, [`text-${id}`]: words }
    expect((await change(section, { name, check: id, ...shown })).status).toBe(303)
    if (index % 5 === 0) for (const path of [page, section]) await openSafely(path)
    await openSafely(`/status/${slug}`, stranger)
    expect(plain(String(await stranger.locator('h3').textContent()))).toBe(plain(name))
    const sectionId = section.split('/').at(-1) ?? ''
    await change(page, { action: 'remove', section: sectionId })
  }
})

test('what was typed into forms that went wrong', async () => {
  const stranger = await site.tab()
  const forms = [
    { path: '/account', button: 'Save settings', label: 'Time zone', where: page },
    { path: '/projects/new', button: 'Create project', label: 'Name', where: page },
    { path: '/password', button: 'Mail me a link', label: 'Email', where: stranger },
    { path: '/sign-in/link', button: 'Mail me a link', label: 'Email', where: stranger },
  ]
  for (const { path, button, label, where } of forms) {
    for (const text of GROUPS) {
      await where.goto(path)
      // The browser checks emails itself.
      await where.evaluate(`for (const form of document.forms) form.noValidate = true
        for (const input of document.querySelectorAll('input[type=email]')) input.type = 'text'`)
      await where.getByLabel(label, { exact: true }).fill(text)
      await Promise.all([where.waitForNavigation(), where.getByRole('button', { name: button, exact: true }).click()])
      await expectSafe(where)
    }
  }
})

test('names and settings of integrations, in the list, the forms and their errors, and answers of receivers', async () => {
  let answer = ''
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(answer, { status: 400, headers: { 'content-type': 'text/html' } }),
  })
  const path = '/p/default/integrations'
  for (const text of GROUPS) {
    // Line ends are no part of a header or a name.
    const [name, line] = [text.slice(0, 100), onOneLine(text)]
    answer = text
    const url = `${receiver.url}hook?$NAME=${encodeURIComponent(text.slice(0, 300).toWellFormed())}`
    const typed = {
      name,
      'set-method_up': 'POST',
      'set-method_down': 'POST',
      'set-send_down': 'on',
      'set-body_down': text,
      'for-all': 'on',
    }
    const hook = { ...typed, 'set-url_down': url, 'set-headers_down': `Content-Type: text/plain; x=${asHeader(line)}` }
    const made = await change(`${path}/new/webhook`, hook)
    expect(made.status).toBe(303)
    const own = String(made.headers.get('location')).replace(/\?.*/, '')
    for (const word of ['', '/checks', '/delete', `?done=${encodeURIComponent(text)}`]) await openSafely(own + word)
    await page.goto(own)
    expect(plain(String(await page.locator('h1').textContent()))).toBe(plain(name))
    await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Send test', exact: true }).click()])
    await expectSafe()
    expect(await page.locator('.tested .say.down').count()).toBe(1)
    for (const kind of ['zulip', 'shell']) {
      await page.goto(`${path}/new/${kind}`)
      for (const input of await page.locator('form.stack').locator('input[type=text], textarea').all()) {
        await input.fill(text)
      }
      await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Add integration' }).click()])
      await expectSafe()
    }
    const value = encodeURIComponent(text)
    for (const word of [`?from=${value}`, `/new/${value}`, `/${value}`, `/${value}/checks?q=${value}`]) {
      await openSafely(path + word)
    }
    await openSafely(`/p/default/deliveries?q=${value}&state=${value}&since=${value}&channel=${value}&check=${value}`)
  }
  await openSafely(path)
  const { key } = await site.server.overdue<{ key: string }>('key', 'create', 'Default', '--kind', 'read-write')
  const made = await fetch(`${site.server.baseUrl}/api/v3/checks/`, {
    method: 'POST',
    headers: { 'X-Api-Key': key },
    body: JSON.stringify({ name: GROUPS[1]?.slice(0, 100), channels: '*' }),
  })
  const { ping_url } = (await made.json()) as { ping_url: string }
  await fetch(`${ping_url}/fail`)
  await page.goto('/p/default/deliveries')
  await page.locator('.deliveries .why').first().waitFor()
  await expectSafe()
  await page.locator('.deliveries .alert a').first().click()
  await page.locator('details.answer summary').first().click()
  await expectSafe()
  await receiver.stop(true)
})

test('user agents of sessions, and the email and address of whoever signs in', async () => {
  const { baseUrl } = site.server
  const agents = HOSTILE.map((text) => text.replace(/[^\x20-\x7e]/g, '')).filter((text) => text.trim() !== '')
  // Nearly everything that an email may contain.
  const email = "o'x`{ran=1}&lt=/onload=@127.0.0.1"
  const { link } = await site.server.overdue<{ link: { url: string } }>('account', 'create', email)
  const answer = await send(
    baseUrl,
    new URL(link.url).pathname,
    { password: PASSWORD },
    { 'user-agent': agents[0] ?? '' },
  )
  expect(answer.status).toBe(303)
  const cookie = String(answer.headers.get('set-cookie')?.split(';')[0])
  const hostile = await site.tab({ as: { email: '', cookie } })
  await openSafely('/account', hostile)
  expect(await hostile.locator('.kv bdi').textContent()).toBe(email)
  for (const agent of agents.slice(0, 12)) {
    const signedIn = await send(
      baseUrl,
      '/sign-in',
      { email: ADMINISTRATOR, password: PASSWORD },
      { 'user-agent': agent, 'x-forwarded-for': '"><script>window.ran=1</script>' },
    )
    expect(signedIn.status).toBe(303)
  }
  await openSafely('/account/sessions')
  const shown = (await page.locator('tbody th').allTextContents()).map(plain)
  for (const agent of agents.slice(0, 12)) expect(shown).toContain(plain(agent))
})

test('codes of toasts, names of snippets, `next`, and other parameters of addresses', async () => {
  const stranger = await site.tab()
  for (const text of GROUPS) {
    const value = encodeURIComponent(`/${text}`)
    for (const [path, where] of [
      [`/p/default/first-ping?snippet=${value}&done=${value}`, page],
      [`/sign-in?next=${value}&done=${value}&email=${value}`, stranger],
    ] as const) {
      await openSafely(path, where)
      expect(await where.locator('.toast').count()).toBe(0)
    }
  }
})

test('names and tokens in paths, of pages and of nothing', async () => {
  for (const text of HOSTILE) {
    const name = encodeURIComponent(text)
    const paths = [
      `/${name}`,
      `/p/${name}/checks`,
      `/setup/${name}`,
      `/integrations/${name}/unsub/${name}`,
      `/assets/${name}`,
    ]
    for (const path of paths) {
      const answer = await fetch(site.server.baseUrl + path, { headers: { cookie: owner.cookie, accept: 'text/html' } })
      const body = await answer.text()
      expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true])
      // Nothing of an address is repeated, so nothing of it can run.
      expect([path, body.includes('window.ran')]).toEqual([path, false])
    }
  }
  for (const text of HOSTILE.slice(0, 12)) await openSafely(`/p/${encodeURIComponent(text)}/checks`)
})

test('no `next` leads a browser to another site or a script', async () => {
  const places = [
    ...HOSTILE.filter((text) => /^\w+:/.test(text)),
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    '/.//evil.example',
  ]
  for (const next of places) {
    const answer = await send(site.server.baseUrl, '/sign-in', { email: ADMINISTRATOR, password: PASSWORD, next })
    expect(answer.status).toBe(303)
    const to = new URL(String(answer.headers.get('location')), site.server.baseUrl)
    expect([next, to.origin]).toEqual([next, site.server.baseUrl])
  }
})
