/** Executables: the whole program and its runtime in one file, for this or another kind of machine. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** What every bundle of the program is made from, and what is left out of it. */
export const BUNDLED = {
  entrypoints: [join(import.meta.dir, '../src/main.ts')],
  // A peer that the web framework loads when an upload's type is checked, which this program never does. Images have no
  // peers, and executables hold the same libraries.
  external: ['file-type'],
}

/** What releases are made for, by the names in their file names, with Bun's. */
export const TARGETS = {
  'linux-x64': 'bun-linux-x64',
  'linux-arm64': 'bun-linux-arm64',
  'darwin-x64': 'bun-darwin-x64',
  'darwin-arm64': 'bun-darwin-arm64',
} as const satisfies Record<string, Bun.Build.CompileTarget>

export type Target = keyof typeof TARGETS

/** The name of this machine's target. @throws when releases are not made for it */
export function ownTarget(): Target {
  const name = `${process.platform}-${process.arch}`
  if (name in TARGETS) return name as Target
  throw new Error(`no executable is made for ${name}: only for ${Object.keys(TARGETS).join(', ')}`)
}

/**
 * Compiles the program. The runtime of another target is fetched from the npm registry and kept in Bun's cache.
 * @throws when it cannot be compiled, or the runtime cannot be had
 */
export async function buildExecutable(target: Target, outfile: string): Promise<void> {
  const { success, logs } = await Bun.build({
    ...BUNDLED,
    format: 'esm',
    bytecode: true,
    // Names stay and lines are mapped back, so that an error in the log can be found in the source.
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: 'inline',
    // What it does is not to depend on the folder that it is started in.
    compile: { target: TARGETS[target], outfile, autoloadBunfig: false, autoloadDotenv: false },
    throw: false,
  })
  // The map is inside; this is a copy.
  rmSync(`${outfile}.map`, { force: true })
  if (success && existsSync(outfile)) return
  throw new Error(`${target} was not built: ${logs.map(String).join('; ') || 'Bun does not say why'}`)
}
