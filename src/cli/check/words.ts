/** Formats a check as text and as JSON. */
import type { Channel } from '../../domain/channel/channel.ts'
import type { Check } from '../../domain/check/check.ts'
import { type CheckWithChannels, representCheck } from '../../domain/check/representation.ts'
import { inOneLine } from '../../domain/check/schedule-words.ts'
import { type ShownState, showCheck } from '../../domain/check/shown-check.ts'
import { expectedIfReadable, isStarted, nextPingAt } from '../../domain/check/status.ts'
import { splitTags } from '../../domain/check/tags.ts'
import { periodInWords } from '../../domain/duration.ts'
import { describe } from '../../domain/schedule/schedule.ts'
import type { Deps } from '../../services/common/deps.ts'
import type { Cell, Shown } from '../terminal/screen.ts'

/** Returns the JSON that API v3 returns for the check if the request has a read-write key. */
export function represent(found: CheckWithChannels, { site, now }: Pick<Deps, 'site' | 'now'>) {
  return representCheck(found, { version: 3, right: 'write', links: site.links, now: now() })
}

/** Adds the member `notes` if there are notes. Otherwise, returns the JSON unchanged. */
export function withNotes<Json extends object>(
  json: Json,
  notes: readonly string[],
): Json | (Json & { notes: readonly string[] }) {
  return notes.length === 0 ? json : { ...json, notes }
}

export const LIST_HEADS = ['STATUS', 'NAME', 'SCHEDULE', 'LAST PING', 'NEXT PING', 'TAGS', 'NOTE', 'ID']
/** Indexes of the columns that a narrow terminal omits first: TAGS, SCHEDULE, NEXT PING and LAST PING. */
export const LEAST_WANTED = [5, 2, 4, 3]

export function listCells(check: Check, { now }: Pick<Deps, 'now'>): Cell[] {
  return [
    statusCell(check, now),
    { name: check.name || check.slug || '-' },
    scheduleWords(check),
    check.lastPingAt,
    nextPingAt(check, expectedIfReadable(check)),
    splitTags(check.tags).join(' '),
  ]
}

/** @param channels all channels of the project */
export function checkWords(
  { check, channelIds }: CheckWithChannels,
  { site, now }: Pick<Deps, 'site' | 'now'>,
  channels: readonly Channel[],
): Exclude<Shown, string> {
  const assigned = channels.filter(({ id }) => channelIds.includes(id))
  const rows: Cell[][] = [
    ['status', statusCell(check, now)],
    ['name', check.name || null],
    ['slug', check.slug || null],
    ['UUID', check.id],
    ['ping URL', site.links.pingEndpoint + check.id],
    ['schedule', scheduleWords(check)],
    ...(check.kind === 'simple' ? [] : [['expression', `${inOneLine(check.schedule)} (${check.tz})`]]),
    ['last ping', check.lastPingAt],
    ['next ping', nextPingAt(check, expectedIfReadable(check))],
    ['pings', String(check.nPings)],
    ['tags', splitTags(check.tags).join(' ') || null],
    ['channels', assigned.map(({ name, kind, id }) => name || `${kind} ${id}`).join(', ') || null],
    ['description', check.desc || null],
  ]
  return [{ rows }]
}

function statusCell(check: Check, now: Deps['now']): Cell {
  const { state } = showCheck(check, now())
  return stateCell(state, isStarted(check))
}

/** Returns the state in the words that pages use. @param isRunning true if a run is in progress, even if the check is down or late */
export function stateCell(state: ShownState, isRunning = false): Cell {
  if (state === 'started') return { status: 'up', text: 'running' }
  const status = state === 'late' ? 'grace' : state
  return { status, text: isRunning ? `${state}, running` : state }
}

function scheduleWords(check: Check): string {
  return `${timingWords(check)}, grace ${periodInWords(check.graceSeconds)}`
}

export function timingWords(check: Check): string {
  if (check.kind === 'simple') return `every ${periodInWords(check.timeoutSeconds)}`
  try {
    return describe(check.schedule, check.tz)
  } catch {
    // The time zone may have been removed by an update of the time zone data.
    return `${inOneLine(check.schedule)} (${check.tz})`
  }
}
