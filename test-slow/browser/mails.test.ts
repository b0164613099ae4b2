/** Emails in a window as narrow as a telephone and as wide as a mail program: no word is broken, and nothing scrolls sideways. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { mailParts } from '../../src/domain/mail/layout.ts'
import { reminderBlocks } from '../../src/domain/mail/reminder.ts'
import { makeReport, reportBlocks, reportedPeriods, reportRow } from '../../src/domain/mail/report.ts'
import type { MorningContent } from '../../src/domain/morning/content.ts'
import { morningHtml } from '../../src/domain/morning/html.ts'
import { email } from '../../src/transports/email.ts'
import { aCheck, aFlip, anAlert, at, LINKS, NOON } from '../../test/support/builders.ts'
import { openBrowser } from '../support/browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const NAMES = ['Nightly database backup', 'Offsite', 'Synchronisation']
const checks = NAMES.map((name, index) =>
  aCheck({ id: crypto.randomUUID(), name, status: index === 0 ? 'down' : 'paused' }),
)
const SENTENCE = 'No ping since yesterday 04:09. 7 runs in a row are missing.'

function report(): string {
  const periods = reportedPeriods('weekly', 'UTC', NOON)
  const long = { count: 12, microseconds: 432_123_000_000, watched: 604_800_000_000, since: null }
  const made = makeReport(
    'weekly',
    periods,
    checks.map((check) => reportRow(check, [long, null])),
  )
  const sentences = new Map(checks.map(({ id }) => [id, SENTENCE]))
  const blocks = reportBlocks(made, 'Harbour Books', LINKS, 'UTC', sentences)
  return mailParts({ title: made.title, tone: 'plain', blocks, footer: [] }).html
}

function reminder(): string {
  const down = checks.map((check) => ({ check, since: at('09:00') }))
  const blocks = reminderBlocks(down, 'Harbour Books', LINKS, 'UTC', new Map(checks.map(({ id }) => [id, SENTENCE])))
  return mailParts({ title: '3 checks are down', tone: 'bad', blocks, footer: [] }).html
}

function alert(): string {
  const [check] = checks
  const made = anAlert({ check: check ?? aCheck(), flip: aFlip(), operator: { EMAIL_HOST: 'mail.example.org' } })
  return email.render(made, { value: 'a@example.org' }).html
}

function morning(): string {
  const content: MorningContent = {
    when: 'Monday 16 to Tuesday 17 November · 18:00 to 08:00, Europe/Riga',
    sentence: { lead: '23 of 27 ran; 2 missing, 2 failed.', more: 'Synchronisation took 40 % longer than usual.' },
    together: ['4 checks on 192.0.2.41 were silent together from 02:12 to 02:36.'],
    rows: NAMES.map((name, index) => ({
      name,
      project: index === 0 ? '' : 'Harbour Books',
      url: `${LINKS.checkPages}${index}/`,
      words: '1 h 12 min late, 02:12',
      isBad: index === 0,
      marks: [{ kind: 'missing', gap: 14.3, width: 7.1 }],
    })),
    hidden: 3,
    rest: '16 others ran as expected. Gift card expiry was never pinged.',
    isCalm: false,
    hours: ['18', '22', '02', '06'].map((words) => ({ words, percent: 25 })),
    nightUrl: `${LINKS.siteRoot}/night`,
  }
  const foot = {
    words: 'Sent at 08:00 to ann@example.org.',
    links: [{ label: 'Stop these mails', url: LINKS.siteRoot }],
  }
  return morningHtml('23 of 27 ran', content, foot)
}

const WIDTHS = [320, 360, 414, 480, 640]

test.each([
  ['a report', report],
  ['a reminder', reminder],
  ['an alert', alert],
  ['a morning mail', morning],
])('%s', async (_, html) => {
  const page = await browser.newPage()
  await page.setContent(html())
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    const found = await page.evaluate(`(() => {
      const broken = []
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        for (const { 0: word, index } of text.data.matchAll(/[\\w.:]+/g)) {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word)
        }
      }
      return { broken, isWider: document.documentElement.scrollWidth > innerWidth }
    })()`)
    expect([width, found]).toEqual([width, { broken: [], isWider: false }])
  }
  await page.close()
})
