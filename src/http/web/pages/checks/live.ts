/** Live updates for the list of checks, including its counts. */
import type { ListPicture } from '../../../../domain/account/account.ts'
import { type Actor, may } from '../../../../domain/actor.ts'
import type { StandingCounts } from '../../../../domain/list/check-list.ts'
import { quarterOf } from '../../../../domain/night/day-letters.ts'
import { viewChecks } from '../../../../services/checks/check-views.ts'
import { findShownAdvice } from '../../../../services/checks/shown-advice.ts'
import type { ProjectUpdate } from '../../../../services/common/ports/live.ts'
import { listSilencesOf } from '../../../../services/silences/silences.ts'
import type { Html } from '../../html.ts'
import { jsonEvent, type LiveView, partial, partials } from '../../live/view.ts'
import type { PageDeps } from '../../page.ts'
import type { ProjectVisit, ServerEvent } from '../../route.ts'
import { readChannelNames } from './channel-names.ts'
import { type ChannelNames, checkRow } from './check-row.ts'
import { dayHead, readDayCells } from './day.ts'
import { asOfLine, countSentence, groupNumbers } from './routes.ts'

const NO_CHANNELS: ChannelNames = new Map()

interface RowReader {
  readonly actor: Actor
  /** IANA time zone from the reader's account settings */
  readonly tz: string
  readonly canWrite: boolean
}

export function readerOf({ actor, account: { tz } }: ProjectVisit): RowReader {
  return { actor, tz, canWrite: may(actor, 'write') }
}

export function checksView(deps: PageDeps, reader: RowReader, picture: ListPicture): LiveView {
  return {
    key: `checks ${picture} ${reader.tz} ${reader.canWrite}`,
    wants: ({ checks, removed, counts, hasTurned }) =>
      checks.length > 0 || removed.length > 0 || counts !== null || hasTurned,
    render: (update) => render(deps, reader, picture, update),
    renderAll: null,
    ...(picture === '24h' && { renderAged: hoursOf(deps, reader) }),
  }
}

/** Renders the hours above the rows. The stream resends them every quarter of an hour, and the script then redraws all rows. */
function hoursOf(deps: PageDeps, { tz }: RowReader): () => Promise<readonly ServerEvent[]> {
  let told = 0
  return async () => {
    const now = deps.now().epochMilliseconds
    if (quarterOf(now) === told) return []
    told = quarterOf(now)
    return partials([partial('#hours', 'outerMorph', dayHead(now, tz))])
  }
}

async function render(
  deps: PageDeps,
  reader: RowReader,
  picture: ListPicture,
  { checks, removed, counts, at }: ProjectUpdate,
): Promise<readonly ServerEvent[]> {
  const ids = checks.map(({ check }) => check.id)
  const channels = checks.length === 0 ? NO_CHANNELS : await readChannelNames(deps, reader.actor)
  const views = await viewChecks(deps, checks, at, await findShownAdvice(deps, ids, at))
  const changed = checks.map(({ check }) => check)
  const silencesOf = await listSilencesOf(deps, reader.actor, changed)
  const days = picture === '24h' ? await readDayCells(deps, reader, changed, at) : null
  const context = { ...reader, channels, silencesOf, now: at, days }
  const rows = views.map((view) => ({ id: view.check.publicId, row: checkRow(view, context) }))
  const parts = rows.map(({ id, row }) => partial(`#c${id}`, 'outerMorph', row))
  const fresh = new Set(checks.filter(({ was }) => was === null).map(({ check }) => check.publicId))
  const added = rows.flatMap(({ id, row }) => (fresh.has(id) ? [{ id, row: row.text }] : []))
  const asOf = asOfLine(at, reader.tz)
  return [
    ...partials([...parts, ...(counts === null ? [] : countParts(counts)), partial('#as-of', 'outerMorph', asOf)]),
    ...(added.length > 0 ? [jsonEvent('added', added)] : []),
    ...(removed.length > 0 ? [jsonEvent('removed', removed)] : []),
  ]
}

/** Renders the sentence at the top of the page, and the counts in its filters. */
function countParts(counts: StandingCounts): readonly Html[] {
  const { states, advice } = counts
  const numbers = [...Object.entries(states), ...Object.entries(advice), ['groups', groupNumbers(counts)] as const]
  return [
    partial('#sentence', 'innerMorph', countSentence(counts)),
    ...numbers.map(([name, number]) => partial(`#n-${name}`, 'innerMorph', number)),
  ]
}
