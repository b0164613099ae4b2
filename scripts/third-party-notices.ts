/**
 * `bun scripts/third-party-notices.ts > THIRD-PARTY-NOTICES`: the licence texts that must accompany an executable or an image.
 * It uses the same list of packages as the SBOM. `generate-license-file` doesn't: it reads npm's view of `node_modules`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json'
import { type Package, readPackages } from './packages.ts'

const RULE = '='.repeat(80)

/**
 * @param root the folder of `package.json`, with the program's dependencies installed
 * @returns the text of the file
 * @throws Error naming a package without a licence text
 */
export function thirdPartyNotices(root: string): string {
  const packages = readPackages(root)
    .filter(({ isProduction }) => isProduction)
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
  const parts = packages.map((one) => `${one.name} ${one.version} (${one.installed?.licence})\n\n${textOf(one, root)}`)
  const head = `Overdue ${manifest.version} contains the following software. Overdue itself is under the licence in LICENSE.`
  return `${[head, ...parts, passwordListNotice(root), runtimeNotice(root)].join(`\n\n${RULE}\n\n`)}\n`
}

function textOf({ name, installed }: Package, root: string): string {
  if (installed && installed.texts.length > 0) return installed.texts.join('\n\n')
  // Some packages name the MIT licence but don't contain its text. Ours differs in the copyright line only.
  if (installed?.licence === 'MIT' && installed.author !== '') {
    const ours = readFileSync(join(root, 'LICENSE'), 'utf8').trim()
    return ours.replace(/^Copyright .*$/m, `Copyright (c) ${installed.author}`)
  }
  throw new Error(`${name} has no licence text: find it in its repository, or use another package`)
}

/** Returns the notice of the password list, which the program contains as a file of its own, not as a package. */
function passwordListNotice(root: string): string {
  const text = readFileSync(join(root, 'scripts/common-passwords-licences.md'), 'utf8')
  return `The list of the commonest passwords, made of those of Django and @zxcvbn-ts/language-common\n\n${text.trim()}`
}

/** Returns the notice of the runtime. Executables have it compiled in; images contain it as a separate program. */
function runtimeNotice(root: string): string {
  const text = readFileSync(join(root, 'scripts/bun-licence.md'), 'utf8')
  return `Bun ${manifest.devDependencies.bun}, the runtime\n\n${text.trim()}`
}

if (import.meta.main) process.stdout.write(thirdPartyNotices(join(import.meta.dir, '..')))
