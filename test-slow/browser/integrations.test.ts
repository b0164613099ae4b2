/** Integrations in a browser, with receivers on this machine: forms, tests, alerts, and a repeated alert. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { ENVIRONMENT } from '../../test/security/secrets.ts'
import type { Fields } from '../../test/support/browser.ts'
import { filledForm } from '../../test/support/integration-forms.ts'
import { openReceivers, type Receivers } from './support/receivers.ts'
import { openSiteWithFakeClock, type SiteWithFakeClock } from './support/site-with-fake-clock.ts'

setDefaultTimeout(60_000)

let receivers: Receivers
let site: SiteWithFakeClock
let page: Page

beforeAll(async () => {
  receivers = await openReceivers()
  const { carriers, signalSocket } = receivers
  site = await openSiteWithFakeClock({ env: { ...ENVIRONMENT, SIGNAL_CLI_SOCKET: signalSocket }, carriers })
  page = await site.tab({ as: await site.person('owner') })
})
afterEach(() => expect(site.troubles()).toEqual([]))
afterAll(async () => {
  await site.close()
  await receivers.close()
})

const LIST = '/p/tests/integrations'

/** Forms of each shape and receivers of each carrier, with the beginning of messages there. */
const ARRIVES_AS = {
  discord: /^POST discord\.example\.org\//,
  email: /^mail to jane\.doe@people\.example\.org/,
  matrix: /^\w+ matrix\.example\.org\//,
  ntfy: /^POST ntfy\.example\.org\//,
  shell: /^command/,
  signal: /^signal/,
  slack: /^POST slack\.example\.org\//,
  spike: /^POST spike\.example\.org\//,
  webhook: /^PUT webhook\.example\.org\//,
} as const

type Kind = keyof typeof ARRIVES_AS
const WALKED = Object.keys(ARRIVES_AS) as Kind[]

/** Returns correct input for the form. */
function typedFor(kind: Kind): Fields {
  const command = (status: string) => `echo $NAME went ${status} >> ${receivers.file}`
  return kind === 'shell' ? { 'set-cmd_down': command('down'), 'set-cmd_up': command('up') } : filledForm(kind).fields
}

const field = (name: string) => page.locator(`[id="${name}"]`)
const said = () => page.locator('.toast').textContent()
const heading = () => page.getByRole('heading', { level: 1 }).textContent()
const refusedFields = () => page.locator('[aria-invalid="true"]').evaluateAll((all) => all.map(({ id }) => id))
const focused = () => page.evaluate<string>('document.activeElement.id')
const stored = async (name: string) => {
  const found = (await site.t.app.deps.store.channels.list(site.project.id)).find((one) => one.name === name)
  if (!found) throw new Error(`no integration is called ${name}`)
  return found
}

async function press(name: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.getByRole('button', { name, exact: true }).click()])
}

/** Fills in the form. @param fields switches that are not named are off */
async function type(fields: Fields): Promise<void> {
  // An open one is no longer among them.
  const folded = page.locator('.advanced:not([open]) > summary')
  while ((await folded.count()) > 0) await folded.first().click()
  for (const one of await page.locator('[id^="set-"][type=checkbox]').all()) {
    await one.setChecked(((await one.getAttribute('name')) as string) in fields)
  }
  for (const [name, text] of Object.entries(fields)) {
    const tag = await tagOf(field(name))
    if (tag === 'select') await field(name).selectOption(text)
    else if (tag !== 'checkbox') await field(name).fill(text)
  }
}

function tagOf(one: Locator): Promise<string> {
  return one.evaluate((element) => (element.matches('[type=checkbox]') ? 'checkbox' : element.localName))
}

/** Counts the messages with that text at the receiver of a kind. */
async function arrived(kind: Kind, text: string): Promise<number> {
  const commands = (await readFile()).split('\n').map((line) => ({ at: 'command', text: line }))
  const all = [...receivers.arrived, ...commands]
  return all.filter((one) => ARRIVES_AS[kind].test(`${one.at} ${one.text}`) && one.text.includes(text)).length
}

const readFile = async () => ((await Bun.file(receivers.file).exists()) ? Bun.file(receivers.file).text() : '')

