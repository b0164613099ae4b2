/** Proposes checks for external Gatus endpoints, which are services that report their own status. */
import { readGoDuration } from '../../domain/go-duration.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import { noteOf, type ProposalOptions, Proposals, type ProposedCheck, timingProblem } from './proposal.ts'
import { at, listAt, type PlacedTree, type Tree, textAt } from './tree.ts'

interface GatusPlan {
  readonly checks: readonly ProposedCheck[]
  readonly notes: readonly ImportNote[]
  /** Gatus keys, which are part of the URLs to which services report, by slug */
  readonly keys: ReadonlyMap<string, string>
}

/** A Gatus URL, and the ping URL that replaces it. */
export interface GatusMove {
  /** path and query of the Gatus URL */
  readonly before: string
  readonly after: string
}

const PERIOD_MIN = 60
/** Grace time as a fraction of the interval, because Gatus has no grace time. */
const GRACE_SHARE = 0.2
const GRACE_MIN = 60

/** @param configurations parsed YAML of all files in a directory; Gatus reads them as one configuration */
export function planGatus(configurations: readonly PlacedTree[], options: ProposalOptions): GatusPlan {
  const proposals = new Proposals(options)
  const checks: ProposedCheck[] = []
  const notes: ImportNote[] = []
  const keys = new Map<string, string>()
  for (const { tree, place } of endpointsOf(configurations, notes)) {
    const found = readEndpoint(tree)
    if (typeof found === 'string') {
      notes.push(noteOf('left-out', 'external endpoint', place, found, found === IN_VARIABLE ? VARIABLE_ADVICE : null))
      continue
    }
    const { key, interval, name } = found
    const timing = { timeout: Math.max(PERIOD_MIN, Math.ceil(interval)) }
    const why = interval < PERIOD_MIN ? ['a period has at least 60 seconds'] : []
    const from = `external endpoint ${place}`
    const check = proposals.add({ name, tags: 'gatus', timing, delaySeconds: 0, isPaused: false, place: from, why })
    const graceSeconds = Math.max(GRACE_MIN, Math.ceil(timing.timeout * GRACE_SHARE))
    checks.push({ ...check, graceSeconds, why: [...why, 'Gatus has no grace time: 20 % of the interval'] })
    keys.set(check.slug, key)
  }
  const probes = configurations.reduce((sum, { tree }) => sum + listAt(tree, 'endpoints').length, 0)
  if (probes > 0)
    notes.push(noteOf('left-out', 'endpoints', String(probes), 'Gatus probes them itself; a check waits for pings.'))
  return { checks, notes, keys }
}

/** Returns the external endpoints in all documents. If there are several documents, each endpoint also has the place of its document. */
function endpointsOf(configurations: readonly PlacedTree[], notes: ImportNote[]): readonly PlacedTree[] {
  return configurations.flatMap(({ tree, place }) => {
    const endpoints = at(tree, LIST) ?? []
    if (!Array.isArray(endpoints)) {
      notes.push(noteOf('left-out', LIST, place, 'It is not a list.', 'Begin each endpoint with "- ".'))
      return []
    }
    return endpoints.map((endpoint: Tree, index) => ({
      tree: endpoint,
      place: configurations.length === 1 ? String(index + 1) : `${index + 1} of ${place}`,
    }))
  })
}

const LIST = 'external-endpoints'
const IN_VARIABLE = 'Its name, group, interval or `enabled` is an environment variable.'
const VARIABLE_ADVICE = 'Fill in the values first, for example with `envsubst`.'

function readEndpoint(endpoint: Tree): { key: string; name: string; interval: number } | string {
  const [name, group] = ['name', 'group'].map((member) => wordAt(endpoint, member))
  const interval = at(endpoint, 'heartbeat', 'interval') ?? 0
  const enabled = at(endpoint, 'enabled')
  if ([name, group, interval, enabled].some((value) => typeof value === 'string' && /\$\{?\w/.test(value))) {
    return IN_VARIABLE
  }
  if (name == null) return 'It has no name.'
  if (isFalse(enabled)) return 'It is not enabled.'
  const seconds = interval === 0 ? 0 : typeof interval === 'string' ? readGoDuration(interval) : null
  if (seconds === null || (seconds > 0 && timingProblem({ timeout: Math.max(PERIOD_MIN, seconds) }) !== null)) {
    return 'Its heartbeat needs an interval such as 30m.'
  }
  if (seconds === 0) return 'Without an interval of its heartbeat, it never counts as late.'
  const key = `${keyPart(group ?? '')}_${keyPart(name)}`
  return { key, name: group == null ? name : `${group}/${name}`, interval: seconds }
}

/** Returns a text. Converts a number to text, as Gatus does. Returns null for anything else. */
function wordAt(tree: Tree, member: string): string | null {
  const found = at(tree, member)
  return typeof found === 'number' ? String(found) : textAt(tree, member)
}

/** Returns true for false, and for the YAML 1.1 words that Gatus reads as false. */
function isFalse(value: Tree): boolean {
  return value === false || (typeof value === 'string' && /^(?:n|no|off|false)$/i.test(value))
}

/** Returns a name or group as it appears in Gatus URLs. */
function keyPart(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[/_,.#+& ]/g, '-')
}

/** @param urlOf returns the ping URL of the check with the given slug */
export function writeMoves({ keys }: GatusPlan, urlOf: (slug: string) => string): readonly GatusMove[] {
  return [...keys].flatMap(([slug, key]) => {
    const before = `/api/v1/endpoints/${encodeURIComponent(key)}/external?success=`
    return [
      { before: `${before}true`, after: urlOf(slug) },
      { before: `${before}false`, after: `${urlOf(slug)}/fail` },
    ]
  })
}
