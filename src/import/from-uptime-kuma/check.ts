/** Converts an Uptime Kuma push monitor to a check. */

import { CheckSpec, NEW_STATE } from '../../domain/check/check.ts'
import { NAME_LIMIT, NEW_SETTINGS } from '../../domain/check/fields.ts'
import type { Flip } from '../../domain/check/flip.ts'
import { SLUG_LIMIT, slugify } from '../../domain/check/slug.ts'
import { isTagsText } from '../../domain/check/tags.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportedCheck } from '../../domain/import/import-source.ts'
import { pastRuns } from '../../domain/log/past-runs.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import { derivedUuid } from '../../lib/secrets/derived-uuid.ts'
import { Numbering } from '../../lib/text/numbering.ts'
import type { Instant } from '../../lib/time.ts'
import type { KumaGroup, KumaMonitor, KumaTag } from './tables.ts'
import { countOf, flagOf, textOf } from './values.ts'

/** Data that is needed to convert a monitor, besides its row. */
interface MonitorContext {
  readonly project: string
  readonly createdAt: Instant
  readonly groups: ReadonlyMap<number, KumaGroup>
  /** tags of the monitor */
  readonly tags: readonly KumaTag[]
  readonly channelIds: readonly string[]
  /** slugs that other checks already use */
  readonly slugs: TakenSlugs
  /** newest pings of the check, in the order of `n` */
  readonly pings: readonly Ping[]
  readonly flips: readonly Flip[]
  readonly note: (note: ImportNote) => void
}

const LONG = { least: CheckSpec.properties.timeout.minimum ?? 60, most: CheckSpec.properties.timeout.maximum ?? 60 }

/** Uptime Kuma's default interval, in seconds. */
const INTERVAL = 60

export function monitorName({ name, id }: Pick<KumaMonitor, 'name' | 'id'>): string {
  return textOf(name).trim() || `monitor ${id}`
}

/** @returns the token at the end of the push URL, or a sentence that says why the monitor cannot be imported */
export function takable({ push_token: pushToken, upside_down: upsideDown }: KumaMonitor) {
  const token = textOf(pushToken)
  if (token === '') return { token: null, reason: 'It has no push token, so nothing can push to it.' }
  if (flagOf(upsideDown)) return { token: null, reason: 'It is upside down: a push means that it is down.' }
  return { token, reason: null }
}

/** Derives the check's id from the token. The id is as hard to guess as the token, and the token cannot be derived from it. */
export function checkIdOf(token: string): string {
  return derivedUuid('check of a push monitor', token)
}

export function toCheck(monitor: KumaMonitor, token: string, context: MonitorContext): ImportedCheck {
  const { pings, flips, createdAt, channelIds } = context
  const full = monitorName(monitor)
  const name = [...full].slice(0, NAME_LIMIT).join('')
  const changed = (reason: string) =>
    context.note({ kind: 'changed', subject: 'check', name, project: context.project, reason, advice: null })
  if (name !== full) changed(`Its name is shortened to ${NAME_LIMIT} characters.`)
  const timing = timingOf(monitor, changed)
  const id = checkIdOf(token)
  const events = pings.map(({ kind, rid, receivedAt: at }) => ({ kind, rid, at }))
  return {
    ...NEW_SETTINGS,
    ...NEW_STATE,
    ...timing,
    id,
    badgeKey: derivedUuid('badge of a push monitor', token),
    publicId: null,
    createdAt,
    name,
    slug: context.slugs.take(name),
    tags: tagsOf(monitor, context, changed),
    desc: textOf(monitor.description),
    status: flagOf(monitor.active) ? (flips.at(-1)?.newStatus ?? 'new') : 'paused',
    nPings: pings.at(-1)?.n ?? 0,
    nEvents: flips.length,
    lastPingAt: pings.at(-1)?.receivedAt ?? null,
    lastSuccessAt: pings.findLast(({ kind }) => kind === 'success')?.receivedAt ?? null,
    runs: pastRuns({ ...NEW_SETTINGS, ...timing }, createdAt, events),
    channelIds,
  }
}

/** Returns the timing. The period is the interval, and the grace time is the retry interval times the number of retries. */
function timingOf(monitor: KumaMonitor, changed: (reason: string) => void) {
  const interval = countOf(monitor.interval, INTERVAL)
  const retry = countOf(monitor.retry_interval, 0) || interval
  const waits = countOf(monitor.maxretries, 0) * retry
  const [timeoutSeconds, graceSeconds] = [within(interval), within(waits)]
  if (timeoutSeconds !== interval) changed(`Its interval of ${interval} seconds becomes ${timeoutSeconds}.`)
  if (graceSeconds !== waits) {
    changed(`Its retries, which take ${waits} seconds, become a grace time of ${graceSeconds} seconds.`)
  }
  return { kind: 'simple' as const, timeoutSeconds, graceSeconds }
}

function within(seconds: number): number {
  return Math.min(Math.max(seconds, LONG.least), LONG.most)
}

/**
 * Creates the slugs of an import. Uptime Kuma has no slugs. The created slugs are unique, because checks with the same slug cannot be
 * pinged by slug.
 */
export class TakenSlugs {
  readonly #taken = new Set<string>()
  readonly #numbering = new Numbering(SLUG_LIMIT)

  /** @returns '' if the name contains no letters or digits */
  take(name: string): string {
    const slug = slugify(name)
    if (slug === '') return ''
    const free = numbered(
      slug,
      this.#numbering.next(slug, (number) => !this.#taken.has(numbered(slug, number))),
    )
    this.#taken.add(free)
    return free
  }
}

function numbered(slug: string, number: number): string {
  const end = number === 1 ? '' : `-${number}`
  return slug.slice(0, SLUG_LIMIT - end.length) + end
}

/** Returns the names of the groups, outermost first, followed by the tags. */
function tagsOf({ parent }: KumaMonitor, { groups, tags }: MonitorContext, changed: (reason: string) => void): string {
  const words = [
    ...groupNames(countOf(parent, 0), groups),
    ...tags.map(({ name, value }) => (textOf(value) === '' ? textOf(name) : `${textOf(name)}:${textOf(value)}`)),
  ].map((word) => word.trim().replace(/\s+/g, '-'))
  const all = [...new Set(words.filter((word) => word !== ''))]
  let count = all.length
  while (!isTagsText(all.slice(0, count).join(' '))) count -= 1
  if (count < all.length)
    changed(`It is imported with ${count} of its ${all.length} tags, because all of them together are too long.`)
  return all.slice(0, count).join(' ')
}

function groupNames(parent: number, groups: ReadonlyMap<number, KumaGroup>): string[] {
  const names: string[] = []
  const seen = new Set<number>()
  for (let id = parent; !seen.has(id); ) {
    seen.add(id)
    const group = groups.get(id)
    if (group === undefined) break
    names.unshift(textOf(group.name))
    id = countOf(group.parent, 0)
  }
  return names
}
