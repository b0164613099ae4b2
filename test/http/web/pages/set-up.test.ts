/** The set-up: the first account by a one-time link, and the start of the first project. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Project } from '../../../../src/domain/project.ts'
import { escapeHtml } from '../../../../src/lib/text/text.ts'
import { issueFirstAccountLink } from '../../../../src/services/accounts/sign-in/first-account.ts'
import { createProject } from '../../../../src/services/projects/projects.ts'
import { addAccount, type Browser, openBrowser } from '../../../support/browser.ts'
import { refusalOf } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const PASSWORD = 'tide-lamp-orchard'
const FILLED = { email: 'Ann@Example.org', password: PASSWORD, project: 'Harbour Books', tz: 'Europe/Riga' }

let t: TestApp
let browser: Browser
let path: string
/** the first project, as a start creates it */
let made: Project
const begin = async (env: Readonly<Record<string, string>> = {}) => {
  t = await testApp({ env })
  t.clock.advance({ minutes: 1 })
  made = (await createProject(t.app.deps, 'Default')).project
  browser = openBrowser(t)
  path = await link()
}
beforeEach(() => begin())
afterEach(() => t.close())

const link = async () => {
  const { pathname } = new URL((await issueFirstAccountLink(t.app.deps)).url)
  return pathname.slice(pathname.indexOf('/setup/'))
}
const send = (over: Readonly<Record<string, string>> = {}) => browser.post(path, { ...FILLED, ...over })
const projects = async () => (await t.app.deps.store.projects.list()).map(({ name, slug }) => [name, slug])

describe('the page', () => {
  test('asks for the account and for the name of the first project, and says what it will own', async () => {
    const { status, text } = await browser.get(path)
    expect(status).toBe(200)
    expect(text).toContain('Welcome. Create the first account.')
    expect(text).toContain('name="project" type="text" autocomplete="off" value="Default"')
    expect(text).toContain('The account will own the project <bdi>Tests</bdi>, unless someone already owns it.')
    expect(text).toContain('<option value="Europe/Riga">')
  })

  test('names all projects that it will own', async () => {
    await createProject(t.app.deps, 'Wharf')
    expect((await browser.get(path)).text).toContain(
      'The account will own the projects <bdi>Tests</bdi>, <bdi>Wharf</bdi>, unless someone already owns them.',
    )
  })

  test('says what the server is like', async () => {
    const { text } = await browser.get(path)
    expect(text).toContain('<dt>Address</dt><dd><code>http://localhost:8000</code></dd>')
    const { engine, database } = t.app.deps.place
    expect(text).toContain(`<dt>Data</dt><dd>${engine}, <code>${escapeHtml(database)}</code></dd>`)
    expect(text).toContain('<dt>Mail out</dt><dd>not set up (optional)</dd>')
    expect(text).toContain('You can set up email later, at Administration › Mail.')
  })

  test('of a server that sends mail does not say that nothing is sent', async () => {
    await t.close()
    await begin({ EMAIL_HOST: 'mail.example.org' })
    const { text } = await browser.get(path)
    expect(text).toContain('<dt>Mail out</dt><dd>set up</dd>')
    expect(text).not.toContain('Nothing is sent')
    expect(text).toContain('Sign-in links are sent to this address.')
  })

  test('warns who came by another address than SITE_ROOT, and shows that address as text', async () => {
    const own = (await browser.get(path, { host: 'localhost:8000' })).text
    expect(own).not.toContain('You opened this page at')
    expect(own).toContain('Other machines cannot reach <code>localhost</code>.')
    const { text } = await browser.get(path, { host: '10.0.0.5:8000' })
    expect(text).toContain('You opened this page at <b>10.0.0.5:8000</b>')
    expect(text).toContain('set <code>SITE_ROOT=http://10.0.0.5:8000</code> and restart the server.')
    expect((await browser.get(path, { host: '<b>x' })).text).toContain('<b>&lt;b&gt;x</b>')
  })

  test('does not take https for another address where a proxy does not tell of it', async () => {
    await t.close()
    await begin({ SITE_ROOT: 'https://overdue.example' })
    expect((await browser.get(path, { host: 'overdue.example' })).text).not.toContain('You opened this page at')
  })

  test('has no field for the name where no project has the name that the server gives', async () => {
    await t.close()
    t = await testApp()
    browser = openBrowser(t)
    expect((await browser.get(await link())).text).not.toContain('name="project"')
  })
})

