/** The packages that this project uses, from `bun.lock` and `node_modules`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Package {
  readonly name: string
  readonly version: string
  /** the hash of the downloaded file; '' when the lock file has none */
  readonly integrity: string
  /** '' for the default registry */
  readonly registry: string
  /**
   * whether the program needs it when it runs; false for development tools, and for peer dependencies that nothing else needs.
   * `bun install --production --omit=peer` installs the same packages
   */
  readonly isProduction: boolean
  /** its own dependencies as `name@version`, without those that are not installed anywhere */
  readonly needs: readonly string[]
  /** null when it is not installed, because it is for another platform */
  readonly installed: Installed | null
}

interface Installed {
  readonly version: string
  /** an SPDX expression; '' when the package has none */
  readonly licence: string
  readonly author: string
  /** names of its install scripts */
  readonly installScripts: readonly string[]
  /** the content of its licence and notice files */
  readonly texts: readonly string[]
}

interface Needs {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Entry = readonly [spec: string, registry: string, needs: Needs, integrity: string]

interface Lock {
  readonly workspaces: { readonly '': Needs & { readonly devDependencies?: Readonly<Record<string, string>> } }
  readonly packages: Readonly<Record<string, Entry>>
}

/** @param root the folder of `package.json` @throws Error when the lock file is missing or has another format */
export function readPackages(root: string): Package[] {
  const lock = Bun.JSONC.parse(readFileSync(join(root, 'bun.lock'), 'utf8')) as Lock
  const production = reachable(lock, Object.keys(lock.workspaces[''].dependencies ?? {}))
  return Object.entries(lock.packages).map(([path, [spec, registry = '', , integrity = '']]) => {
    const at = spec.lastIndexOf('@')
    return {
      name: spec.slice(0, at),
      version: spec.slice(at + 1),
      integrity,
      registry,
      isProduction: production.has(path),
      needs: neededBy(lock, path).map((needed) => lock.packages[needed]?.[0] ?? needed),
      installed: readInstalled(join(root, 'node_modules', nested(path))),
    }
  })
}

/** Maps the lock file's `a/@b/c` to the folder `a/node_modules/@b/c`. */
function nested(path: string): string {
  return namesIn(path).join('/node_modules/')
}

function namesIn(path: string): string[] {
  return path.match(/@[^/]+\/[^/]+|[^/]+/g) ?? []
}

function reachable(lock: Lock, wanted: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (path: string | null) => {
    if (path === null || found.has(path)) return
    found.add(path)
    for (const needed of neededBy(lock, path)) visit(needed)
  }
  for (const name of wanted) visit(resolve(lock, '', name))
  return found
}

/**
 * Leaves out peer dependencies. Those that are used when the program runs are also dependencies of other packages. The others
 * are type declarations, and a package that the web framework uses only to check uploads.
 */
function neededBy(lock: Lock, path: string): string[] {
  const { dependencies = {}, optionalDependencies = {} } = lock.packages[path]?.[2] ?? {}
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies)].flatMap(
    (name) => resolve(lock, path, name) ?? [],
  )
}

/** Searches from the innermost folder outwards, as Node resolves modules. @returns null when it is not installed */
function resolve(lock: Lock, from: string, name: string): string | null {
  const folders = namesIn(from)
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const path = [...folders.slice(0, depth), name].join('/')
    if (path in lock.packages) return path
  }
  return null
}

interface Manifest {
  readonly version?: string
  readonly license?: string | { readonly type?: string }
  readonly author?: string | { readonly name?: string }
  readonly scripts?: Readonly<Record<string, string>>
}

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']
const LEGAL_FILE = /^(?:licen[cs]e|notice|copying|third.?party.?notices)/i

function readInstalled(folder: string): Installed | null {
  if (!existsSync(join(folder, 'package.json'))) return null
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const { version = '', license = '', author = '', scripts = {} } = manifest
  return {
    version,
    licence: typeof license === 'string' ? license : (license.type ?? ''),
    author: typeof author === 'string' ? author.replace(/\s*[<(].*$/, '') : (author.name ?? ''),
    installScripts: INSTALL_SCRIPTS.filter((name) => name in scripts),
    texts: readdirSync(folder, { withFileTypes: true })
      .filter((file) => file.isFile() && LEGAL_FILE.test(file.name))
      .map(({ name }) => readFileSync(join(folder, name), 'utf8').trim())
      .sort(),
  }
}
