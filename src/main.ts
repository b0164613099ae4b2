#!/usr/bin/env bun
/** The program: hands its arguments to the command line and ends with its exit status. */
import { runCli } from './cli/index.ts'

const status = await runCli(process.argv.slice(2))
// A slow reader gets everything; after that nothing may keep the process.
await new Promise<void>((resolve) => process.stdout.end(() => resolve()))
process.exit(status)
