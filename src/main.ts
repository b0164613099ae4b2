#!/usr/bin/env bun
/** Entry point. Loads and runs the command that the arguments name, and exits with its exit status. */

import { isRun } from './run/is-run.ts'

const EXIT_FAILURE = 1

const words = process.argv.slice(2)
if (isRun(words)) process.exit(await watchCommand(words.slice(1)))
else if (process.send === undefined || !(await isReader(words))) process.exit(await runCommandLine(words))

/** Runs `overdue run`, which wraps other programs' commands. This path loads as little code as possible. */
async function watchCommand(words: readonly string[]): Promise<number> {
  const { run } = await import('./run/index.ts')
  return run(words)
}

/** If this process was started as an import reader, runs the reader until the parent process stops it. Returns false otherwise. */
async function isReader(words: readonly string[]): Promise<boolean> {
  const { IMPORT_READER } = await import('./app/own-process.ts')
  if (words[0] !== IMPORT_READER) return false
  const { readImports } = await import('./app/import-reader.ts')
  readImports((answer) => void process.send?.(answer, undefined, undefined))
  return true
}

/** @returns the exit status; the process exits with it even if something is still open */
async function runCommandLine(words: readonly string[]): Promise<number> {
  const [{ runCli }, { createProcessIo }] = await Promise.all([
    import('./cli/index.ts'),
    import('./cli/terminal/process-io.ts'),
  ])
  const io = createProcessIo()
  const status = await runCli(words, io)
  const isWritten = await io.finishOutput()
  return isWritten ? status : status || EXIT_FAILURE
}
