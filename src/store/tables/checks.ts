/** The tables of what is refused and staged of checks. A check and its counters are in `sql/check-rows.ts`. */
import type { RefusedSignals } from '../../domain/cause/refused.ts'
import type { StagedLog } from '../interface/imports.ts'
import { instant, named, number, table, text } from '../sql/columns.ts'

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
  flipN: named('n_flips', number),
  entries: number,
  bytes: number,
  stagedAt: instant,
})
