/** The longest ping during heavy reads: many clients that fetch a long list, and a page full of badges. */
import type { Bench } from './support/bench.ts'
import { progress, whole } from './support/figures.ts'
import { keepPinging } from './support/pinging.ts'
import { memoryOf } from './support/process-figures.ts'
import { drive, type Load } from './support/rounds.ts'
import { type App, startApp, stopServer } from './support/servers.ts'
import { below, type Row } from './support/table.ts'

const LISTS = 60
const BADGES = 200
/**
 * Number of counted badges. Each connection sends again after its answer, and an address may send 300 requests. This many stay within that
 * limit.
 */
const BADGES_COUNTED = 50
const LONGEST_PING_MS = 250
const MEMORY_MB = 300
const READ_WITHIN_SECONDS = 120

export async function measureReads(bench: Bench): Promise<Row[]> {
  const checks = Math.max(...bench.options.lists)
  const { directory, apiKey, paths } = await bench.database(checks)
  const app = await startApp(directory)
  const badgePaths = await fetchBadgePaths(app, apiKey)
  const beside = async (label: string, load: Load, given: readonly string[], answers: number): Promise<number> => {
    const over = new AbortController()
    const pinging = keepPinging(`http://127.0.0.1:${app.port}${paths[0]}`, over.signal)
    const target = { name: 'app', port: app.port, pid: app.pid, paths: given }
    await drive(bench, { target, load, label }, READ_WITHIN_SECONDS, answers, 0)
    over.abort()
    const longest = await pinging
    progress(`beside ${label} the longest ping took ${longest.toFixed(1)} ms`)
    return longest
  }
  const [besideLists, besideBadges]: [number[], number[]] = [[], []]
  for (let round = 1; round <= bench.options.rounds; round += 1) {
    besideBadges.push(await beside('badges', badgeLoad(round), badgePaths, BADGES_COUNTED))
    besideLists.push(await beside('lists', listLoad(apiKey), ['/api/v3/checks/'], LISTS))
  }
  const { peakMegabytes } = memoryOf(app.pid)
  await stopServer(app)
  return [
    longestPing(`${LISTS} lists of ${whole(checks)} checks at once`, besideLists),
    longestPing(`${BADGES} badges of a project of ${whole(checks)} checks at once`, besideBadges),
    {
      what: 'resident memory, highest during both',
      figures: [{ name: '', values: [peakMegabytes], digits: 0, unit: ' MB' }],
      ratio: null,
      aim: below([peakMegabytes], MEMORY_MB, 'resident', ' MB'),
    },
  ]
}

function listLoad(apiKey: string): Load {
  return { connections: LISTS, bodyBytes: 0, headers: { 'X-Api-Key': apiKey }, answer: { bytes: null, end: ']}' } }
}

/** Returns a load from another address in each round, since the server limits the requests of an address. */
function badgeLoad(round: number): Load {
  const headers = { 'X-Forwarded-For': `192.0.2.${(round % 250) + 1}` }
  return { connections: BADGES, bodyBytes: 0, headers, answer: { bytes: null, end: '</svg>' } }
}

function longestPing(load: string, values: readonly number[]): Row {
  return {
    what: `longest ping beside ${load}`,
    figures: [{ name: '', values, digits: 0, unit: ' ms' }],
    ratio: null,
    aim: below(values, LONGEST_PING_MS, 'longest', ' ms'),
  }
}

/** Returns the paths of the SVG badges for the tags of the project. */
async function fetchBadgePaths({ port }: App, apiKey: string): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v3/badges/`, { headers: { 'X-Api-Key': apiKey } })
  const { badges } = (await response.json()) as { badges: Record<string, { svg: string; svg3: string }> }
  return Object.values(badges).flatMap(({ svg, svg3 }) => [new URL(svg).pathname, new URL(svg3).pathname])
}
