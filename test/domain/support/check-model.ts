/** A short second implementation of a check's state machine, in plain numbers, to compare the real one with. */

import type { Check, CheckSpec, StoredStatus } from '../../../src/domain/check/check.ts'
import { deadline, expectedAt, isStarted, nextPingAt, type Status, statusAt } from '../../../src/domain/check/status.ts'
import { isOverlapping } from '../../../src/domain/ping/overlap.ts'
import type { Signal } from '../../../src/domain/ping/signal.ts'
import { type Instant, toMicroseconds } from '../../../src/lib/time.ts'
import { NOON } from '../../support/builders.ts'
import { CHECK, type Event, type SCHEDULES } from './histories.ts'

const SECOND = 1_000_000
export const HOUR = 3600 * SECOND

/** Times in microseconds; Infinity means no time. */
interface Model {
  readonly status: StoredStatus
  readonly pings: number
  readonly lastPing: number
  readonly start: number
  readonly rid: string | null
  readonly took: number | null
  readonly set: CheckSpec & { readonly timeout: number; readonly grace: number }
}

function kind({ status, set }: Model, { action, method, body }: Signal) {
  if ((status === 'paused' && set.manual_resume) || (set.methods === 'POST' && method !== 'POST')) return 'ign'
  if (!set.filter_http_body) return action
  const said = new TextDecoder().decode(body ?? new Uint8Array())
  if (said.includes('failed')) return 'fail'
  if (said.includes('ok') || said.includes('done')) return 'success'
  return said.includes('begin') ? 'start' : set.filter_default_fail ? 'fail' : 'ign'
}

function pinged(model: Model, signal: Signal, now: number): Model {
  const what = kind(model, signal)
  const counted = { ...model, pings: model.pings + 1 }
  if (what === 'log' || what === 'ign') return counted
  if (what === 'start') {
    return { ...counted, start: now, rid: signal.rid, status: model.status === 'paused' ? 'new' : model.status }
  }
  const isOwn = model.start < Infinity && model.rid === signal.rid
  const leavesRun = what === 'success' && signal.rid !== null && !isOwn
  const run = leavesRun ? {} : { start: Infinity, rid: null }
  const took = isOwn ? Math.max(0, now - model.start) : null
  return { ...counted, ...run, took, lastPing: now, status: what === 'success' ? 'up' : 'down' }
}

/** First occurrence of each schedule after a whole second. */
const occurrence: Record<(typeof SCHEDULES)[number], (after: number) => number> = {
  '*/15 * * * *': (after) => (Math.floor(after / (HOUR / 4)) + 1) * (HOUR / 4),
  '7 * * * *': (after) => (Math.floor((after - 420 * SECOND) / HOUR) + 1) * HOUR + 420 * SECOND,
  hourly: (after) => (Math.floor(after / HOUR) + 1) * HOUR,
  '2026-03-04 12:20': (after) => (after < toMicroseconds(NOON) + HOUR / 3 ? toMicroseconds(NOON) + HOUR / 3 : Infinity),
  '2020-01-01': () => Infinity,
}

function expected({ status, lastPing, set }: Model): number {
  if (status !== 'up') return Infinity
  if (set.schedule === undefined) return lastPing + set.timeout * SECOND
  return occurrence[set.schedule as keyof typeof occurrence](Math.floor(lastPing / SECOND) * SECOND)
}

const graceStart = (model: Model) => (model.status === 'down' ? Infinity : Math.min(expected(model), model.start))
export const due = (model: Model) => graceStart(model) + model.set.grace * SECOND

function shown(model: Model, now: number): Status {
  if (now >= model.start + model.set.grace * SECOND) return 'down'
  if (now < expected(model)) return model.status
  return now < due(model) ? 'grace' : 'down'
}

export function happened(model: Model, event: Event, now: number): Model {
  const stopped = { ...model, start: Infinity, rid: null }
  switch (event.kind) {
    case 'ping':
      return pinged(model, event.signal, now)
    case 'update': {
      const { schedule, timeout } = event.spec
      const kept = timeout === undefined ? model.set.schedule : undefined
      const { schedule: _, ...set } = { ...model.set, ...event.spec }
      return { ...model, set: (schedule ?? kept) === undefined ? set : { ...set, schedule: schedule ?? kept ?? '' } }
    }
    case 'pause':
      return model.status === 'paused' ? model : { ...stopped, status: 'paused' }
    case 'resume':
      return model.status === 'paused' ? { ...stopped, status: 'new', lastPing: Infinity } : model
    case 'loop':
      return now >= due(model) ? { ...model, status: 'down' } : model
    default:
      return model
  }
}

export const micro = (instant: Instant | null) => (instant === null ? Infinity : toMicroseconds(instant))

export function seen(check: Check, now: Instant) {
  return {
    status: check.status,
    pings: check.nPings,
    lastPing: micro(check.lastPingAt),
    start: micro(check.lastStartAt),
    rid: isOverlapping(check) ? null : check.lastStartRid,
    took: check.lastDuration,
    shown: statusAt(check, now),
    started: isStarted(check),
    expected: micro(expectedAt(check)),
    due: micro(deadline(check)),
    nextPing: micro(nextPingAt(check)),
  }
}

export function foreseen(model: Model, now: number) {
  const { set: _, ...state } = model
  const nextPing = graceStart(model)
  const started = model.start < Infinity
  return { ...state, shown: shown(model, now), started, expected: expected(model), due: due(model), nextPing }
}

export const FRESH: Model = {
  status: 'new',
  pings: 0,
  lastPing: Infinity,
  start: Infinity,
  rid: null,
  took: null,
  set: { timeout: CHECK.timeoutSeconds, grace: CHECK.graceSeconds },
}
