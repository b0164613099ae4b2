/** Proposes checks for external endpoints of Gatus: services that tell it themselves how they are. */
import { readGoDuration } from '../go-duration.ts'
import type { ImportNote } from './import-note.ts'
import { noteOf, type ProposalOptions, Proposals, type ProposedCheck, timingProblem } from './proposal.ts'
import { at, listAt, type Tree, textAt } from './tree.ts'

interface GatusPlan {
  readonly checks: readonly ProposedCheck[]
  readonly notes: readonly ImportNote[]
  /** by slug: the key in the address to which the service reports */
  readonly keys: ReadonlyMap<string, string>
}

/** Which addresses take the place of which. */
export interface GatusMove {
  /** path with query, of Gatus */
  readonly before: string
  readonly after: string
}

const PERIOD_MIN = 60
/** of the interval: Gatus has no grace time */
const GRACE_SHARE = 0.2
const GRACE_MIN = 60

/** @param configurations parsed YAML, of a folder all files */
export function planGatus(configurations: readonly Tree[], options: ProposalOptions): GatusPlan {
  const proposals = new Proposals(options)
  const checks: ProposedCheck[] = []
  const notes: ImportNote[] = []
  const keys = new Map<string, string>()
  const endpoints = configurations.flatMap((tree) => listAt(tree, 'external-endpoints'))
  for (const [index, endpoint] of endpoints.entries()) {
    const place = `external endpoint ${index + 1}`
    const found = readEndpoint(endpoint)
    if (typeof found === 'string') {
      notes.push(noteOf('left-out', 'external endpoint', String(index + 1), found))
      continue
    }
    const { key, interval, name } = found
    const timing = { timeout: Math.max(PERIOD_MIN, Math.ceil(interval)) }
    const why = interval < PERIOD_MIN ? ['a period has at least 60 seconds'] : []
    const check = proposals.add({ name, tags: 'gatus', timing, delaySeconds: 0, isPaused: false, place, why })
    const graceSeconds = Math.max(GRACE_MIN, Math.ceil(timing.timeout * GRACE_SHARE))
    checks.push({ ...check, graceSeconds, why: [...why, 'Gatus has no grace time: 20 % of the interval'] })
    keys.set(check.slug, key)
  }
  const probes = configurations.reduce<number>((sum, tree) => sum + listAt(tree, 'endpoints').length, 0)
  if (probes > 0)
    notes.push(noteOf('left-out', 'endpoints', String(probes), 'Gatus asks them itself; a check waits for pings.'))
  return { checks, notes, keys }
}

function readEndpoint(endpoint: Tree): { key: string; name: string; interval: number } | string {
  const [name, group] = [textAt(endpoint, 'name'), textAt(endpoint, 'group')]
  if (name === null) return 'It has no name.'
  if (`${name}${group}`.includes('$')) return 'Its name is in a variable of the environment.'
  if (at(endpoint, 'enabled') === false) return 'It is not enabled.'
  const text = textAt(endpoint, 'heartbeat', 'interval')
  const interval = text === null ? 0 : readGoDuration(text)
  if (interval === null || (interval > 0 && timingProblem({ timeout: Math.max(PERIOD_MIN, interval) }) !== null)) {
    return 'Its heartbeat has no interval that can be read.'
  }
  if (interval === 0) return 'Without an interval of its heartbeat, it never counts as late.'
  return { key: `${keyPart(group ?? '')}_${keyPart(name)}`, name: group === null ? name : `${group}/${name}`, interval }
}

/** As Gatus writes it in addresses. */
function keyPart(text: string): string {
  return text.replaceAll(/[/_,.#+& ]/g, '-').toLowerCase()
}

/** @param urlOf the ping URL of the check with a slug */
export function writeMoves({ keys }: GatusPlan, urlOf: (slug: string) => string): readonly GatusMove[] {
  return [...keys].flatMap(([slug, key]) => {
    const before = `/api/v1/endpoints/${encodeURIComponent(key)}/external?success=`
    return [
      { before: `${before}true`, after: urlOf(slug) },
      { before: `${before}false`, after: `${urlOf(slug)}/fail` },
    ]
  })
}
