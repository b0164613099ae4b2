#!/usr/bin/env bun
/** The program: hands its arguments to the command line and ends with its exit status. */
import { runCli } from './cli/index.ts'
import { finishOutput, watchOutput } from './cli/output.ts'

const EXIT_FAILURE = 1

watchOutput()
const status = await runCli(process.argv.slice(2))
const isWritten = await finishOutput()
// Exits even if something is still open.
process.exit(isWritten ? status : status || EXIT_FAILURE)
