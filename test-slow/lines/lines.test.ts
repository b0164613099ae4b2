/**
 * Runs everything that Overdue offers for jobs: snippets, crontab lines, drop-ins, manifests and lines in documents, each against servers
 * that are well, away, silent, slow, busy or moved. Lines without their program on this machine are skipped; nothing here runs C#.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { folderOnDisk } from '../../test/support/folder.ts'
import { goLines } from './go-line.ts'
import { MANNERS, type Manner, type ScriptedServer, scriptedServer } from './scripted-server.ts'
import { SNIPPET_LINES } from './snippet-lines.ts'
import { type Line, OUTPUT, type Result, runLine } from './steps.ts'
import { DOCUMENT_LINES, importLines } from './written-lines.ts'

/** Total seconds that the pings of a job may take. */
const LIMIT = 30
const STATUSES = [0, 3] as const
/** Number of lines that run at once. Most of them wait. */
const AT_ONCE = 80

const folder = folderOnDisk()
const LINES: readonly Line[] = [
  ...SNIPPET_LINES,
  ...DOCUMENT_LINES,
  ...(await importLines()),
  ...(await goLines(folder)),
]
const canRun = ({ needs }: Line) => needs.every((program) => Bun.which(program) !== null)

const results = new Map<string, Result>()
const nameOf = (line: Line, manner: Manner, status: number) => `${LINES.indexOf(line)}-${manner}-${status}`

let server: ScriptedServer
beforeAll(async () => {
  server = await scriptedServer()
  // Lines with the longest waits begin first.
  const slowFirst = MANNERS.toSorted((a, b) => Number(SLOW.includes(b)) - Number(SLOW.includes(a)))
  const cases = slowFirst
    .flatMap((manner) => LINES.filter(canRun).flatMap((line) => STATUSES.map((status) => ({ line, manner, status }))))
    .values()
  const runNext = async () => {
    for (const { line, manner, status } of cases) {
      const name = nameOf(line, manner, status)
      results.set(name, await runLine(line, server.urlOf(manner, name), status, folder, name))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runNext))
}, 280_000)
afterAll(async () => {
  await server.stop()
  folder.remove()
})

const SLOW: readonly Manner[] = ['silent', 'dripping', 'trickling']

const FAILED = /The ping failed|curl: \(/
const TOO_LONG = /time|took|expired/i
/** Log text of a failing ping. */
const COMPLAINTS: Readonly<Partial<Record<Manner, RegExp>>> = {
  away: /connect|refused/i,
  silent: TOO_LONG,
  dripping: TOO_LONG,
  unaware: /404/,
  busy: /503/,
}

describe.each(LINES)('$name', (line) => {
  test.skipIf(!canRun(line)).each(MANNERS.flatMap((manner) => STATUSES.map((status) => [manner, status] as const)))(
    `with a server that is %s and a job that ends with %p (needs ${line.needs.join(', ')})`,
    (manner, status) => {
      const name = nameOf(line, manner, status)
      const result = results.get(name)
      if (result === undefined) throw new Error('the line was not run')
      expect(result.seconds).toBeLessThan(LIMIT)
      expect(result.status).toBe(status === 0 ? 0 : (line.failure ?? status))
      expect(result.output).toContain(OUTPUT)
      const complaint = COMPLAINTS[manner]
      if (complaint !== undefined) {
        expect(result.errors).toMatch(FAILED)
        expect(result.errors).toMatch(complaint)
      } else if (manner !== 'trickling') arrives(line, manner, status, result)
    },
  )
})

function arrives(line: Line, manner: Manner, status: number, { errors }: Result) {
  const arrived = server.arrivedAt(nameOf(line, manner, status))
  // A client that does not follow redirects reports that.
  if (manner === 'moved' && arrived.length === 0) {
    expect(errors).toMatch(/The ping failed.*30[18]/)
    return
  }
  expect(errors).not.toMatch(FAILED)
  expect(arrived.map(({ ending }) => ending)).toEqual([...line.endings(status)])
  const last = arrived.at(-1)
  // After a redirect with 301, a POST becomes a GET.
  if (!line.sendsOutput || manner === 'moved') return
  expect(last?.type).toStartWith('text/plain')
  expect(last?.body).toContain(OUTPUT)
  expect(Buffer.byteLength(last?.body ?? '')).toBeLessThanOrEqual(10_000)
}
