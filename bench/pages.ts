/**
 * The page of the checks, with realistic checks: the time of the server, the size of the page, the time to the first paint in a browser,
 * and the delay of pings beside the largest list.
 */
import { openBrowser } from '../test-slow/support/browser.ts'
import { signInAdministrator } from './support/administrator.ts'
import type { Bench } from './support/bench.ts'
import { median, progress, whole } from './support/figures.ts'
import { getPage, type SignedIn } from './support/page.ts'
import { longestPing } from './support/pinging.ts'
import { databaseUrl } from './support/prepare.ts'
import { cpuSeconds } from './support/process-figures.ts'
import { makeRealistic } from './support/realistic.ts'
import { startApp, stopServer } from './support/servers.ts'
import { below, type Row } from './support/table.ts'

const PATH = '/p/bench/checks'
const WARM_UP = 30
const PAGES_A_ROUND = 20
const PAINTS_A_ROUND = 3

const SERVER_MS = 60
const PACKED_KILOBYTES = 60
const PLAIN_KILOBYTES = 500
const PAINT_MS = 300
const LONGEST_PING_MS = 20

interface Site extends SignedIn {
  /** ping URL of a check */
  readonly pingUrl: string
}

export async function measurePages(bench: Bench): Promise<Row[]> {
  const [few, many] = [Math.min(...bench.options.lists), Math.max(...bench.options.lists)]
  return [...(await measureList(bench, few)), ...(await measureBeside(bench, many))]
}

async function open(bench: Bench, checks: number): Promise<Site> {
  const { directory, paths } = await bench.database(checks)
  makeRealistic(directory)
  const cookie = await signInAdministrator(databaseUrl(directory))
  const app = await startApp(directory)
  return { ...app, cookie, pingUrl: `http://127.0.0.1:${app.port}${paths[0]}` }
}

async function measureList(bench: Bench, checks: number): Promise<Row[]> {
  const site = await open(bench, checks)
  for (let page = 0; page < WARM_UP; page++) await getPage(site, PATH, 'br')
  const [plain, packed] = [await getPage(site, PATH, 'identity'), await getPage(site, PATH, 'br')]
  const [plainly, packedly, paints]: [Typical[], Typical[], number[]] = [[], [], []]
  for (let round = 1; round <= bench.options.rounds; round++) {
    plainly.push(await typical(site, 'identity'))
    packedly.push(await typical(site, 'br'))
    const paint = await firstPaint(site)
    if (paint !== null) paints.push(paint)
    progress(
      `round ${round}  plain ${plainly.at(-1)?.ms.toFixed(1)} ms, packed ${packedly.at(-1)?.ms.toFixed(1)} ms, painted after ${paint?.toFixed(0)} ms`,
    )
  }
  await stopServer(site)
  const what = `page of ${whole(checks)} checks`
  const time = (values: readonly number[]) => [{ name: '', values, digits: 1, unit: ' ms' }]
  const times = (of: readonly Typical[]) => [
    ...time(of.map(({ ms }) => ms)),
    { name: 'processor', values: of.map(({ cpu }) => cpu), digits: 1, unit: ' ms' },
  ]
  const size = (bytes: number) => [{ name: '', values: [bytes / 1000], digits: 1, unit: ' kB' }]
  return [
    {
      what: `${what}, from request to last byte, packed`,
      figures: times(packedly),
      ratio: null,
      aim: below(
        packedly.map(({ ms }) => ms),
        SERVER_MS,
        'time',
        ' ms',
      ),
    },
    { what: `${what}, from request to last byte, not packed`, figures: times(plainly), ratio: null, aim: null },
    {
      what: `${what}, packed by brotli`,
      figures: size(packed.bytes),
      ratio: null,
      aim: below([packed.bytes / 1000], PACKED_KILOBYTES, 'size', ' kB'),
    },
    {
      what: `${what}, not packed`,
      figures: size(plain.bytes),
      ratio: null,
      aim: below([plain.bytes / 1000], PLAIN_KILOBYTES, 'size', ' kB'),
    },
    ...(paints.length === 0
      ? []
      : [
          {
            what: `${what}, first contentful paint in Chromium`,
            figures: time(paints),
            ratio: null,
            aim: below(paints, PAINT_MS, 'paint', ' ms'),
          },
        ]),
  ]
}

interface Typical {
  readonly ms: number
  readonly cpu: number
}

/** Returns milliseconds until the last byte, and of processor time of the server: the median and the mean of some pages. */
async function typical(site: Site, encoding: string): Promise<Typical> {
  const times: number[] = []
  const before = cpuSeconds(site.pid)
  for (let page = 0; page < PAGES_A_ROUND; page++) times.push((await getPage(site, PATH, encoding)).ms)
  return { ms: median(times), cpu: ((cpuSeconds(site.pid) - before) * 1000) / PAGES_A_ROUND }
}

/** Returns milliseconds from the start of the navigation, typical of some; null without Chromium. */
async function firstPaint({ port, cookie }: Site): Promise<number | null> {
  const browser = await openBrowser().catch(() => null)
  if (browser === null) return null
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const [name = '', value = ''] = cookie.split('=')
    const url = `http://127.0.0.1:${port}`
    await context.addCookies([{ name, value, url }])
    const page = await context.newPage()
    const paints: number[] = []
    // The first one starts the renderer.
    for (let turn = 0; turn <= PAINTS_A_ROUND; turn++) {
      await page.goto(url + PATH)
      const paint = await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      )
      if (turn > 0) paints.push(paint)
    }
    return median(paints)
  } finally {
    await browser.close()
  }
}

async function measureBeside(bench: Bench, checks: number): Promise<Row[]> {
  const site = await open(bench, checks)
  for (let page = 0; page < WARM_UP / 3; page++) await getPage(site, PATH, 'br')
  const [beside, alone, pages]: [number[], number[], number[]] = [[], [], []]
  for (let round = 1; round <= bench.options.rounds; round++) {
    alone.push(await longestPing(site.pingUrl, () => Bun.sleep(bench.options.seconds * 1000)))
    beside.push(
      await longestPing(site.pingUrl, async () => {
        const until = performance.now() + bench.options.seconds * 1000
        while (performance.now() < until) pages.push((await getPage(site, PATH, 'br')).ms)
      }),
    )
    progress(
      `round ${round}  the longest ping took ${beside.at(-1)?.toFixed(1)} ms, alone ${alone.at(-1)?.toFixed(1)} ms`,
    )
  }
  await stopServer(site)
  return [
    {
      what: `longest ping beside the page of ${whole(checks)} checks, asked for again and again`,
      figures: [
        { name: '', values: beside, digits: 1, unit: ' ms' },
        { name: 'alone', values: alone, digits: 1, unit: ' ms' },
        { name: 'the page', values: [median(pages)], digits: 0, unit: ' ms' },
      ],
      ratio: null,
      aim: below(beside, LONGEST_PING_MS, 'longest', ' ms'),
    },
  ]
}
