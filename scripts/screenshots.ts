/**
 * `bun run screenshots` takes the pictures in `docs/screenshots/` from the demo, with Debian's Chromium (`CHROMIUM` is its path
 * where that isn't `/usr/bin/chromium`). Clock and ids are the same each time, so a picture hardly changes unless its page does.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { type Demo, startDemo } from './demo/demo.ts'
import { addressOf, DEMO_PAGES, type DemoPage, LOOKS, type Look } from './demo/pages.ts'
import { repackPng } from './demo/png.ts'

const FOLDER = join(import.meta.dir, '../docs/screenshots')
/** Port of the server. Pages contain its address, so it is the same each time, too. */
const PORT = '8000'
/** Instant of the pictures: a Wednesday, at 10:47 in Riga. */
const AT = '2026-11-18T08:47:00Z'

async function takeAll(demo: Demo, browser: Browser): Promise<void> {
  const session = await signIn(browser, demo)
  for (const look of LOOKS) {
    const [member, stranger] = [await openContext(browser, look, session), await openContext(browser, look)]
    for (const page of DEMO_PAGES.filter(({ looks }) => looks.includes(look))) {
      await take(page.isSignedIn ? member : stranger, await addressOf(demo, page), page, look)
    }
  }
}

/** Signs in. @returns cookies */
async function signIn(browser: Browser, { signInLink }: Demo): Promise<Session> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(signInLink)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  return context.storageState()
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>

async function openContext(browser: Browser, look: Look, session?: Session): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: look.size,
    colorScheme: look.theme,
    isMobile: look.isPhone,
    hasTouch: look.isPhone,
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Riga',
    locale: 'en-GB',
    ...(session ? { storageState: session } : {}),
  })
  await context.clock.setFixedTime(AT)
  return context
}

async function take(
  context: BrowserContext,
  url: string,
  { name, shows, typed, isSignedIn }: DemoPage,
  { suffix }: Look,
): Promise<void> {
  const page = await context.newPage()
  await page.goto(url)
  const text = await page.content()
  if (!text.includes(shows)) throw new Error(`the page "${name}" at ${url} does not show "${shows}"`)
  if (isSignedIn) await page.locator('#live:not([hidden])').waitFor({ state: 'attached' })
  if (typed) {
    if (typed.keys !== undefined) await page.keyboard.press(typed.keys)
    // The role's name contains only the visible words of a label.
    await page.getByRole(typed.role, { name: typed.label, exact: true }).fill(typed.text)
    await page.locator(typed.answer).first().waitFor()
    await page.evaluate('document.activeElement.blur(), scrollTo(0, 0)')
  }
  await page.evaluate('document.fonts.ready')
  const path = join(FOLDER, `${name}${suffix}.png`)
  writeFileSync(path, repackPng(await page.screenshot({ animations: 'disabled', caret: 'hide' })))
  await page.close()
  process.stdout.write(`${path}\n`)
}

const demo = await startDemo({
  port: process.env.PORT ?? PORT,
  frozenAt: AT,
  settings: { PING_ENDPOINT: 'https://ping.harbourbooks.example/' },
  onLine: () => {},
})
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' })
try {
  // Removes pictures of pages that are no longer in the list.
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  await takeAll(demo, browser)
} finally {
  await browser.close()
  await demo.stop()
}
process.exit(0)
