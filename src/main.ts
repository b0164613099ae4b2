#!/usr/bin/env bun
/** The program: hands its arguments to what they name, which is loaded only then, and ends with its exit status. */

/** Its descriptions are those of the command line, and so is its help. */
const RUN = 'run'
const EXIT_FAILURE = 1

const words = process.argv.slice(2)
if (words[0] === RUN && !asksForHelp(words)) process.exit(await watchCommand(words.slice(1)))
else if (process.send === undefined || !(await isReader(words))) process.exit(await runCommandLine(words))

/** `overdue run`, which stands before other people's commands: it starts with as little as it can. */
async function watchCommand(words: readonly string[]): Promise<number> {
  const { run } = await import('./run/index.ts')
  return run(words)
}

/** Whether help is asked for before the words of the command that is run. */
function asksForHelp(words: readonly string[]): boolean {
  const separator = words.indexOf('--')
  return words.slice(0, separator < 0 ? undefined : separator).some((word) => word === '--help' || word === '-h')
}

/** Reads imports if that is what this process was started for, and goes on doing so. */
async function isReader(words: readonly string[]): Promise<boolean> {
  const { IMPORT_READER } = await import('./app/own-process.ts')
  if (words[0] !== IMPORT_READER) return false
  const { readImports } = await import('./app/import-reader.ts')
  readImports((answer) => void process.send?.(answer, undefined, undefined))
  return true
}

/** @returns the exit status. The program exits with it even if something is still open */
async function runCommandLine(words: readonly string[]): Promise<number> {
  const [{ runCli }, { createProcessIo }] = await Promise.all([import('./cli/index.ts'), import('./cli/terminal/process-io.ts')])
  const io = createProcessIo()
  const status = await runCli(words, io)
  const isWritten = await io.finishOutput()
  return isWritten ? status : status || EXIT_FAILURE
}
