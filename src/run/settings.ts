/** Reads a job's environment: its server, its check, and the directory for waiting pings. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../lib/errors.ts'
import { parseUuid } from '../lib/secrets/uuid.ts'
import { maskOfSecret } from './masks.ts'
import { type RunOptions, readMask } from './options.ts'
import type { PingServer, PingTarget } from './ping.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Settings {
  readonly server: PingServer
  /** directory for waiting pings; null if none can be used */
  readonly spool: string | null
  /** problems that do not prevent the command from running */
  readonly problems: readonly string[]
}

/** @param isRoot true if this user runs the jobs of all users and therefore uses the machine's spool */
export function readSettings(environment: Environment, isRoot: boolean): Settings {
  const { OVERDUE_URL, OVERDUE_PING_KEY, OVERDUE_PING_KEY_FILE } = environment
  const file = OVERDUE_PING_KEY ? { text: OVERDUE_PING_KEY, problem: null } : readKeyFile(OVERDUE_PING_KEY_FILE)
  return {
    server: { url: OVERDUE_URL?.trim() || null, pingKey: file.text?.trim() || null },
    spool: spoolOf(environment, isRoot),
    problems: file.problem === null ? [] : [file.problem],
  }
}

function readKeyFile(path: string | undefined): { text: string | null; problem: string | null } {
  if (!path) return { text: null, problem: null }
  try {
    return { text: readFileSync(path, 'utf8'), problem: null }
  } catch (error) {
    return { text: null, problem: `OVERDUE_PING_KEY_FILE: ${path} cannot be read: ${reasonOf(error)}` }
  }
}

function spoolOf({ OVERDUE_SPOOL, XDG_STATE_HOME, HOME }: Environment, isRoot: boolean): string | null {
  if (OVERDUE_SPOOL) return OVERDUE_SPOOL
  if (isRoot) return '/var/lib/overdue-run/spool'
  const state = XDG_STATE_HOME || (HOME ? join(HOME, '.local/state') : null)
  return state === null ? null : join(state, 'overdue/spool')
}

/** Returns the checks from the options, or else the check in `OVERDUE_CHECK`. */
export function targetsOf({ checks }: RunOptions, { OVERDUE_CHECK }: Environment): readonly PingTarget[] {
  const named = checks.length > 0 ? checks : [OVERDUE_CHECK ?? '']
  return named.map((name) => name.trim()).flatMap((name) => (name === '' ? [] : targetOf(name)))
}

function targetOf(name: string): PingTarget {
  if (/^https?:\/\//i.test(name)) return { kind: 'url', url: name }
  const uuid = parseUuid(name)
  return uuid === null ? { kind: 'slug', slug: name } : { kind: 'uuid', uuid }
}

/**
 * Returns the masks from the options and from `OVERDUE_MASK` (one per line), and masks for secrets that would let others send pings: the
 * ping key, complete ping URLs, and the key or UUID in a URL.
 * @throws UsageError if a mask is not a regular expression
 */
export function masksOf(
  { masks }: RunOptions,
  { OVERDUE_MASK = '' }: Environment,
  { pingKey }: PingServer,
  targets: readonly PingTarget[],
): readonly RegExp[] {
  const patterns = OVERDUE_MASK.split('\n').filter((line) => line.trim() !== '')
  const urls = targets.flatMap((target) => (target.kind === 'url' ? [target.url, ...keysIn(target.url)] : []))
  const secrets = [...(pingKey === null ? [] : [pingKey]), ...urls]
  // Masks secrets first, because another mask that matches part of a secret would leave the rest of it visible.
  return [...secrets.map(maskOfSecret), ...masks, ...patterns.map((pattern) => readMask(pattern, 'OVERDUE_MASK'))]
}

/** Returns the ping key or the UUID in a ping URL. */
function keysIn(url: string): readonly string[] {
  return url.match(/(?<=\/ping\/)[^/?#]{16,}/) ?? []
}
