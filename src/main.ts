#!/usr/bin/env bun
/** The program: hands its arguments to the command line and ends with its exit status. */
import { runCli } from './cli/index.ts'

process.exit(await runCli(process.argv.slice(2)))
