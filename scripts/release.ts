/** `bun run release`: writes the files of a release to a folder. It doesn't sign or publish them, see docs/releasing.md. */
import { createHash } from 'node:crypto'
import { copyFileSync, createReadStream, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import manifest from '../package.json'
import { sectionOf, withoutRelativeLinks } from './changelog.ts'
import { buildExecutable, TARGETS, type Target } from './executable.ts'
import { readPackages } from './packages.ts'
import { sbom } from './sbom.ts'
import { thirdPartyNotices } from './third-party-notices.ts'
import { otherVersions, versionsIn } from './versions.ts'

const HELP = `bun run release [options]
  --out FOLDER     the output folder, which is created and must be empty (dist/VERSION)
  --target NAME    build only this one; may be repeated: ${Object.keys(TARGETS).join(', ')}
  --check          only check whether a release can be made
All changes must be committed, CHANGELOG.md must have a section for the version in package.json, and the Dockerfile and the
chart must have the same version.
`
const CHANGES_SHOWN = 10
const ROOT = join(import.meta.dir, '..')
const { name, version, description, license, packageManager } = manifest

/** A reason why no release can be made, as a message for the user. */
class ReleaseError extends Error {}

try {
  await release()
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function release(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: join(ROOT, 'dist', version) },
      target: { type: 'string', multiple: true, default: Object.keys(TARGETS) },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return say(HELP.trimEnd())
  const unknown = values.target.filter((target) => !(target in TARGETS))
  if (unknown.length > 0) throw new ReleaseError(`unknown target: ${unknown.join(', ')}\n\n${HELP.trimEnd()}`)
  const notes = requireReady()
  if (values.check) return say(`${name} ${version} can be released`)
  const out = resolve(values.out)
  mkdirSync(out, { recursive: true })
  if (readdirSync(out).length > 0)
    throw new ReleaseError(`${out} is not empty: remove its content, or set another folder with --out`)

  for (const target of values.target as Target[]) {
    const file = `${name}-${version}-${target}`
    await buildExecutable(target, join(out, file)).catch((error: Error) => {
      throw new ReleaseError(`${error.message}\nThe files in ${out} are incomplete: remove them and try again`)
    })
    say(`built ${file}`)
  }
  writeFileSync(join(out, `${name}-${version}.cdx.json`), `${JSON.stringify(bom(), null, 2)}\n`)
  copyFileSync(join(ROOT, 'LICENSE'), join(out, 'LICENSE'))
  writeFileSync(join(out, 'THIRD-PARTY-NOTICES'), thirdPartyNotices(ROOT))
  writeFileSync(join(out, 'NOTES.md'), `${withoutRelativeLinks(notes)}\n`)
  const sums: string[] = []
  for (const file of readdirSync(out).toSorted()) sums.push(`${await sha256(join(out, file))}  ${file}\n`)
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
  say(`${name} ${version} is in ${out}; docs/releasing.md says how to sign and publish it`)
}

/** @returns the release notes @throws ReleaseError listing everything that is not ready */
function requireReady(): string {
  const problems: string[] = []
  const changes = git('status', '--porcelain')
  if (changes !== '') {
    const files = changes.split('\n')
    const more = files.length > CHANGES_SHOWN ? `\n  and ${files.length - CHANGES_SHOWN} more` : ''
    const shown = files.slice(0, CHANGES_SHOWN).map((line) => `  ${line.trim()}`)
    problems.push(`there are changes that are not committed: commit or remove them\n${shown.join('\n')}${more}`)
  }
  if (packageManager !== `bun@${Bun.version}`) {
    problems.push(`this is Bun ${Bun.version}, but package.json has ${packageManager}: use that version`)
  }
  problems.push(...otherVersions(version, versionsIn(read('Dockerfile'), read('deploy/kubernetes/Chart.yaml'))))
  const notes = sectionOf(read('CHANGELOG.md'), version)
  if (notes === null) {
    problems.push(`CHANGELOG.md has no section for ${version}: rename "## Unreleased" to "## ${version}" with a date`)
  }
  if (notes === null || problems.length > 0) throw new ReleaseError(problems.join('\n'))
  return notes
}

function bom(): object {
  const product = { name, version, description, license, dependencies: Object.keys(manifest.dependencies) }
  const [commit, committedAt] = [git('rev-parse', 'HEAD'), git('log', '-1', '--format=%cI')]
  return sbom({ ...product, bunVersion: Bun.version, commit, committedAt }, readPackages(ROOT))
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

function git(...words: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(['git', ...words], { cwd: ROOT })
  if (!success) throw new ReleaseError(`git ${words.join(' ')}: ${stderr.toString().trim()}`)
  return stdout.toString().trim()
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
