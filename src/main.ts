#!/usr/bin/env bun
import { IMPORT_READER } from './app/own-process.ts'
/** The program: hands its arguments to the command line and ends with its exit status. */
import { runCli } from './cli/index.ts'
import { createProcessIo } from './cli/terminal/process-io.ts'

const EXIT_FAILURE = 1

const words = process.argv.slice(2)
if (words[0] === IMPORT_READER && process.send !== undefined) {
  const { readImports } = await import('./app/import-reader.ts')
  readImports((answer) => void process.send?.(answer, undefined, undefined))
} else process.exit(await run(words))

/** @returns the exit status. The program exits with it even if something is still open */
async function run(words: readonly string[]): Promise<number> {
  const io = createProcessIo()
  const status = await runCli(words, io)
  const isWritten = await io.finishOutput()
  return isWritten ? status : status || EXIT_FAILURE
}
