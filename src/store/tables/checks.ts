/** The tables that contain advice, rejected requests and the staged data of checks. A check and its counters are in `sql/check-rows.ts`. */
import type { RefusedSignals } from '../../domain/cause/refused.ts'
import type { DayRuns } from '../../domain/run/day-runs.ts'
import type { StoredAdvice } from '../interface/advice.ts'
import type { StagedLog } from '../interface/imports.ts'
import { blob, type Column, instant, json, named, number, orNull, table, text, word } from '../sql/columns.ts'

export const REFUSED_SIGNALS = table<RefusedSignals & { readonly checkId: string }>('refused_signals', 'check_id', {
  checkId: text,
  n: number,
  lastTail: text,
  lastAt: instant,
})

export const STAGED_LOGS = table<StagedLog>('staged_logs', 'check_id', {
  checkId: text,
  projectId: text,
  n: named('n_pings', number),
  eventN: named('n_events', number),
  entries: number,
  bytes: number,
  stagedAt: instant,
})

/** Returns a column that stores a list, or null if the list is empty. */
function listOrNull<Item>(): Column<readonly Item[]> {
  return {
    read: (stored: string | null): readonly Item[] => (stored === null ? [] : JSON.parse(stored)),
    write: (list) => (list.length === 0 ? null : JSON.stringify(list)),
  }
}

const milliseconds: Column<number> = {
  read: (stored: number) => Math.floor(stored / 1_000),
  write: (given) => given * 1_000,
}

export const ADVICE = table<StoredAdvice>('advice', 'check_id', {
  checkId: text,
  projectId: text,
  lookAfter: instant,
  lookedN: number,
  changedAt: milliseconds,
  kind: orNull(word()),
  variant: orNull(text),
  since: orNull(instant),
  advice: named('data', listOrNull()),
  putOff: listOrNull(),
  fixed: orNull(json()),
})

export const CHECK_DAYS = table<DayRuns & { readonly checkId: string }>('check_days', 'check_id day', {
  checkId: text,
  day: text,
  runs: number,
  failed: number,
  missed: number,
  firstAt: orNull(instant),
  lastAt: orNull(instant),
  longest: orNull(number),
  minutes: blob,
})
