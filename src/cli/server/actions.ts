/** Implements the commands that maintain a server. */

import { checkPaths } from '../../app/engine.ts'
import { notesOn } from '../../config/notes.ts'
import { shownDatabase } from '../../domain/database-address.ts'
import { Refusal } from '../../domain/errors.ts'
import { reasonOf } from '../../lib/errors.ts'
import { authority } from '../../lib/network/network.ts'
import type { Context, ExitStatus } from '../command.ts'

/** Runs `overdue migrate`. */
export async function migrate({ readConfig, openDeps, print }: Context): Promise<undefined> {
  const config = await readConfig()
  await openDeps()
  const database = shownDatabase(config.database)
  print({ database }, `${database} is up to date`)
}

/** Runs `overdue check-config`. */
export async function checkConfig({ readConfig, print }: Context): Promise<undefined> {
  const config = await readConfig()
  checkPaths(config)
  const settings = config.shown.map(({ name, value, from }) => [name, { value, from }])
  const rows = config.shown.map(({ name, value, from }) => [name, value ?? '-', from])
  print(
    {
      settings: Object.fromEntries(settings),
      without_effect: config.withoutEffect,
      misspelled: Object.fromEntries(config.misspelled.map(({ name, meant }) => [name, meant])),
      warnings: config.warnings,
    },
    [{ rows: [['NAME', 'VALUE', 'FROM'], ...rows] }, ...notesOn(config)],
  )
}

/** Request timeout, in milliseconds. The server waits less than this for its database, so it can still report a database problem. */
const HEALTH_PATIENCE_MS = 8_000

/** Runs `overdue health`. */
export async function health({ readConfig, print }: Context): Promise<ExitStatus> {
  const config = await readConfig()
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  const url = `http://${authority(host, config.port)}/readyz`
  const { status, text } = await ask(url, config.port)
  const lines = text.trimEnd().split('\n')
  if (!isReadiness(lines)) {
    throw new Refusal('request-failed', `${url} answers, but not as Overdue`, {
      hint: 'set HOST and PORT as for the server',
    })
  }
  const isHealthy = status === 200
  print({ url, status, healthy: isHealthy, lines }, [`${url} answers ${status}`, ...lines].join('\n'))
  return isHealthy ? 0 : 1
}

async function ask(url: string, port: number): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(HEALTH_PATIENCE_MS) })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    const hint = `start the server, or set HOST and PORT as for the server (PORT is ${port} here; SITE_ROOT is not used)`
    throw new Refusal('request-failed', `${url} does not answer: ${reasonOf(error)}`, { hint })
  }
}

/**
 * Returns true if the lines are a response from `/readyz`. A different web server may also respond with status 200, even with an empty
 * page.
 */
function isReadiness(lines: readonly string[]): boolean {
  return lines.every((line) => /^[a-z][a-z ]*: /.test(line)) && lines.some((line) => line.startsWith('database: '))
}
