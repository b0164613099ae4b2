/** The programs that read the files in `deploy/`. `DEPLOY_TOOLS` names a folder that is searched before the PATH. */
import { expect } from 'bun:test'

const PATH = [process.env.DEPLOY_TOOLS, process.env.PATH].filter((path) => path !== undefined).join(':')

export const isMissing = (program: string) => Bun.which(program, { PATH }) === null
/** Returns the part of a test's name that says when the test is skipped. */
export const where = (program: string) => `(skipped where ${program} is not installed)`

interface Ran {
  readonly status: number
  readonly output: string
  readonly errors: string
}

/** @param settings added to the environment */
export function run(words: readonly string[], settings: Readonly<Record<string, string>> = {}): Ran {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...words], { env: { ...process.env, PATH, ...settings } })
  return { status: exitCode, output: stdout.toString(), errors: stderr.toString() }
}

/** Result of a successful program. A failure shows the program's output too. */
export const PASSED = { status: 0, output: expect.any(String), errors: '' }
