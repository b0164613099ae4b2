/** A served program, a browser, and people who are signed in to it. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { slugify } from '../../../src/domain/check/slug.ts'
import { changeRows, rowsIn } from '../../../test/support/rows.ts'
import { type Served, serve } from '../../../test/support/served.ts'
import { openBrowser } from '../../support/browser.ts'
import { eventually } from '../../support/eventually.ts'

export const PASSWORD = 'correct horse battery'
export const ADMINISTRATOR = 'ops@example.org'

/** A person with an account. */
export interface Person {
  readonly email: string
  /** cookie, `overdue_session=…` */
  readonly cookie: string
}

interface TabOptions extends BrowserContextOptions {
  /** signed-in person; nobody by default */
  readonly as?: Person
}

/** Pages of one address, in browsers of their own. */
export interface Tabs {
  /** Opens a tab in a browser of its own, without the cookies of others. */
  tab(options?: TabOptions): Promise<Page>
  /** Returns errors in scripts, violations of the content security policy, and dialogs since the last call. No page should cause any. */
  troubles(): readonly string[]
}

export interface Site extends Tabs {
  readonly server: Served
  readonly browser: Browser
  /** Creates an account and signs it in. */
  person(email: string): Promise<Person>
  close(): Promise<void>
}

/** @param settings of the server @param words arguments for the browser */
export async function openSite(
  settings: Readonly<Record<string, string>> = {},
  words: readonly string[] = [],
): Promise<Site> {
  const [server, browser] = await Promise.all([serve(settings), openBrowser(words)])
  // The server answers shortly before it creates its first account.
  await eventually('the server is ready', () => server.logs().includes('Overdue is ready'))
  await plainSlugs(server)
  return {
    server,
    browser,
    ...openTabs(browser, server.baseUrl),
    person: (email) => createPerson(server, email),
    async close() {
      await browser.close()
      await server.stop()
    },
  }
}

/** Gives each project the slug of its name alone, without the random part, so that tests can contain the addresses of its pages. */
export async function plainSlugs({ databaseUrl }: Pick<Served, 'databaseUrl'>): Promise<void> {
  const projects = await rowsIn<{ id: string; name: string }>(databaseUrl, 'SELECT id, name FROM projects')
  for (const { id, name } of projects) {
    await changeRows(databaseUrl, 'UPDATE projects SET slug = $2 WHERE id = $1', [id, slugify(name).slice(0, 30)])
  }
}

export function openTabs(browser: Browser, baseURL: string): Tabs {
  const found: string[] = []
  return {
    async tab({ as, ...options } = {}) {
      const context = await browser.newContext({ baseURL, ...options })
      context.setDefaultTimeout(60_000)
      watch(context, (trouble) => found.push(trouble))
      if (as) await signIn(context, baseURL, as)
      return context.newPage()
    },
    troubles: () => found.splice(0),
  }
}

/** Opens a site with an account of {@link ADMINISTRATOR}. */
export function openSiteWithAdministrator(settings: Readonly<Record<string, string>> = {}): Promise<Site> {
  return openSite({ ADMIN_EMAIL: ADMINISTRATOR, ADMIN_PASSWORD: PASSWORD, ...settings })
}

/** Signs in the administrator of {@link openSiteWithAdministrator} again. */
export function administrator({ server }: Site): Promise<Person> {
  return post(server.baseUrl, '/sign-in', { email: ADMINISTRATOR, password: PASSWORD })
}

/** Fills in the form of the open page, and sends it. */
export async function fillSignIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Sends a form as a page of the server would. @returns the answer; a redirect is not followed */
export function send(
  baseUrl: string,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(baseUrl + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(baseUrl).origin, ...headers },
    body: new URLSearchParams(fields),
  })
}

async function createPerson({ overdue, baseUrl }: Served, email: string): Promise<Person> {
  const { link } = await overdue<{ link: { url: string } }>('account', 'create', email)
  const { cookie } = await post(baseUrl, new URL(link.url).pathname, { password: PASSWORD })
  return { email, cookie }
}

async function post(baseUrl: string, path: string, fields: Readonly<Record<string, string>>): Promise<Person> {
  const answer = await send(baseUrl, path, fields)
  const cookie = answer.headers.get('set-cookie')?.split(';')[0]
  if (answer.status !== 303 || cookie === undefined) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return { email: fields.email ?? '', cookie }
}

/** Signs another person in in the browser of a page, which takes less time than opening another browser. */
export async function become(page: Page, { server }: Site, person: Person): Promise<void> {
  await signIn(page.context(), server.baseUrl, person)
}

async function signIn(context: BrowserContext, url: string, { cookie }: Person): Promise<void> {
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
}

/** Messages of Chromium about pages with an error status, and about plain http; messages of htmx about a server that is down or refuses. */
const EXPECTED = new RegExp(
  [
    '^Failed to load resource',
    '^The Cross-Origin-Opener-Policy header has been ignored',
    '^htmx: htmx:sse:error: (network error|Failed to fetch|SSE reconnect failed)',
  ].join('|'),
)

function watch(context: BrowserContext, report: (trouble: string) => void): void {
  context.on('weberror', (event) => report(`error: ${event.error().message}`))
  context.on('dialog', (dialog) => {
    // A test that leaves a page with typed text does so on purpose.
    if (dialog.type() === 'beforeunload') return void dialog.accept()
    report(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text()))
      report(`${message.page()?.url()}: ${message.text()}`)
  })
}