describe('the form', () => {
  test('makes an administrator, renames the project with its address, and leads to the first check, which it does not make', async () => {
    const answer = await send()
    expect(answer.status).toBe(303)
    const [, slug] = /^\/p\/(harbour-books-[a-z0-9]{8})\/first-ping$/.exec(answer.location ?? '') ?? []
    expect(await t.app.deps.store.accounts.list()).toMatchObject([
      { email: 'ann@example.org', isAdministrator: true, tz: 'Europe/Riga', theme: 'system' },
    ])
    expect(await projects()).toEqual([
      ['Tests', 'tests'],
      ['Harbour Books', slug ?? ''],
    ])
    const first = await browser.get(answer.location ?? '')
    expect(first.status).toBe(200)
    expect(first.text).toContain('Create the first check<')
    for (const { id } of await t.app.deps.store.projects.list()) {
      expect((await t.app.deps.store.checks.list(id, {}, null)).items).toEqual([])
    }
    const { text } = await browser.get('/projects')
    expect(text.match(/ · owner</g)).toHaveLength(2)
  })

  test('keeps the name and the address of the project when they are left as they were', async () => {
    const answer = await send({ project: 'Default' })
    expect(answer.location).toBe(`/p/${made.slug}/first-ping`)
    expect(await projects()).toContainEqual(['Default', made.slug])
  })

  test('takes UTC and the name as it is where fields are empty', async () => {
    expect((await send({ project: ' ', tz: ' ' })).location).toBe(`/p/${made.slug}/first-ping`)
    expect(await t.app.deps.store.accounts.list()).toMatchObject([{ tz: 'UTC' }])
  })

  test('works once', async () => {
    await send()
    for (const answer of [await browser.get(path), await send({ email: 'eve@example.org' })]) {
      expect(answer.status).toBe(404)
      expect(answer.text).toContain(
        'This link was used already, a newer one has replaced it, or it has expired; ask for a new one.',
      )
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    expect(await t.app.deps.store.accounts.list()).toHaveLength(1)
  })

  test.each([
    [{ email: 'nobody' }, 'email', '&quot;nobody&quot; is not an email address.'],
    [{ email: '' }, 'email', 'is not an email address.'],
    [{ password: 'short' }, 'password', 'The password is too short; use at least 10 characters.'],
    [{ password: 'Password123' }, 'password', 'The password is one of the commonest'],
    [{ password: 'ann@example.org' }, 'password', 'The password is the email address or a part of it'],
    [{ project: 'Tests' }, 'project', 'Tests'],
    [{ project: 'x'.repeat(201) }, 'project', 'A project needs a name of 1 to 200 characters.'],
    [{ tz: 'Mars/Olympus' }, 'tz', '&quot;Mars/Olympus&quot; is not a time zone; use a name such as Europe/Riga.'],
  ])('with %j shows what is wrong in its field, keeps the rest, and changes nothing', async (over, field, words) => {
    const { status, text, headers } = await send(over)
    expect(status).toBe(422)
    const error = new RegExp(`<p class="err" id="${field}-error">.*?<span>(.*?)</span></p>`).exec(text)?.[1]
    expect(error).toContain(words)
    expect(text).toMatch(
      new RegExp(`id="${field}"[^>]* aria-invalid="true" aria-describedby="${field}-error" autofocus`),
    )
    expect(text.match(/ autofocus/g)).toHaveLength(1)
    const values = { ...FILLED, ...over }
    for (const kept of [values.email, values.project, values.tz]) expect(text).toContain(`value="${kept}"`)
    expect(text).not.toMatch(/type="password"[^>]* value=/)
    expect(text).not.toContain(PASSWORD)
    expect(headers.get('set-cookie')).toBeNull()
    expect(await t.app.deps.store.accounts.exist()).toBe(false)
    expect(await projects()).toContainEqual(['Default', made.slug])
    expect((await send()).status).toBe(303)
  })

  test('shows hostile text as text', async () => {
    const hostile = `"><script>alert('x')</script>`
    for (const field of ['email', 'project', 'tz']) {
      expect((await send({ password: '', [field]: hostile })).text).not.toContain('<script>')
    }
  })
})

describe('the link', () => {
  test('ends when a command makes an account', async () => {
    await addAccount(t)
    const { status, text } = await browser.get(path)
    expect(status).toBe(404)
    expect(text).not.toContain('Tests')
    expect(await refusalOf(issueFirstAccountLink(t.app.deps))).toMatchObject({ code: 'first-account-exists' })
  })
})

test('the set-up works below a SITE_ROOT with a path', async () => {
  await t.close()
  await begin({ SITE_ROOT: 'https://example.org/tools/watch' })
  expect((await browser.get(`/tools/watch${path}`)).text).toContain('href="/tools/watch/"')
  expect((await browser.post(`/tools/watch${path}`, FILLED)).location).toMatch(
    /^\/tools\/watch\/p\/harbour-books-[a-z0-9]{8}\/first-ping$/,
  )
})
