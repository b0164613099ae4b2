/**
 * The page of a night with checks most of which run once in it: the first view after a start, further ones, the size of the page, and the
 * delay of pings beside views of windows that nobody has opened before.
 */
import { systemClock } from '../src/app/system-clock.ts'
import { addSeconds, Temporal } from '../src/lib/time.ts'
import { signInAdministrator } from './support/administrator.ts'
import type { Bench } from './support/bench.ts'
import { median, progress, whole } from './support/figures.ts'
import { makeNightly } from './support/night-checks.ts'
import { getPage, type Page, type SignedIn } from './support/page.ts'
import { longestPing, warmUp } from './support/pinging.ts'
import { databaseUrl, prepareDatabase } from './support/prepare.ts'
import { cpuSeconds } from './support/process-figures.ts'
import { startApp, stopServer } from './support/servers.ts'
import { below, type Row } from './support/table.ts'

const SIZES = { full: 1_000, quick: 100 }
const NIGHTS = 10
const WARM_UP = 10
const VIEWS_A_ROUND = 20

const FIRST_MS = 1_000
const WARM_MS = 100
const PACKED_KILOBYTES = 60
const LONGEST_PING_MS = 20

export async function measureNight(bench: Bench): Promise<Row[]> {
  const checks = bench.options.quick ? SIZES.quick : SIZES.full
  const directory = bench.newDirectory()
  const yesterday = systemClock().toZonedDateTimeISO('UTC').toPlainDate().subtract({ days: 1 })
  const evening = yesterday
    .toZonedDateTime({ timeZone: 'UTC', plainTime: Temporal.PlainTime.from('18:00') })
    .toInstant()
  const prepared = await prepareDatabase(directory, checks, addSeconds(evening, -(NIGHTS + 1) * 86_400))
  await makeNightly(prepared, evening, NIGHTS)
  const cookie = await signInAdministrator(databaseUrl(directory))
  const [first, firstCpu, warm, warmCpu, beside, alone, sizes]: number[][] = [[], [], [], [], [], [], []]
  for (let round = 1; round <= bench.options.rounds; round++) {
    const site: SignedIn = { ...(await startApp(directory)), cookie }
    const pingUrl = `http://127.0.0.1:${site.port}${prepared.paths[0]}`
    await warmUp(pingUrl)
    const path = `/night?night=${yesterday}`
    const before = cpuSeconds(site.pid)
    first?.push((await getPage(site, path, 'br')).ms)
    firstCpu?.push((cpuSeconds(site.pid) - before) * 1000)
    for (let turn = 0; turn < WARM_UP; turn++) await getPage(site, path, 'br')
    const begun = cpuSeconds(site.pid)
    const views: Page[] = []
    for (let turn = 0; turn < VIEWS_A_ROUND; turn++) views.push(await getPage(site, path, 'br'))
    warmCpu?.push(((cpuSeconds(site.pid) - begun) * 1000) / VIEWS_A_ROUND)
    warm?.push(median(views.map(({ ms }) => ms)))
    sizes?.push(median(views.map(({ bytes }) => bytes)) / 1000)
    alone?.push(await longestPing(pingUrl, () => Bun.sleep(bench.options.seconds * 1000)))
    beside?.push(await longestPing(pingUrl, () => viewOthers(site, evening.epochMilliseconds, bench.options.seconds)))
    progress(
      `round ${round}  first view ${first?.at(-1)?.toFixed(0)} ms, further ones ${warm?.at(-1)?.toFixed(1)} ms, ${sizes?.at(-1)?.toFixed(1)} kB, longest ping beside ${beside?.at(-1)?.toFixed(1)} ms`,
    )
    await stopServer(site)
  }
  const what = `night of ${whole(checks)} checks`
  const figure = (name: string, values: readonly number[] = [], unit = ' ms') => ({ name, values, digits: 1, unit })
  return [
    {
      what: `${what}, first view after a start`,
      figures: [figure('', first), figure('processor', firstCpu)],
      ratio: null,
      aim: below(first ?? [], FIRST_MS, 'time', ' ms'),
    },
    {
      what: `${what}, further views`,
      figures: [figure('', warm), figure('processor', warmCpu)],
      ratio: null,
      aim: below(warm ?? [], WARM_MS, 'time', ' ms'),
    },
    {
      what: `${what}, packed by brotli`,
      figures: [figure('', sizes, ' kB')],
      ratio: null,
      aim: below(sizes ?? [], PACKED_KILOBYTES, 'size', ' kB'),
    },
    {
      what: `longest ping beside the ${what}, always of other hours`,
      figures: [figure('', beside), figure('alone', alone)],
      ratio: null,
      aim: below(beside ?? [], LONGEST_PING_MS, 'longest', ' ms'),
    },
  ]
}

async function viewOthers(site: SignedIn, evening: number, seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1000
  for (let hour = 1; performance.now() < until; hour++) {
    const from = new Date(evening - (hour % 48) * 3_600_000).toISOString().slice(0, 16)
    await getPage(site, `/night?view=night&from=${from}Z`, 'br')
  }
}
