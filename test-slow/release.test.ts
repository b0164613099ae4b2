/** `bun run release` in a copy of the project with its own git history: its products, and its refusals. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { name, version } from '../package.json'
import { ownTarget } from '../scripts/executable.ts'
import { type Folder, folderOnDisk } from '../test/support/folder.ts'
import { run } from './support/disk.ts'

const ROOT = join(import.meta.dir, '..')
const CHART = 'deploy/kubernetes/Chart.yaml'
const COPIED = [
  ...['src', 'scripts', 'package.json', 'bun.lock', 'schema.sql', 'tsconfig.json', 'LICENSE', 'Dockerfile', CHART],
  ...['README.md', 'docs'],
  '.gitignore',
]
const BUILT_WITHIN_MS = 120_000

interface Bom {
  readonly components: readonly { readonly group?: string; readonly name: string; readonly version: string }[]
}

const folder: Folder = folderOnDisk()
const changelog = folder.file('CHANGELOG.md')
const main = folder.file('src/main.ts')

beforeAll(() => {
  for (const path of COPIED) cpSync(join(ROOT, path), folder.file(path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), folder.file('node_modules'))
  writeFileSync(changelog, '# Changelog\n\n## Unreleased\n\n- Things.\n')
  run('git', 'init', '-q', folder.path)
  // node_modules/ in .gitignore matches folders only, not this link.
  appendFileSync(folder.file('.git/info/exclude'), 'node_modules\n')
  commit()
})

afterAll(() => folder.remove())

function commit(): void {
  const git = [
    'git',
    '-C',
    folder.path,
    '-c',
    'user.name=T',
    '-c',
    'user.email=t@example.org',
    '-c',
    'commit.gpgsign=false',
  ]
  run(...git, 'add', '--all')
  run(...git, 'commit', '-qm', 'Change')
}

async function release(...words: readonly string[]): Promise<{ code: number; output: string; errors: string }> {
  const { PATH = '', HOME = '' } = process.env
  const child = Bun.spawn([process.execPath, 'scripts/release.ts', ...words], {
    cwd: folder.path,
    env: { PATH, HOME },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, output, errors }
}

test('a version without a section in the changelog is not released', async () => {
  const { code, errors } = await release()
  expect([code, errors]).toEqual([1, expect.stringContaining(`CHANGELOG.md has no section for ${version}`)])
})

test('a tree with uncommitted changes is not released, and the changes are listed', async () => {
  writeFileSync(changelog, `# Changelog\n\n## ${version} – 2026-11-21\n\n- Things: [docs/api.md](docs/api.md).\n`)
  writeFileSync(folder.file('stray.txt'), '')
  const { code, errors } = await release('--check')
  expect(code).toBe(1)
  expect(errors).toMatch(/not committed.*\n {2}M CHANGELOG\.md\n {2}\?\? stray\.txt/)
  rmSync(folder.file('stray.txt'))
  commit()
  expect(await release('--check')).toEqual({ code: 0, output: `${name} ${version} can be released\n`, errors: '' })
})

test('nothing is released while another file has another version, and the places are listed', async () => {
  for (const path of ['Dockerfile', CHART]) {
    const text = readFileSync(folder.file(path), 'utf8')
    writeFileSync(folder.file(path), text.replaceAll(version, '9.9.9'))
  }
  commit()
  const { code, errors } = await release('--check')
  expect(code).toBe(1)
  const places = ['the label .* in Dockerfile', `version in ${CHART}`, `appVersion in ${CHART}`]
  const sentence = (place: string) => `${place} is 9.9.9, but package.json has ${version}: set it to that\n`
  expect(errors).toMatch(new RegExp(`^${places.map(sentence).join('')}$`))
  for (const path of ['Dockerfile', CHART]) cpSync(join(ROOT, path), folder.file(path))
  commit()
})

test('an unknown target is refused before anything is built', async () => {
  const { code, errors } = await release('--target', 'solaris-sparc')
  expect([code, errors]).toEqual([1, expect.stringContaining('unknown target: solaris-sparc')])
})

test(
  'a release contains executables, the licence, third-party notices, release notes, an SBOM and correct checksums',
  async () => {
    const { code, errors } = await release('--target', ownTarget())
    expect([code, errors]).toEqual([0, ''])
    const made = folder.file(`dist/${version}`)
    const executable = `${name}-${version}-${ownTarget()}`
    const rest = ['LICENSE', 'NOTES.md', 'THIRD-PARTY-NOTICES', executable, `${name}-${version}.cdx.json`]
    expect(readdirSync(made).toSorted()).toEqual(['SHA256SUMS', ...rest].toSorted())
    expect(readFileSync(join(made, 'LICENSE'))).toEqual(readFileSync(join(ROOT, 'LICENSE')))
    expect(readFileSync(join(made, 'NOTES.md'), 'utf8')).toBe('- Things: docs/api.md.\n')
    expect(Bun.spawnSync([join(made, executable), '--version']).stdout.toString()).toBe(`${version}\n`)
    const { components }: Bom = await Bun.file(join(made, `${name}-${version}.cdx.json`)).json()
    expect(components.map((item) => item.name)).toEqual(expect.arrayContaining(['bun', 'elysia']))
    const notices = readFileSync(join(made, 'THIRD-PARTY-NOTICES'), 'utf8')
    for (const item of components) {
      const packageName = item.group === undefined ? item.name : `${item.group}/${item.name}`
      expect(notices.toLowerCase()).toContain(`\n${packageName} ${item.version}`)
    }
    const sums = readFileSync(join(made, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
    expect(sums.map((line) => line.slice(66))).toEqual(rest.toSorted())
    for (const line of sums) {
      const bytes = readFileSync(join(made, line.slice(66)))
      expect(line).toStartWith(`${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}  `)
    }
    expect((await release()).errors).toContain('is not empty')
    rmSync(made, { recursive: true })
  },
  BUILT_WITHIN_MS,
)

test(
  'a failed build ends the release with the reason',
  async () => {
    appendFileSync(main, "\nimport './nowhere.ts'\n")
    commit()
    const { code, errors } = await release('--target', ownTarget())
    expect(code).toBe(1)
    expect(errors).toContain(`${ownTarget()} could not be built`)
    expect(errors).toContain('nowhere.ts')
    expect(existsSync(folder.file(`dist/${version}/SHA256SUMS`))).toBe(false)
  },
  BUILT_WITHIN_MS,
)
