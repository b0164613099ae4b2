/** `bun run demo` as its users see it: a link that signs in, filled pages, jobs that continue, alerts, and nothing left behind. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type Demo, startDemo } from '../../scripts/demo/demo.ts'
import { PROJECTS } from '../../scripts/demo/job.ts'
import { JOBS } from '../../scripts/demo/jobs/index.ts'
import { addressOf, DEMO_PAGES } from '../../scripts/demo/pages.ts'
import { environment } from '../../test/support/environment.ts'
import { openBrowser } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { brokenRules } from './support/axe.ts'

const ROOT = join(import.meta.dir, '../..')
const DESK = { width: 1280, height: 860 }

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** Lists the folders of demos. */
function demoFolders(): string[] {
  const parents = [tmpdir(), '/dev/shm'].filter(existsSync)
  return parents.flatMap((parent) => readdirSync(parent)).filter((name) => name.startsWith('overdue-demo-'))
}

async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

describe('at an instant that stands still', () => {
  let demo: Demo
  let page: Page
  let stranger: Page
  beforeAll(async () => {
    demo = await startDemo({ port: '0', frozenAt: '2026-11-18T08:47:00Z', onLine: () => {} })
    page = await (await browser.newContext({ viewport: DESK })).newPage()
    stranger = await (await browser.newContext({ viewport: DESK })).newPage()
    await signIn(page, demo.signInLink)
  })
  afterAll(() => demo.stop())

  describe.each(DEMO_PAGES.map((each) => [each.name, each] as const))('the page %s', (_, each) => {
    test('is filled and breaks no rule of axe-core', async () => {
      const tab = each.isSignedIn ? page : stranger
      const answer = await tab.goto(await addressOf(demo, each))
      expect(answer?.status()).toBe(200)
      expect(await tab.content()).toContain(each.shows)
      expect(await brokenRules(tab)).toEqual([])
    })
  })

  test('there are checks in every state', async () => {
    const counts = new Map<string, number>()
    for (const project of PROJECTS) {
      await page.goto(`${demo.url}/p/${await demo.findSlug(project)}/checks`)
      for (const state of ['down', 'late', 'started', 'up', 'paused', 'new']) {
        const text = await page.locator(`#n-${state}`).textContent()
        counts.set(state, (counts.get(state) ?? 0) + Number(text))
      }
    }
    const total = [...counts.values()].reduce((sum, count) => sum + count)
    expect([total, [...counts].filter(([, count]) => count === 0)]).toEqual([JOBS.length, []])
  })
})

describe('by the command', () => {
  const before = demoFolders()
  let output = ''
  let child: Bun.Subprocess<'ignore', 'pipe', 'inherit'>
  let page: Page
  beforeAll(async () => {
    child = Bun.spawn([process.execPath, 'scripts/demo.ts'], {
      cwd: ROOT,
      env: environment({}),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const follow = async () => {
      const decoder = new TextDecoder()
      for await (const chunk of child.stdout) output += decoder.decode(chunk, { stream: true })
    }
    follow()
    // The demo first creates a month of history, which takes long on a busy machine.
    await eventually('the demo is ready', () => output.includes('Ctrl+C ends the demo'), 120_000)
    page = await (await browser.newContext({ viewport: DESK })).newPage()
  }, 150_000)
  afterAll(() => child.kill('SIGKILL'))

  test('its link signs in, once', async () => {
    const [link = ''] = /http:\S+\/sign-in\/link\/\S+/.exec(output) ?? []
    await signIn(page, link)
    const other = await (await browser.newContext()).newPage()
    expect((await other.goto(link))?.status()).not.toBe(200)
  })

  test('a job fails while the page is open: the page shows it, and the alert is printed', async () => {
    await page.getByText('Label printer, dock 2').first().waitFor({ timeout: 60_000 })
    await eventually('the alert is printed', () => /alert to \/ntfy: .*Label printer, dock 2/.test(output))
  }, 90_000)

  test('Ctrl+C ends it, and its files are gone', async () => {
    child.kill('SIGINT')
    expect(await child.exited).toBe(0)
    expect(demoFolders()).toEqual(before)
  })
})

test('a setting that is not valid is told, and nothing is left', async () => {
  const child = Bun.spawn([process.execPath, 'scripts/demo.ts'], {
    cwd: ROOT,
    env: { ...environment({}), PORT: 'eighty' },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  expect(await child.stderr.text()).toContain('PORT')
  expect(await child.exited).toBe(1)
})
