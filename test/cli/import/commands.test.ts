/** `overdue import healthchecks --database`: its output, and that it does what it says. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../support/command-line.ts'
import { dumpOf } from '../../support/dump.ts'
import { type Folder as Files, temporaryFolder } from '../../support/folder.ts'
import { RECORDING } from '../../support/healthchecks/answers.ts'
import { changedFixture, SECRET, sqliteFixture } from '../../support/healthchecks/fixture.ts'
import { type Folder, folder } from '../support.ts'

let place: Folder
let files: Files
let database: string
let secretFile: string
beforeEach(async () => {
  place = folder()
  files = temporaryFolder()
  database = sqliteFixture(files)
  chmodSync(database, 0o600)
  secretFile = files.file('secret')
  writeFileSync(secretFile, `${SECRET}\n`)
  expect((await run(['migrate'], { DATABASE_URL: place.url })).code).toBe(0)
})
afterEach(() => {
  place.remove()
  files.remove()
})

const imported = (...words: readonly string[]) => run(['import', 'healthchecks', ...words], { DATABASE_URL: place.url })
const importedJson = async (...words: readonly string[]) => {
  const { code, out, err } = await imported(...words, '--json')
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}
const secret = () => ['--secret-key-file', secretFile]
/** Selects one project, so that the import is fast. */
const HOME = ['--project', 'Home 🏠']

test('without --apply, it says what would come, and writes nothing', async () => {
  const before = await dumpOf(place.url)
  const { code, out, err } = await imported('--database', database, ...secret())
  expect([code, err]).toEqual([0, ''])
  for (const words of [
    '4 projects, about 1522 pings',
    'new: alice@example.org (administers this server)',
    'Not imported',
    'setting TELEGRAM_TOKEN',
    'Nothing was written. Run the same command with --apply to import.',
  ]) {
    expect(out).toContain(words)
  }
  expect(await dumpOf(place.url)).toEqual(before)
})

test('with --apply, it brings the project whole, and the second time nothing', async () => {
  const first = await importedJson('--database', database, ...secret(), ...HOME, '--apply')
  expect(first).toMatchObject({
    applied: true,
    projects: [{ name: 'Home 🏠', new: true, checks: 6, keys: 3, history: { pings: 50, flips: 10 } }],
    accounts: { new: ['alice@example.org', "carol.o'neill+hc@example.org"], without_password: [] },
  })
  const second = await importedJson('--database', database, ...secret(), ...HOME, '--apply')
  expect(second.projects).toMatchObject([{ new: false, checks: 0, history: { pings: 0, flips: 0, alerts: 0 } }])
})

test('--project may be given several times', async () => {
  const words = ['--database', database, ...secret(), ...HOME, '--project', 'bob@example.org']
  expect((await importedJson(...words)).projects.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    'Home 🏠',
    'bob@example.org',
  ])
})

test('accounts without a password get the command that gives them one', async () => {
  const changed = changedFixture(files, "UPDATE auth_user SET password = '!' WHERE email LIKE 'carol%'")
  chmodSync(changed, 0o600)
  const { out } = await imported('--database', changed, ...secret(), ...HOME)
  expect(out).toContain("overdue account reset carol.o'neill+hc@example.org")
})

test('a file that every user can read is imported with a warning', async () => {
  chmodSync(database, 0o644)
  const { code, err } = await imported('--database', database, ...secret(), ...HOME)
  expect([code, err]).toEqual([
    0,
    `warning: every user of this machine can read ${database}, which contains keys and tokens: run chmod 600 on it\n`,
  ])
})

describe('the secret', () => {
  const [first] = RECORDING.projects
  const verified = (proof: string, given = SECRET) =>
    imported('--database', database, `--secret-key=${given}`, '--verify', proof)

  test.each([
    ['an API key', first?.keys.api_key ?? ''],
    ['the address of a badge', first?.answers.find(({ path }) => path.startsWith('/badge/'))?.path ?? ''],
  ])('is verified by %s', async (_, proof) => {
    expect((await verified(proof)).code).toBe(0)
    const { code, err } = await verified(proof, 'another secret')
    expect([code, err.includes('the secret is not that of the old server')]).toEqual([2, true])
  })

  test('is read from standard input, too, and never printed', async () => {
    const words = ['import', 'healthchecks', '--database', database, '--secret-key-file', '-', '--json']
    const { code, out, err } = await run(words, { DATABASE_URL: place.url }, `${SECRET}\n`)
    expect([code, err, out.includes(SECRET)]).toEqual([0, '', false])
    expect(JSON.parse(out).notes.filter(({ subject }: { subject: string }) => subject === 'API key')).toEqual([])
  })

  test.each([
    [['--secret-key', 'one', '--secret-key-file', '/two'], 'cannot be given together'],
    [['--secret-key-file', '/nowhere/secret'], 'cannot read /nowhere/secret'],
    [['--secret-key='], 'the secret is empty'],
    [['--verify', 'hcw_x'], '--verify needs the secret'],
  ])('is refused when it is given as %j', async (words, said) => {
    const { code, err } = await imported('--database', database, ...words)
    expect([code, err]).toEqual([2, expect.stringContaining(said)])
  })
})

describe('what is no database of a Healthchecks is refused with a sentence, and nothing is written', () => {
  test.each(['a file of something else', 'no file'])('such as %s', async (what) => {
    const path = join(place.path, 'given')
    if (what !== 'no file') writeFileSync(path, 'hello', { mode: 0o600 })
    const before = await dumpOf(place.url)
    const { code, err, out } = await imported('--database', path, '--apply')
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(path)
    expect(err).not.toContain('    at ')
    expect(await dumpOf(place.url)).toEqual(before)
  })

  test('an address without a server, and the password in it stays secret', async () => {
    const { code, err } = await imported('--database', 'postgres://hc:sesame@127.0.0.1:1/hc')
    expect([code, err.includes('sesame')]).toEqual([1, false])
  })
})
