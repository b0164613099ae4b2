/**
 * `bun scripts/third-party-notices.ts > THIRD-PARTY-NOTICES`: the licences of what an executable or an image contains, which
 * must travel with it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json'
import { type Package, readPackages } from './packages.ts'

const RULE = '='.repeat(80)

/**
 * The text of the file.
 * @param root the folder of `package.json`, with everything installed that the program needs
 * @throws Error naming a package of which no licence text can be given
 */
export function thirdPartyNotices(root: string): string {
  const packages = readPackages(root)
    .filter(({ isProduction }) => isProduction)
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
  const parts = packages.map((one) => `${one.name} ${one.version} (${one.installed?.licence})\n\n${textOf(one, root)}`)
  const head = `Overdue ${manifest.version} is made with the following software. Overdue itself is under the licence in LICENSE.`
  return `${[head, ...parts, runtimeNotice(root)].join(`\n\n${RULE}\n\n`)}\n`
}

function textOf({ name, installed }: Package, root: string): string {
  if (installed && installed.texts.length > 0) return installed.texts.join('\n\n')
  // Some packages name the licence and leave its text out; ours is the same but for who holds the copyright.
  if (installed?.licence === 'MIT' && installed.author !== '') {
    const ours = readFileSync(join(root, 'LICENSE'), 'utf8').trim()
    return ours.replace(/^Copyright .*$/m, `Copyright (c) ${installed.author}`)
  }
  throw new Error(`${name} has no licence text: look for one at its home, or use another package`)
}

/** Compiled executables contain the runtime; images hold it as a program of its own. */
function runtimeNotice(root: string): string {
  const text = readFileSync(join(root, 'scripts/bun-licence.md'), 'utf8')
  return `Bun ${manifest.devDependencies.bun}, the runtime\n\n${text.trim()}`
}

if (import.meta.main) process.stdout.write(thirdPartyNotices(join(import.meta.dir, '..')))
