/**
 * Lists of checks with an `ETag` (RFC 9110, 8.8.3) that is known before the list is made, so that it can be sent while it
 * is read. A list that is not long is kept: until a check is made, edited or deleted, only what was pinged since, and what
 * time has changed, is read anew; of a longer one only the tag is kept. Where nothing has changed, whoever has the list gets
 * 304.
 */
import { BoundedCache } from '../../domain/bounded-cache.ts'
import type { Access } from '../../domain/project.ts'
import { type ApiVersion, type CheckWithChannels, representCheck, type View } from '../../domain/representation.ts'
import { expectedIfReadable, nextStatusChange } from '../../domain/status.ts'
import { earlier, type Instant, toMicroseconds } from '../../domain/time.ts'
import { type CheckFilter, type ChecksRevision, findChecks, listChecks } from '../../services/checks.ts'
import type { Deps } from '../../services/deps.ts'
import { enclosed } from '../json-list.ts'
import { type LongAnswerDeps, longAnswer } from '../long-answer.ts'
import { CONDITIONAL, isKnown, notModified, tagOf } from './entity-tag.ts'
import { ENCLOSING, KeptList, LongList, type Member, type SentList, textOf } from './kept-list.ts'

/** Bytes of one list: some two thousand checks. */
const KEPT_BYTES = 2_097_152
/** Of all; as text and as bytes, so twice as much at most. */
const KEPT_TOGETHER = 8_388_608
/** What an entry counts beside its text. */
const ENTRY_WEIGHT = 1_024
const LONG_LISTS = 1_000
/** When more has changed it is quicker to read the list from its beginning. */
const REFRESHED_AT_MOST = 500

export type ListAnswersDeps = Pick<Deps, 'store' | 'now' | 'random' | 'site'> & LongAnswerDeps

/** What a list is of. */
interface Question {
  /** names project, kind of key, version and query */
  readonly key: string
  readonly projectId: string
  readonly view: View
}

export class ListAnswers {
  readonly #deps: ListAnswersDeps
  readonly #kept = new BoundedCache<KeptList>(KEPT_TOGETHER, ({ body }) => ENTRY_WEIGHT + body.length)
  readonly #long = new BoundedCache<LongList>(LONG_LISTS)
  /** Lists that are being sent and kept: many who ask at once would keep as many copies. */
  readonly #keeping = new Set<string>()
  /** Tags of another process, or of this one before it was started anew, name nothing here. */
  readonly #origin: string

  constructor(deps: ListAnswersDeps) {
    this.#deps = deps
    this.#origin = deps.random.uuid()
  }

  /** @throws Refusal `busy` */
  async answer(request: Request, access: Access, version: ApiVersion, filter: CheckFilter): Promise<Response> {
    const { store, now, site } = this.#deps
    const { project, kind } = access
    const question: Question = {
      // Hashed, since a query may be long.
      key: tagOf(JSON.stringify([project.id, kind, version, filter.slug, filter.tags])),
      projectId: project.id,
      view: { version, access: kind, links: site.links, now: now() },
    }
    const sent = this.#kept.find(question.key) ?? this.#long.find(question.key)
    const { revision, checkIds } = await store.readChanges(project.id, sent?.revision ?? null)
    const current = sent && checkIds && (await this.#refresh(sent, checkIds, revision, question))
    if (current && isKnown(request, current.tag)) return notModified(current.tag)
    const tag = current?.tag ?? this.#newTag(question, revision)
    const headers = { ...CONDITIONAL, etag: tag }
    if (current instanceof KeptList) return new Response(current.body, { headers })
    const pieces = this.#write(listChecks(this.#deps, project, filter), question, { tag, revision })
    return longAnswer(this.#deps, project.id, pieces, headers)
  }

  /** @returns the list as it is now; null when it has to be read from its beginning, as another one */
  async #refresh<Sent extends SentList>(
    sent: Sent,
    changed: readonly string[],
    revision: ChecksRevision,
    question: Question,
  ): Promise<Sent | KeptList | null> {
    const stale = sent.staleAt(question.view.now, changed)
    if (stale.length === 0) return sent
    if (!(sent instanceof KeptList) || stale.length > REFRESHED_AT_MOST) return null
    return this.#deps.longReads.during(question.projectId, () => this.#readAnew(sent, stale, revision, question))
  }

  async #readAnew(
    kept: KeptList,
    stale: readonly string[],
    revision: ChecksRevision,
    question: Question,
  ): Promise<KeptList | null> {
    const { key, projectId, view } = question
    const fresh: Member[] = []
    for await (const page of findChecks(this.#deps, stale)) fresh.push(...page.map((found) => toMember(found, view)))
    // One that was deleted meanwhile leaves a hole.
    if (fresh.length < stale.length) return null
    const list = kept.with(this.#newTag(question, revision), revision, view.now, fresh)
    const { revision: latest } = await this.#deps.store.readChanges(projectId, revision)
    if (latest.edits !== revision.edits) return null
    this.#kept.set(key, list)
    return list
  }

  async *#write(
    pages: AsyncIterable<readonly CheckWithChannels[]>,
    { key, projectId, view }: Question,
    { tag, revision }: Pick<KeptList, 'tag' | 'revision'>,
  ): AsyncGenerator<Uint8Array> {
    const keeper = this.#keeping.has(key) ? null : new Keeper()
    if (keeper) this.#keeping.add(key)
    try {
      yield* enclosed(writeMembers(pages, view, keeper), ENCLOSING)
      if (!keeper) return
      // What was pinged meanwhile is read anew when the list is asked for again; with an edit it is another list.
      const { revision: latest } = await this.#deps.store.readChanges(projectId, revision)
      if (latest.edits !== revision.edits) return
      const { members, until } = keeper
      if (members) this.#kept.set(key, new KeptList(tag, revision, view.now, members))
      else this.#long.set(key, new LongList(tag, revision, view.now, until))
    } finally {
      if (keeper) this.#keeping.delete(key)
    }
  }

  /** The instant stands for the statuses: the list of a later one is another list. */
  #newTag({ key, view }: Question, { edits, touches }: ChecksRevision): string {
    return tagOf([this.#origin, key, edits, touches, toMicroseconds(view.now)].join(' '))
  }
}

function toMember(found: CheckWithChannels, view: View): Member {
  const expected = expectedIfReadable(found.check)
  const until: Instant | null = nextStatusChange(found.check, view.now, expected)
  return { checkId: found.check.id, text: JSON.stringify(representCheck(found, view, expected)), until }
}

/** @param keeper told of the members as they are written */
async function* writeMembers(
  pages: AsyncIterable<readonly CheckWithChannels[]>,
  view: View,
  keeper: Keeper | null,
): AsyncGenerator<string> {
  for await (const page of pages) {
    const members = page.map((found) => toMember(found, view))
    const text = textOf(members)
    keeper?.add(members, text)
    yield text
  }
}

/** Gathers the members of a list, as long as they are not too much. */
class Keeper {
  /** when time changes the first status */
  until: Instant | null = null
  #members: Member[] = []
  #bytes = 0

  /** @param text of the members, one after the other */
  add(members: readonly Member[], text: string): void {
    this.until = members.reduce((until, member) => earlier(until, member.until), this.until)
    this.#bytes += Buffer.byteLength(text) + 1
    if (this.#bytes <= KEPT_BYTES) this.#members.push(...members)
    else this.#members = []
  }

  /** Null when they were too much. */
  get members(): readonly Member[] | null {
    return this.#bytes <= KEPT_BYTES ? this.#members : null
  }
}
