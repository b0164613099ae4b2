/** The packages that this project is made with, as `bun.lock` pins them and as they lie in `node_modules`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Package {
  readonly name: string
  readonly version: string
  /** what the downloaded file is held against; '' when the lock file has none */
  readonly integrity: string
  /** '' for the registry that everybody uses */
  readonly registry: string
  /**
   * true for what the program needs when it runs; false for tools, and for peers that nothing else needs. It is what
   * `bun install --production --omit=peer` installs
   */
  readonly isProduction: boolean
  /** what it needs in turn, each as `name@version`; nothing that was left out */
  readonly needs: readonly string[]
  /** null where it is not installed: it is for another operating system or processor */
  readonly installed: Installed | null
}

export interface Installed {
  readonly version: string
  /** an SPDX expression; '' when the package does not say */
  readonly licence: string
  readonly author: string
  /** names of scripts that want to run when it is installed */
  readonly installScripts: readonly string[]
  /** licence and notice files, each whole */
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

/** @param root the folder of `package.json` @throws Error when a lock file of another form is there, or none */
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

/** `a/@b/c` lies in `a/node_modules/@b/c`. */
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
 * Without peers. Those that run are needed by somebody else as well; the others are types, and a reader of file types that
 * the web framework asks for only to check uploads.
 */
function neededBy(lock: Lock, path: string): string[] {
  const { dependencies = {}, optionalDependencies = {} } = lock.packages[path]?.[2] ?? {}
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies)].flatMap(
    (name) => resolve(lock, path, name) ?? [],
  )
}

/** From the innermost folder outwards, as modules are looked for; null when it was left out. */
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
