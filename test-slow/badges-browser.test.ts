/**
 * Badges as a browser draws them: the text stays inside its box, in every script and font. Needs Chromium and the Noto
 * fonts; see `support/browser.ts`.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openSiteWithFakeClock, type SiteWithFakeClock } from './browser/support/site-with-fake-clock.ts'

/** Names whose widths the table should estimate well. */
const ORDINARY: readonly string[] = [
  'backups',
  'db@dc1',
  'My nightly backup job',
  'web-01.example.org',
  '100% + 5 <b> & "q"',
  'Größe übergroß',
  'Sao lưu cơ sở dữ liệu',
  'Ночное резервное копирование',
  'ЩЕДРОСТЬ ФЮЖШЫ',
  'Καθημερινό αντίγραφο',
  '数据库夜间备份',
  'データベースの夜間バックアップ',
  '야간 데이터베이스 백업',
  'النسخ الاحتياطي الليلي',
  'گزارش‌های شبانه',
  'גיבוי של מסד הנתונים',
  'สำรองฐานข้อมูลทุกคืน',
  'रात्रि डेटाबेस बैकअप',
  'রাতের ডাটাবেস ব্যাকআপ',
  'இரவு தரவுத்தள காப்பு',
  'രാത്രി ഡാറ്റാബേസ് ബാക്കപ്പ്',
  'ညစဉ်ဒေတာဘေ့စ်အရန်',
  'ღამის სარეზერვო ასლი',
  '🚀✅🔥',
  '👩🏽‍🚀 👨‍👩‍👧‍👦 🇱🇻 ❤️',
]

/** Names that no table of widths can cover. */
const ODD: readonly string[] = [
  '',
  '@'.repeat(100),
  'i'.repeat(100),
  'W'.repeat(100),
  '文'.repeat(100),
  '🚀'.repeat(100),
  '﷽',
  '𒐫𒐫𒐫',
  `Z${'\u0316'.repeat(50)}`,
  '\u200b',
  '\u202egnihton',
  '</text><script>document.title = "hacked"</script>',
]

const FONTS = ['', 'Noto Sans', 'Noto Serif', 'DejaVu Serif', 'DejaVu Sans Mono', 'serif', 'monospace']

interface Text {
  /** smallest distance in px between the glyphs and the edges of their box; negative where they overflow it */
  readonly room: number
  /** factor by which the text is stretched or squeezed to fit */
  readonly squeeze: number
}

let site: SiteWithFakeClock
let page: Page

beforeAll(async () => {
  site = await openSiteWithFakeClock()
  page = await site.tab()
})
afterAll(() => site.close())

/** Creates a check with that name, makes it fail and opens its badge. */
async function openBadge(name: string): Promise<void> {
  const { t } = site
  const json = { name }
  const made = await t.json<{ ping_url: string; badge_url: string }>('POST', '/api/v3/checks/', {
    key: t.keys.apiKey,
    json,
  })
  await fetch(`${made.ping_url}/fail`)
  await page.goto(made.badge_url)
}

/** Measures label, status and their shadows in the open badge. @param font '' for the badge's own font */
function measure(font: string): Promise<Text[]> {
  return page.locator('text').evaluateAll((texts, family) => {
    const image = texts[0].ownerSVGElement
    const width = image.getBoundingClientRect().width
    const left = image.querySelector('path').getBoundingClientRect().width
    return texts.map((text) => {
      if (family !== '') text.setAttribute('font-family', family)
      const { x, width: length } = text.getBBox()
      const [from, to] = x < left ? [0, left] : [left, width]
      const free = text.cloneNode(true)
      free.removeAttribute('textLength')
      text.after(free)
      const squeeze = length / free.getComputedTextLength()
      free.remove()
      return { room: Math.min(x - from, to - (x + length)), squeeze }
    })
  }, font)
}

async function expectRoom(): Promise<void> {
  for (const font of FONTS) {
    const texts = await measure(font)
    expect(texts).toHaveLength(4)
    for (const { room } of texts) expect(room).toBeGreaterThanOrEqual(1)
  }
}

test.each(ORDINARY)(
  '%j stays inside its box in every font, squeezed by less than 15 % and stretched by less than 20 %',
  async (name) => {
    await openBadge(name)
    for (const { squeeze } of await measure('')) {
      expect(squeeze).toBeGreaterThan(0.85)
      expect(squeeze).toBeLessThan(1.2)
    }
    await expectRoom()
  },
)

test.each(ODD)('%j stays inside its box in every font', async (name) => {
  await openBadge(name)
  await expectRoom()
})

test('a badge is an image with an accessible name, and a script in the check name does not run', async () => {
  await openBadge('</text><script>document.title = "hacked"</script>')
  expect(await page.locator('script').count()).toBe(0)
  const name = '</text><script>document.title = "hacked"</script>: down'
  expect(await page.title()).toBe(name)
  expect(await page.getByRole('img', { name, exact: true }).count()).toBe(1)
})

test('a page on another origin can show a badge and read its JSON', async () => {
  await openBadge('n')
  const badge = page.url()
  await page.goto(`${site.baseUrl.replace('127.0.0.1', 'localhost')}/api/v3/status/`)
  await page.setContent(`<img src="${badge}">`)
  const size = await page.locator('img').evaluate((image) => [image.naturalWidth, image.naturalHeight])
  expect(size).toEqual([57, 20])
  const json = await page.evaluate(async (url) => (await fetch(url)).json(), badge.replace('.svg', '.json'))
  expect(json).toEqual({ status: 'down', total: 1, grace: 0, down: 1 })
})