describe.each(WALKED)('an integration of kind %s', (kind) => {
  const wrong = filledForm(kind).mistyped
  const bad = Object.keys(wrong)
  const emptied = Object.fromEntries(bad.map((name) => [name, '']))

  test('is refused with all mistakes, added, tested and edited', async () => {
    await page.goto(`${LIST}/new/${kind}`)
    expect(await heading()).toStartWith('New integration: ')
    const tooLong = 'x'.repeat(101)
    await field('name').fill(tooLong)
    await type(wrong)
    await press('Add integration')
    expect(await refusedFields()).toEqual(['name', ...bad])
    expect(await focused()).toBe('name')
    await expectKept({ name: tooLong, ...wrong })

    await field('name').fill(`Ops ${kind}`)
    await type(wrong)
    await press('Add integration')
    expect(await refusedFields()).toEqual(bad)
    expect(await focused()).toBe(bad[0] ?? '')
    expect(await field('name').inputValue()).toBe(`Ops ${kind}`)

    await type({ ...emptied, ...typedFor(kind) })
    // Ten tests may be sent in a minute.
    site.t.clock.advance({ seconds: 10 })
    await press('Add and send test')
    expect(await page.locator('.tested').textContent()).toContain('The receiver accepted the test.')
    expect(await refusedFields()).toEqual([])
    expect(await arrived(kind, 'TEST')).toBe(1)
    const { id, settings } = await stored(`Ops ${kind}`)
    if (kind !== 'shell') expect(settings).toEqual(filledForm(kind).settings)
    expect(new URL(page.url()).pathname).toBe(`${LIST}/${id}/test`)

    await page.goto(`${LIST}/${id}`)
    expect(await heading()).toBe(`Ops ${kind}`)
    const { 'set-headers_down': _, ...shown } = typedFor(kind)
    await expectKept(shown)
    await field('name').fill(`Night ${kind}`)
    await press('Save integration')
    expect(await said()).toContain('Integration saved.')
    expect(await stored(`Night ${kind}`)).toMatchObject({ id, kind, settings })
  })
})

/** Expects that typed text is kept, except secrets, whose fields are empty. */
async function expectKept(typed: Fields): Promise<void> {
  for (const [name, text] of Object.entries(typed)) {
    const one = field(name)
    if ((await tagOf(one)) === 'checkbox') expect([name, await one.isChecked()]).toEqual([name, true])
    else expect([name, await one.inputValue()]).toEqual([name, (await isSecret(one)) ? '' : text])
  }
}

/** Whether the field may contain a secret. A line of headers that cannot be read may be one, too. */
const isSecret = (one: Locator) => one.evaluate((element) => element.matches('[type=password], [id^=set-headers]'))

test('a group is refused without members, and shows what each member was sent', async () => {
  await page.goto(`${LIST}/new/group`)
  await field('name').fill('Everybody awake')
  await press('Add integration')
  expect(await page.locator('.err').allTextContents()).toEqual(['Choose at least one.'])
  expect(await field('name').inputValue()).toBe('Everybody awake')
  expect(await page.evaluate<string>('document.activeElement.name')).toBe('set-members')
  for (const name of ['Night matrix', 'Night ntfy']) await page.getByLabel(name, { exact: true }).check()
  await press('Add and send test')
  const results = await page.locator('.tested .say').allTextContents()
  expect(results.map((text) => text.trim().split(' The ')[0])).toEqual(['Night matrix:', 'Night ntfy:'])
  await page.getByLabel('Night ntfy', { exact: true }).uncheck()
  await press('Save integration')
  expect((await stored('Everybody awake')).settings).toBe((await stored('Night matrix')).id)
})

test('a reload after "Add and send test" sends another test, and adds no second integration', async () => {
  await page.goto(`${LIST}/new/slack`)
  await field('name').fill('Once')
  await field('set-value').fill('https://once.example.org/hook')
  await press('Add and send test')
  await page.reload()
  expect(await page.locator('.tested').textContent()).toContain('The receiver accepted the test.')
  expect(receivers.arrived.filter(({ at }) => at.includes('once.example.org'))).toHaveLength(2)
  const all = await site.t.app.deps.store.channels.list(site.project.id)
  expect(all.filter(({ name }) => name === 'Once')).toHaveLength(1)
})

describe('an alert that the receiver does not take', () => {
  const HOST = 'webhook.example.org'
  const tries = () => receivers.arrived.filter(({ at, text }) => at.includes(HOST) && text.includes('Third job'))

  test('is retried by hand, before and after the server gives up, and arrives under its id', async () => {
    const third = await site.check('Third job', { channels: (await stored('Night webhook')).id })
    receivers.refuse(HOST)
    await fetch(`${third.pingUrl}/fail`)
    await site.wind({ seconds: 1 })
    // The pause before the fifth try is 20 seconds at least, so only the button can cause it within a second.
    for (let retry = 0; retry < 3; retry++) await site.wind({ minutes: 5 })
    expect(tries()).toHaveLength(4)

    await page.goto('/p/tests/alerts')
    const row = () => page.locator('.alert-rows li', { hasText: 'Third job' })
    expect(await row().textContent()).toContain('500')
    await Promise.all([page.waitForNavigation(), row().getByRole('button', { name: 'Retry' }).click()])
    expect(await said()).toContain('The alert will be sent as soon as')
    await site.wind({ seconds: 1 })
    expect(tries()).toHaveLength(5)

    await site.wind({ hours: 25 })
    await page.goto('/p/tests/alerts?state=failed')
    await row().getByRole('link', { name: 'Night webhook' }).click()
    receivers.accept(HOST)
    const before = tries().length
    await press('Retry now')
    expect(await said()).toContain('The alert will be sent as soon as')
    await site.wind({ seconds: 1 })
    expect(tries()).toHaveLength(before + 1)
    await page.reload()
    expect(await page.locator('.line li').first().textContent()).toContain('200')
    const ids = new Set(tries().map(({ id }) => id))
    expect([...ids]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)])
    expect(await page.locator('.kv').last().textContent()).toContain([...ids][0] ?? '')
  })
})
