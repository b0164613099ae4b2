/**
 * Creates, lists and ends silences. If a ping URL requests a silence, the store writes it together with the ping
 * (`store/pings/pings.ts`). For read-only members, email addresses, ping URLs and keys are removed. The UUIDs of checks are not removed,
 * because they are needed for matching.
 */
import { type Actor, may, requireRight } from '../../domain/actor.ts'
import { byOf } from '../../domain/author.ts'
import type { Check } from '../../domain/check/check.ts'
import { Refusal } from '../../domain/errors.ts'
import { silenceForReader } from '../../domain/incident/reader.ts'
import { endSilence as ended, hasEnded, isChangeable, type Silence } from '../../domain/silence/silence.ts'
import { type PlacedCheck, type SilencesOf, silencesOf } from '../../domain/silence/silences-of.ts'
import type { WantedSilence } from '../../domain/silence/spec.ts'
import type { Instant } from '../../lib/time.ts'
import type { SilencePlace } from '../../store/store.ts'
import { findChecks } from '../checks/checks.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'

type WriteDeps = Pick<Deps, 'store' | 'now' | 'random'>

/** Returns active and planned silences, sorted by when they end. */
export async function listSilences(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  actor: Actor,
): Promise<readonly Silence[]> {
  return shownTo(actor, await store.silences.list(actor.project.id, now()))
}

/**
 * Returns the active and planned silences that apply to these checks. Silences that were requested through other checks' ping URLs are
 * not read.
 */
export async function listSilencesOf(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  actor: Actor,
  checks: readonly PlacedCheck[],
): Promise<SilencesOf> {
  for (const check of checks) requireRight(actor, 'read', check)
  const silences = checks.length === 0 ? [] : await store.silences.listOf(checks, now())
  return silencesOf(shownTo(actor, silences), checks)
}

/** Maximum number of silences to list for a past period. */
const PAST_AT_MOST = 1_000

/**
 * Returns silences that overlap a period, including ended silences that are still stored, up to a limit.
 * @param check if not null, only silences that may match this check are returned
 */
export async function listPastSilences(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  from: Instant,
  until: Instant,
  check: Pick<Check, 'id'> | null = null,
): Promise<readonly Silence[]> {
  const silences = await store.silences.listPast(actor.project.id, from, until, check?.id ?? null, PAST_AT_MOST)
  return shownTo(actor, silences)
}

const ENDED_AT_ONCE = 200

/** Yields ended silences that are still stored, in pages, most recently ended first. */
export async function* listEndedSilences(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  actor: Actor,
): AsyncGenerator<readonly Silence[]> {
  const endedBy = now()
  let before: SilencePlace | null = null
  do {
    const page: readonly Silence[] = await store.silences.listEnded(actor.project.id, endedBy, before, ENDED_AT_ONCE)
    yield shownTo(actor, page)
    before = page.length < ENDED_AT_ONCE ? null : placeOf(page.at(-1))
  } while (before !== null)
}

function placeOf(ended: Silence | undefined): SilencePlace | null {
  return ended?.endsAt ? { id: ended.id, endsAt: ended.endsAt } : null
}

/** Returns a silence, which may have ended. @throws Refusal `not-found`; `forbidden` if the silence belongs to another project */
export async function getSilence({ store }: Pick<Deps, 'store'>, actor: Actor, id: string): Promise<Silence> {
  const silence = await store.silences.find(id)
  if (silence === null) throw new Refusal('not-found', 'not found')
  requireRight(actor, 'read', silence)
  return may(actor, 'write') ? silence : silenceForReader(silence)
}

/** Returns the project's silences with these ids. Skips silences that have been deleted. */
export async function findSilences(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Silence>> {
  const found = await Promise.all([...new Set(ids)].map((id) => store.silences.find(id)))
  const own = found.filter((silence) => silence !== null).filter(({ projectId }) => projectId === actor.project.id)
  return new Map(shownTo(actor, own).map((silence) => [silence.id, silence]))
}

function shownTo(actor: Actor, silences: readonly Silence[]): readonly Silence[] {
  return may(actor, 'write') ? silences : silences.map(silenceForReader)
}

/** @throws Refusal `invalid` if a check is not in the project; `silences-full` */
export async function createSilence(deps: WriteDeps, actor: Actor, wanted: WantedSilence): Promise<Silence> {
  requireRight(actor, 'write')
  await requireChecks(deps, actor, wanted.match.checks)
  const author = authorOf(deps, actor.by)
  const made = { id: deps.random.uuid(), projectId: actor.project.id, createdAt: author.at, createdBy: byOf(author) }
  const silence: Silence = { ...wanted, ...made }
  await deps.store.by(author).silences.create(silence, author.at)
  return silence
}

async function requireChecks(deps: Pick<Deps, 'store'>, actor: Actor, ids: readonly string[]): Promise<void> {
  const unknown = new Set(ids)
  for await (const page of findChecks(deps, actor, ids)) {
    for (const { check } of page) unknown.delete(check.id)
  }
  const [first] = unknown
  if (first === undefined) return
  throw new Refusal('invalid', `match names the check ${first}, which the project does not have`)
}

/**
 * Ends a silence now. Checks that are still down send their alerts within a second. Does nothing if the silence has already ended.
 * @throws Refusal `not-found`; `forbidden` if the silence belongs to another project
 */
export async function endSilence(deps: WriteDeps, actor: Actor, id: string): Promise<Silence> {
  requireRight(actor, 'write')
  const silence = await getSilence(deps, actor, id)
  const author = authorOf(deps, actor.by)
  if (hasEnded(silence, author.at)) return silence
  const end = (stored: Silence) => ended(stored, author.at)
  return (await deps.store.by(author).silences.change(silence, end, author.at)) ?? silence
}

/**
 * Changes an active or planned silence. If the silence no longer holds back the alerts of an open incident, they are sent within a second.
 * @param edit returns the changed silence; may throw a Refusal
 * @throws Refusal `not-found`; `forbidden` if the silence belongs to another project; `invalid` if it has ended, lasts until healthy or was
 * requested by a ping URL; `silences-full` if the project would have too many silences with a window
 */
export async function changeSilence(
  deps: WriteDeps,
  actor: Actor,
  id: string,
  edit: (silence: Silence, now: Instant) => Silence,
): Promise<Silence> {
  requireRight(actor, 'write')
  const silence = await getSilence(deps, actor, id)
  if (!isChangeable(silence)) {
    throw new Refusal(
      'invalid',
      'a silence until healthy, or of a ping URL, cannot be changed: end it, and make a new one',
    )
  }
  const author = authorOf(deps, actor.by)
  const changed = await deps.store.by(author).silences.change(silence, (stored) => edit(stored, author.at), author.at)
  if (changed !== null) return changed
  throw new Refusal('invalid', 'the silence has ended: make a new one')
}
