/** Merges the incidents of all of a project's checks into one list, newest first. */
import { hasTags } from '../../domain/check/tags.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import { toMicroseconds } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'

type Store = Deps['store']

/** A check's incidents that have not been yielded yet. */
interface Source {
  /** newest first; never empty */
  readonly incidents: readonly Incident[]
  /** true if the check may have older incidents */
  readonly hasMore: boolean
  /** time at which this source's first incident was opened */
  readonly newest: number
}

/** Number of incidents to read per query for a check. Most checks have few incidents. */
const READ_AT_ONCE = 20
const YIELDED_AT_ONCE = 50

/**
 * Yields pages of incidents, for the checks that have all of the given tags. The newest incidents of each check are read first. Older
 * incidents are read when the list gets to them, so each store call reads only a few.
 */
export async function* mergeIncidents(
  store: Store,
  projectId: string,
  tags: readonly string[],
): AsyncGenerator<readonly Incident[]> {
  /** sources, sorted by time, newest last */
  const sources: Source[] = []
  for await (const checks of readPages((after) => store.checks.list(projectId, {}, after))) {
    const tagged = checks.filter(({ check }) => hasTags(check.tags, tags))
    const newest = await store.incidents.listNewest(tagged.map(({ check }) => check.id))
    for (const incident of newest) insert(sources, [incident], true)
  }
  let page: Incident[] = []
  for (let source = sources.pop(); source !== undefined; source = sources.pop()) {
    const [incident, ...older] = source.incidents
    if (incident === undefined) continue
    page.push(incident)
    if (older.length > 0) insert(sources, older, source.hasMore)
    else if (source.hasMore) await refill(store, sources, incident)
    if (page.length < YIELDED_AT_ONCE) continue
    yield page
    page = []
  }
  yield page
}

async function refill(store: Store, sources: Source[], { checkId, n }: Incident): Promise<void> {
  const older = await store.incidents.list(checkId, n, READ_AT_ONCE)
  insert(sources, older, older.length === READ_AT_ONCE)
}

/** Inserts a source at its sorted position, unless it has no incidents. */
function insert(sources: Source[], incidents: readonly Incident[], hasMore: boolean): void {
  const [first] = incidents
  if (first === undefined) return
  const newest = toMicroseconds(first.openedAt)
  let [from, to] = [0, sources.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sources[middle]?.newest ?? 0) <= newest) from = middle + 1
    else to = middle
  }
  sources.splice(from, 0, { incidents, hasMore, newest })
}
