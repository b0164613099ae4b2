/** Compiles executables: the program and its runtime in one file, for this or another platform. */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Entry point and exclusions of every bundle of the program. */
export const BUNDLED = {
  entrypoints: [join(import.meta.dir, '../src/main.ts')],
  // A peer dependency that the web framework loads only to check the type of an upload, which this program never does.
  // Images have no peer dependencies, and executables contain the same libraries.
  external: ['file-type'],
}

/** Platforms of releases: the names in their file names, with Bun's names. */
export const TARGETS = {
  'linux-x64': 'bun-linux-x64',
  'linux-arm64': 'bun-linux-arm64',
  'darwin-x64': 'bun-darwin-x64',
  'darwin-arm64': 'bun-darwin-arm64',
} as const satisfies Record<string, Bun.Build.CompileTarget>

export type Target = keyof typeof TARGETS

/** @returns the target of this machine @throws when there are no releases for it */
export function ownTarget(): Target {
  const name = `${process.platform}-${process.arch}`
  if (name in TARGETS) return name as Target
  throw new Error(`there is no executable for ${name}, only for ${Object.keys(TARGETS).join(', ')}`)
}

/**
 * Compiles the program. Bun downloads the runtime of another target from the npm registry and caches it.
 * @throws when it can't be compiled, or the runtime can't be downloaded
 */
export async function buildExecutable(target: Target, outfile: string): Promise<void> {
  // Bun leaves copies of the source maps beside the executable, which contains them.
  const folder = mkdtempSync(join(dirname(outfile), 'build-'))
  try {
    const built = join(folder, basename(outfile))
    await compile(target, built)
    renameSync(built, outfile)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function compile(target: Target, outfile: string): Promise<void> {
  const { success, logs } = await Bun.build({
    ...BUNDLED,
    format: 'esm',
    bytecode: true,
    // A chunk is read when it is imported: `overdue run` waits beside each job of a machine, and reads only a small part of the program.
    splitting: true,
    // Keeps names and a source map, so that an error in the log can be found in the source.
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: 'inline',
    // Its behaviour must not depend on the folder in which it is started.
    compile: { target: TARGETS[target], outfile, autoloadBunfig: false, autoloadDotenv: false },
    throw: false,
  })
  if (success && existsSync(outfile)) return
  throw new Error(`${target} could not be built: ${logs.map(String).join('; ') || 'Bun gave no reason'}`)
}
