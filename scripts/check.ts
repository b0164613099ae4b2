/**
 * `bun run check [BASE]`: types, lint, unused exports and packages, and the tests of a change, all at once. It shows the output of failing
 * parts; then the exit status is 1. The change is the difference from the commit BASE, with uncommitted files. By default BASE is the
 * commit at which the branch has left `origin/main`, or `main` without a remote: on a branch all of its commits, on `main` the unpushed
 * ones. Tests of the whole program run only for files that most others import: CI runs them all.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { testRuns } from './changed-tests.ts'

const ROOT = join(import.meta.dir, '..')

const base = process.argv[2] ?? forkPoint()
const changed = [
  ...git('diff', '--name-only', base).split('\n'),
  ...git('ls-files', '--others', '--exclude-standard').split('\n'),
].filter((path) => path !== '')
say(`${changed.length} changed files since ${base}`)

const isRight = await Promise.all([part('types', 'types'), lint(), part('unused', 'unused'), tests()])
process.exitCode = isRight.every(Boolean) ? 0 : 1

/** Lints the changed files. Each rule of the linter looks at one file, so these are enough. */
async function lint(): Promise<boolean> {
  const files = changed.filter((path) => existsSync(join(ROOT, path)))
  const isOfAll = changed.some((path) => ['biome.json', 'package.json'].includes(path))
  if (files.length === 0) return true
  return part('lint', 'biome', 'check', '--no-errors-on-unmatched', ...(isOfAll ? ['.'] : files))
}

/** Runs the tests one run after the other, because each takes all processors. */
async function tests(): Promise<boolean> {
  let isRight = true
  for (const words of testRuns(changed, base))
    isRight = (await part(['test', ...words].join(' '), 'test', ...words)) && isRight
  return isRight
}

/** Runs a script of package.json. @returns whether it succeeded */
async function part(title: string, ...words: readonly string[]): Promise<boolean> {
  const began = performance.now()
  const child = Bun.spawn([process.execPath, 'run', '--silent', ...words], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  const seconds = Math.round((performance.now() - began) / 1000)
  if (status !== 0) say(out, err)
  say(`${title}: ${status === 0 ? 'ok' : 'FAILED'}, ${seconds} s`)
  return status === 0
}

/** Returns the commit at which the branch has left the main one. */
function forkPoint(): string {
  const main = ['origin/main', 'main'].find((name) => gitStatus('rev-parse', '--verify', '--quiet', name).success)
  return main === undefined ? 'HEAD' : git('merge-base', 'HEAD', main)
}

function git(...words: readonly string[]): string {
  const { success, stdout, stderr } = gitStatus(...words)
  if (!success) throw new Error(`git ${words.join(' ')}: ${stderr.toString().trim()}`)
  return stdout.toString().trim()
}

function gitStatus(...words: readonly string[]) {
  return Bun.spawnSync(['git', ...words], { cwd: ROOT })
}

function say(...texts: readonly string[]): void {
  for (const text of texts) process.stdout.write(`${text.trimEnd()}\n`)
}
