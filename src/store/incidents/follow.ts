/** Opens and ends incidents in the flip's transaction, and writes their alerts unless a silence or an acknowledgement holds them back. */
import type { Flip } from '../../domain/check/flip.ts'
import { followFlip } from '../../domain/incident/follow.ts'
import type { SilencedCheck } from '../../domain/silence/silence.ts'
import type { Instant } from '../../lib/time.ts'
import type { KeptIncident } from '../interface/incidents.ts'
import type { Rules, Told } from '../interface/rules.ts'
import type { Sql } from '../sql/database.ts'
import type { StoredIncidentEvent } from '../tables/incidents.ts'
import { findOpenIncidents, numberEvents } from './rows.ts'
import { lockSilences, tagsOf } from './world.ts'
import { insertIncidents, tell, toldOf, writeEnds, writeEvents } from './writes.ts'

/** A flip, together with the data about the check at that time that determines which alerts to send. */
export interface FlippedCheck extends Pick<SilencedCheck, 'projectId' | 'lastSuccessAt'> {
  readonly flip: Flip
}

export interface FollowedFlips {
  /** the flips, renumbered if incident events were inserted before them */
  readonly flips: readonly Flip[]
  /** number of other events that were added, keyed by check id; checks without such events are left out */
  readonly added: ReadonlyMap<string, number>
  readonly events: readonly StoredIncidentEvent[]
  readonly opened: readonly KeptIncident[]
  readonly ended: readonly KeptIncident[]
  readonly told: readonly Told[]
}

/** An incident in memory while a transaction's flips are being processed. */
interface Working {
  incident: KeptIncident
  readonly isNew: boolean
}

/** Returns the effects of flips on incidents, without writing anything. @param flipped flips in the order of their numbers */
export async function followFlips(sql: Sql, flipped: readonly FlippedCheck[], now: Instant): Promise<FollowedFlips> {
  const worldOf = await readWorlds(sql, flipped, now)
  const recovered = flipped.filter(({ flip }) => flip.oldStatus === 'down').map(({ flip }) => flip.checkId)
  const known = await findOpenIncidents(sql, [...new Set(recovered)])
  const open = new Map([...known].map(([id, incident]): [string, Working] => [id, { incident, isNew: false }]))
  const written: Working[] = []
  const [flips, events, told]: [Flip[], StoredIncidentEvent[], Told[]] = [[], [], []]
  const added = new Map<string, number>()
  for (const one of flipped) {
    const { checkId } = one.flip
    const shift = added.get(checkId) ?? 0
    const flip = shift === 0 ? one.flip : { ...one.flip, n: one.flip.n + shift }
    const before = open.get(checkId)
    const followed = followFlip(before?.incident ?? null, flip, worldOf(one), now)
    const numbered = numberEvents(flip.n, followed.events, flip.n)
    if (before && followed.ended) {
      before.incident = { ...followed.ended, lastN: flip.n, revision: before.incident.revision + 1 }
      if (!before.isNew) written.push(before)
      open.delete(checkId)
    }
    if (followed.opened) {
      const incident = { ...followed.opened, lastN: numbered.at(-1)?.n ?? flip.n, revision: 0 }
      const opened = { incident, isNew: true }
      written.push(opened)
      open.set(checkId, opened)
    }
    if (numbered.length > 0) added.set(checkId, shift + numbered.length)
    flips.push(flip)
    events.push(...numbered)
    told.push(...followed.tellings.map((telling) => toldOf(checkId, telling)))
  }
  const rowsOf = (isNew: boolean) => written.filter((row) => row.isNew === isNew).map(({ incident }) => incident)
  return { flips, added, events, opened: rowsOf(true), ended: rowsOf(false), told }
}

/** Reads the silences for checks that go down, because only these checks can be silenced. Reads tags only if a silence matches by tag. */
async function readWorlds(sql: Sql, flipped: readonly FlippedCheck[], now: Instant) {
  const downs = flipped.filter(({ flip }) => flip.newStatus === 'down')
  const placed = downs.map(({ flip, projectId }) => ({ id: flip.checkId, projectId }))
  const silencesOf = await lockSilences(sql, placed, now)
  const tagged = placed.filter((check) => silencesOf(check).some(({ match }) => match.tags.length > 0))
  const tags = await tagsOf(sql, [...new Set(tagged.map(({ id }) => id))])
  return ({ flip: { checkId: id }, projectId, lastSuccessAt }: FlippedCheck) => ({
    check: { id, projectId, tags: tags.get(id) ?? '', lastSuccessAt },
    silences: silencesOf({ id, projectId }),
  })
}

/**
 * Writes the effects of flips. Call this function after the flips are written. The caller must have locked the checks.
 * @returns true if it wrote a delivery
 */
export async function writeFollowed(
  sql: Sql,
  { events, opened, ended, told }: FollowedFlips,
  rules: Pick<Rules, 'deliveriesFor'>,
): Promise<boolean> {
  await writeEvents(sql, events)
  await insertIncidents(sql, opened)
  await writeEnds(sql, ended)
  return tell(sql, told, rules)
}
