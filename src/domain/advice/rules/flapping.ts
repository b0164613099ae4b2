/**
 * Flapping: the job alternates between success and failure. Each change sends an alert unless the alert was held back until the incident
 * ended.
 */
import { count } from '../../duration.ts'
import { SECOND } from '../../units.ts'
import type { Advice } from '../advice.ts'
import type { Facts } from '../facts.ts'
import type { Reading } from '../reading.ts'
import type { Run } from '../runs.ts'

const MANY = { runs: 20, changes: 10 }
const FEW = { runs: 10, changes: 7, least: 8 }
/** Minimum number of changes among the newest runs. With fewer changes, the job is no longer flapping. */
const RECENT_CHANGES = 2

export function flapping({ runs, facts }: Reading): Advice | null {
  const newest = runs.slice(-MANY.runs)
  const recent = changesIn(runs.slice(-FEW.runs))
  const isOften = changesIn(newest) >= MANY.changes || (runs.length >= FEW.least && recent >= FEW.changes)
  if (!isOften || recent < RECENT_CHANGES) return null
  const failed = newest.filter(({ hasFailed }) => hasFailed).length
  const changes = changesIn(newest)
  const messages = toldChanges(newest, facts.held) * facts.channels.filter(({ state }) => state === 'ready').length
  const sent = messages === 0 ? '' : ` and ${count(messages, 'message')}`
  const span = (newest.at(-1)?.ended ?? 0) - (newest[0]?.ended ?? 0)
  return {
    kind: 'flapping',
    variant: 'turns',
    says: [
      `${failed} of the last ${newest.length} runs failed: ${changes} changes${sent} in `,
      { took: span / SECOND },
      '.',
    ],
    fix: { do: 'ask', about: 'failures' },
    otherFixes: [],
  }
}

function changesIn(runs: readonly Run[]): number {
  return changed(runs).length
}

function toldChanges(runs: readonly Run[], held: Facts['held']): number {
  return changed(runs).filter(({ ended }) => !held.some(({ from, until }) => from <= ended && ended <= until)).length
}

/** Returns the runs whose result differs from that of the previous run. */
function changed(runs: readonly Run[]): readonly Run[] {
  return runs.filter(({ hasFailed }, index) => index > 0 && hasFailed !== runs[index - 1]?.hasFailed)
}
