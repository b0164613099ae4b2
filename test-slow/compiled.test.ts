/**
 * The executable of a release: compiled for this machine and run by an unprivileged user in an empty folder, away from the
 * source and its modules. It answers every recorded case and contains the modules that are loaded on demand.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json'
import { BUNDLED, buildExecutable, ownTarget } from '../scripts/executable.ts'
import { readPackages } from '../scripts/packages.ts'
import { type Folder, folderOnDisk } from '../test/support/folder.ts'
import { type Program, runProgram } from '../test/support/served.ts'
import { packagedSuite } from './support/packaged.ts'

const ROOT = join(import.meta.dir, '..')
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
const BUILT_WITHIN_MS = 120_000

const folder: Folder = folderOnDisk()
const executable = folder.file('overdue')
const empty = folder.file('empty')
const program: Program = isRoot
  ? { command: [...AS_NOBODY, executable], cwd: empty, owner: NOBODY }
  : { command: [executable], cwd: empty }

beforeAll(async () => {
  mkdirSync(empty)
  // The unprivileged user can read this folder but not write to it.
  chmodSync(folder.path, 0o755)
  await buildExecutable(ownTarget(), executable)
}, BUILT_WITHIN_MS)

afterAll(() => folder.remove())

packagedSuite('the executable', () => program)

const run = (words: readonly string[], settings: Readonly<Record<string, string>> = {}, cwd = empty) =>
  runProgram({ ...program, cwd }, words, settings)

test('it prints its version and its commands', async () => {
  expect(await run(['--version'])).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' })
  const { code, out } = await run(['--help'])
  expect(code).toBe(0)
  expect(out).toContain('overdue COMMAND')
  expect(out).toContain('project create')
})

test('it shows its settings, and exits with a message that names an invalid one', async () => {
  const { code, out } = await run(['check-config'], { SITE_NAME: 'Watch' })
  expect(code).toBe(0)
  expect(out).toMatch(/^SITE_NAME +Watch +environment$/m)
  expect(await run(['check-config'], { PORT: 'eighty' })).toMatchObject({
    code: 2,
    err: expect.stringContaining('PORT'),
  })
})

test('it ignores .env and bunfig.toml in the folder it is started in', async () => {
  const elsewhere = folder.file('elsewhere')
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, '.env'), 'SITE_NAME=Elsewhere\n')
  writeFileSync(join(elsewhere, 'bunfig.toml'), 'preload = ["./loud.ts"]\n')
  writeFileSync(join(elsewhere, 'loud.ts'), 'process.stdout.write("loud\\n")\n')
  const { out } = await run(['check-config'], {}, elsewhere)
  expect(out).toMatch(/^SITE_NAME +Overdue +default$/m)
  expect(out).not.toContain('loud')
})

test('every package that is compiled in is listed in the SBOM', async () => {
  const listed = new Set(readPackages(ROOT).flatMap(({ name, isProduction }) => (isProduction ? name : [])))
  const { metafile } = await Bun.build({ ...BUNDLED, target: 'bun', metafile: true })
  const inside = Object.keys(metafile?.inputs ?? {}).flatMap(
    (file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
  )
  expect(new Set(inside).size).toBeGreaterThan(10)
  expect([...new Set(inside)].filter((name) => !listed.has(name))).toEqual([])
})

test('it leaves no files in the folder it was started in', () => {
  expect(readdirSync(empty)).toEqual([])
  // biome-ignore lint/suspicious/noConsole: prints the measured size
  console.info(`the executable for ${ownTarget()} has ${(statSync(executable).size / 2 ** 20).toFixed(1)} MiB`)
})
