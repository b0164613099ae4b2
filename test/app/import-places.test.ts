/** Sources of imports are read in a process of their own, which ends with the import. */
import { afterAll, expect, test } from 'bun:test'
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { createImportPlaces } from '../../src/app/import-places.ts'
import type { ImportPlace } from '../../src/services/common/ports/import-places.ts'
import { handClock } from '../support/clock.ts'
import { temporaryFolder } from '../support/folder.ts'
import { dumpFixture, SECRET } from '../support/healthchecks/fixture.ts'
import { openUrl } from '../support/open-url.ts'
import { rejection } from '../support/store-builders.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const places = createImportPlaces({
  ...{ folder: folder.path, secret: 's', pingLogLimit: 100, allowPrivateAddresses: true, now: handClock().now },
})
const place = (program: ImportPlace['program'], at: string): ImportPlace => ({
  program,
  at,
  secret: null,
  apiKeys: ['k'],
})
const going = () => new AbortController().signal

/** Lists command lines of readers that this process has started. */
function children(): string[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids.flatMap((id) => {
    try {
      const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]
      const words = readFileSync(`/proc/${id}/cmdline`, 'utf8')
      return Number(parent) === process.pid && words.includes('import-reader') ? [words] : []
    } catch {
      return []
    }
  })
}

test('a source is read by another process, which ends with it', async () => {
  const source = await places.open({ ...place('healthchecks', dumpFixture(folder)), secret: SECRET }, going())
  expect(source.kind).toBe('healthchecks')
  expect(source.projects.length).toBeGreaterThan(0)
  expect(children()).toHaveLength(1)
  await source.close()
  expect(children()).toEqual([])
})

test('a refusal comes from there as it is', async () => {
  const path = folder.file('rows')
  const head = '--\n-- PostgreSQL database dump\n--\n\nCOPY public.api_check (id, code) FROM stdin;\n'
  writeFileSync(path, `${head}${'\t'.repeat(30_000_000)}\n\\.\n`)
  expect(await rejection(places.open(place('healthchecks', path), going()))).toMatchObject({
    code: 'import-damaged',
    message: `the file ${path} is damaged: a row has a different number of values than its table`,
  })
  expect(children()).toEqual([])
})

test('a line that is longer than any row is refused, and not kept', async () => {
  const path = folder.file('line')
  const file = openSync(path, 'w')
  writeSync(file, '--\n-- PostgreSQL database dump\n--\n\nCOPY public.api_check (id, code) FROM stdin;\n')
  for (let megabyte = 0; megabyte < 100; megabyte++) writeSync(file, '\t'.repeat(1024 * 1024))
  closeSync(file)
  expect(await rejection(places.open(place('healthchecks', path), going()))).toMatchObject({
    code: 'import-damaged',
    message: expect.stringContaining('has a line of more than'),
  })
})

test.skipIf(process.platform !== 'linux')(
  'what would take too much memory is refused, and its process ends',
  async () => {
    const path = folder.file('numbers.json')
    writeFileSync(path, `{"format":[${'[],'.repeat(20_000_000)}0]}`)
    expect(await rejection(places.open(place('project', path), going()))).toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('too much memory'),
    })
    expect(children()).toEqual([])
  },
)

test('a file that is nested too deeply is refused', async () => {
  const path = folder.file('deep.json')
  writeFileSync(path, `{"format":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`)
  expect(await rejection(places.open(place('project', path), going()))).toMatchObject({ name: 'Refusal' })
})

test.each(['healthchecks', 'uptime-kuma', 'project'] as const)(
  'the own database is no source of %s',
  async (program) => {
    const path = folder.file(`own-${program}.db`)
    const database = await openUrl(`sqlite:${path}`)
    expect(await rejection(places.open(place(program, path), going()))).toMatchObject({ code: 'import-own-database' })
    await database.close()
  },
)

test('after a stop the process ends at once, whatever it waits for', async () => {
  const stop = new AbortController()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch() {
      stop.abort()
      return new Promise<Response>(() => {})
    },
  })
  const opening = places.open(place('healthchecks-server', server.url.href), stop.signal)
  expect(await rejection(opening)).toMatchObject({ code: 'import-stopped' })
  expect(children()).toEqual([])
  await server.stop(true)
})
