/** The list of checks: its rows and its counts. */
import { SHOWN_STATES } from '../../../domain/check/shown.ts'
import { viewChecks } from '../../../services/check-views.ts'
import type { Deps } from '../../../services/deps.ts'
import type { ProjectUpdate, StateCounts } from '../../../services/live/live.ts'
import type { Html } from '../html.ts'
import { countSentence } from '../pages/checks.ts'
import { checkRow } from '../parts/check-row.ts'
import type { ServerEvent } from '../route.ts'
import { jsonEvent, type LiveView, partial, partials } from './view.ts'

interface RowReader {
  /** of the reader's account */
  readonly tz: string
  readonly canWrite: boolean
}

export function checksView(deps: Pick<Deps, 'store'>, reader: RowReader): LiveView {
  return {
    key: `checks ${reader.tz} ${reader.canWrite}`,
    wants: ({ checks, removed, counts, hasTurned }) =>
      checks.length > 0 || removed.length > 0 || counts !== null || hasTurned,
    render: (update) => render(deps, reader, update),
    renderAll: null,
  }
}

async function render(
  deps: Pick<Deps, 'store'>,
  reader: RowReader,
  { checks, removed, counts, at }: ProjectUpdate,
): Promise<readonly ServerEvent[]> {
  const views = await viewChecks(deps, checks, at)
  const rows = views.map((view) => ({ id: view.check.publicId, row: checkRow(view, { ...reader, now: at }) }))
  const parts = rows.map(({ id, row }) => partial(`#c${id}`, 'outerMorph', row))
  const fresh = new Set(checks.filter(({ was }) => was === null).map(({ check }) => check.publicId))
  const added = rows.flatMap(({ id, row }) => (fresh.has(id) ? [{ id, row: row.text }] : []))
  return [
    ...partials(counts === null ? parts : [...parts, ...countParts(counts)]),
    ...(added.length > 0 ? [jsonEvent('added', added)] : []),
    ...(removed.length > 0 ? [jsonEvent('removed', removed)] : []),
  ]
}

/** The sentence of the page, and the numbers of its filters. */
function countParts(states: StateCounts): readonly Html[] {
  const total = Object.values(states).reduce((sum, count) => sum + count, 0)
  const numbers = SHOWN_STATES.map((state) => partial(`#n-${state}`, 'innerMorph', states[state]))
  return [partial('#sentence', 'innerMorph', countSentence({ total, states })), ...numbers]
}
