/** The delay of pings while an administrator imports data made to keep the server busy, and the memory of that. */
import { tmpdir } from 'node:os'
import type { Bench } from './support/bench.ts'
import { outputOf, startChild } from './support/children.ts'
import { median, progress, whole } from './support/figures.ts'
import { type HostileSource, hostileSources } from './support/hostile-sources.ts'
import { keepPinging, warmUp } from './support/pinging.ts'
import { databaseUrl, prepareDatabase } from './support/prepare.ts'
import { peakOf } from './support/process-figures.ts'
import { stopServer } from './support/servers.ts'
import { openSite, type Site } from './support/sites.ts'
import { below, type Row } from './support/table.ts'

const CHECKS_BEFORE = 1_000
const WHOLE = { megabytes: 200, checks: 100_000 }
const QUICK = { megabytes: 20, checks: 5_000 }
const ALONE_MS = 5_000
const LONGEST_MS = 100
const MEMORY_MEGABYTES = 500
/** Limit for an import. A longer one is discarded, as by a person who does not wait. */
const WITHIN_MS = 60_000
const STOPPED_WITHIN_SECONDS = 10

export async function measureHostileImports(bench: Bench): Promise<Row[]> {
  const { megabytes, checks } = bench.options.quick ? QUICK : WHOLE
  const directory = bench.newDirectory()
  const { paths, apiKey } = await prepareDatabase(directory, CHECKS_BEFORE)
  const site = await openSite(
    'overdue',
    databaseUrl(directory),
    { paths, apiKey },
    { INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True' },
  )
  const pinged = `http://127.0.0.1:${site.app.port}${paths[0]}`
  await warmUp(pinged)
  const alone = await keepPinging(pinged, AbortSignal.timeout(ALONE_MS))
  const rows: Row[] = []
  for (const source of hostileSources(megabytes, checks))
    rows.push(await measure(site, source, directory, pinged, alone))
  await stopServer(site.app)
  return rows
}

async function measure(site: Site, source: HostileSource, folder: string, pinged: string, alone: number): Promise<Row> {
  const { at, stop } = await source.make(folder)
  const over = new AbortController()
  const memory = peakOf(site.app.pid, over.signal)
  const syncer = startChild(['bench/support/syncer.ts', tmpdir()])
  const [said, longest] = await Promise.all([
    readOnPage(site, source.program, at).finally(() => over.abort()),
    keepPinging(pinged, over.signal),
  ])
  const longestSync = Number(await outputOf(syncer, '', STOPPED_WITHIN_SECONDS))
  await stop?.()
  const peak = await memory
  progress(
    `${source.what}: longest ping ${whole(longest)} ms, sync of the disk ${whole(longestSync)} ms, memory ${whole(peak)} MB; ${said}`,
  )
  return {
    what: `import of a hostile source, ${source.what}`,
    figures: [
      { name: 'longest ping', values: [longest], digits: 0, unit: ' ms' },
      { name: 'alone', values: [alone], digits: 0, unit: ' ms' },
      { name: 'longest sync of the disk meanwhile', values: [longestSync], digits: 0, unit: ' ms' },
      { name: 'memory of the server and its reader', values: [peak], digits: 0, unit: ' MB' },
    ],
    ratio: null,
    aim: {
      ...below([longest], LONGEST_MS, 'longest', ' ms'),
      text: `longest < ${LONGEST_MS} ms, memory < ${MEMORY_MEGABYTES} MB`,
      isMet: longest < LONGEST_MS && median([peak]) < MEMORY_MEGABYTES,
    },
  }
}

/** Reads, and applies the result. @returns the final text of the page */
async function readOnPage({ app, cookie }: Site, program: string, at: string): Promise<string> {
  const base = `http://127.0.0.1:${app.port}`
  const send = (path: string, body: FormData | URLSearchParams) =>
    fetch(`${base}${path}`, { method: 'POST', headers: { cookie, origin: base }, body, redirect: 'manual' })
  const form = new FormData()
  for (const [name, value] of Object.entries({ program, at, secret: '', keys: 'x'.repeat(32) })) form.set(name, value)
  await (await send('/admin/import', form)).text()
  const until = performance.now() + WITHIN_MS
  let words = await settled(base, cookie, until)
  if (words.includes('What would happen')) {
    await (await send('/admin/import/apply', new URLSearchParams())).text()
    words = await settled(base, cookie, until)
  }
  await (await send('/admin/import/discard', new URLSearchParams())).text()
  const [, said = 'the import was discarded'] =
    /(The import ended\.[^<]*<[^>]*>[^<]*|Imported\. Nothing was sent)/.exec(words) ?? []
  return said.replace(/<[^>]*>/g, '')
}

async function settled(base: string, cookie: string, until: number): Promise<string> {
  for (;;) {
    const answer = await fetch(`${base}/admin/import`, { headers: { cookie }, redirect: 'manual' })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`the page of imports is answered with ${answer.status}`)
    if (answer.headers.get('refresh') === null || performance.now() > until) return text
    await Bun.sleep(100)
  }
}
