/**
 * Check lists with an `ETag` (RFC 9110, 8.8.3). The tag is computed before the list is read, so that the list can be streamed. A list is
 * cached in memory until a check is created, edited or deleted. Checks that were pinged, or whose status changed because time passed,
 * are reread. For a long list, only the tag is cached. A client that already has the current list gets 304.
 */

import { LRUCache } from 'lru-cache'
import { type Actor, rightOf } from '../../../domain/actor.ts'
import {
  type ApiVersion,
  type CheckWithChannels,
  representCheck,
  type View,
} from '../../../domain/check/representation.ts'
import { expectedIfReadable, nextStatusChange } from '../../../domain/check/status.ts'
import { atMost } from '../../../lib/caches/at-most.ts'
import { earlier, type Instant, toMicroseconds } from '../../../lib/time.ts'
import { type CheckFilter, type ChecksRevision, findChecks, listChecks } from '../../../services/checks/checks.ts'
import { longReaderOf } from '../../../services/common/long-reads.ts'
import type { HttpDeps } from '../../deps.ts'
import { CONDITIONAL, isKnown, notModified, tagOf } from '../../entity-tag.ts'
import { enclosed } from '../../json-list.ts'
import { longAnswer } from '../../long-answer.ts'
import { ENCLOSING, KeptList, LongList, type Member, type SentList, textOf } from './kept-list.ts'

/** Maximum size of a cached list, in bytes. This is enough for about two thousand checks. */
const KEPT_BYTES = 2_097_152
/**
 * Maximum total size of the cached lists, in bytes. A list is cached both as text and as bytes, so the cache may use twice as much memory.
 */
const KEPT_TOGETHER = 8_388_608
/** Overhead that is counted for each list in addition to its text, in bytes. */
const ENTRY_WEIGHT = 1_024
const LONG_LISTS = 1_000
/** Maximum number of changed checks to read one by one. If there are more, rereading the entire list is faster. */
const REFRESHED_AT_MOST = 500

type ListAnswersDeps = Pick<HttpDeps, 'store' | 'now' | 'random' | 'site' | 'log' | 'stopwatch' | 'longReads'>

interface Question {
  /** identifies the project, the right, the API version and the query */
  readonly key: string
  readonly actor: Actor
  readonly view: View
}

export class ListAnswers {
  readonly #deps: ListAnswersDeps
  readonly #kept = new LRUCache<string, KeptList>({
    maxSize: KEPT_TOGETHER,
    sizeCalculation: ({ body }) => ENTRY_WEIGHT + body.length,
  })
  readonly #long = new LRUCache<string, LongList>(atMost(LONG_LISTS))
  /**
   * Keys of the lists that are currently being collected. Without this set, simultaneous requests for the same list would each collect
   * their own copy.
   */
  readonly #keeping = new Set<string>()
  /** Random part of every tag, so that tags from another process, or from before a restart, never match. */
  readonly #origin: string

  constructor(deps: ListAnswersDeps) {
    this.#deps = deps
    this.#origin = deps.random.uuid()
  }

  /** @throws Refusal `busy` */
  async answer(request: Request, actor: Actor, version: ApiVersion, filter: CheckFilter): Promise<Response> {
    const { store, now, site } = this.#deps
    const { project } = actor
    const right = rightOf(actor)
    const question: Question = {
      // The key is hashed, because a query may be long.
      key: tagOf(JSON.stringify([project.id, right, version, filter.slug, filter.tags])),
      actor,
      view: { version, right, links: site.links, now: now() },
    }
    const sent = this.#kept.get(question.key) ?? this.#long.get(question.key)
    const { revision, checkIds } = await store.changes.read(project.id, sent?.revision ?? null)
    const current = sent && checkIds && (await this.#refresh(sent, checkIds, revision, question))
    if (current && isKnown(request, current.tag)) return notModified(current.tag)
    const tag = current?.tag ?? this.#newTag(question, revision)
    const headers = { ...CONDITIONAL, etag: tag }
    if (current instanceof KeptList) return new Response(current.body, { headers })
    const pieces = this.#write(listChecks(this.#deps, actor, filter), question, { tag, revision })
    return longAnswer(this.#deps, longReaderOf(actor), pieces, headers)
  }

  /** @returns the current list; null if the entire list must be reread */
  async #refresh<Sent extends SentList>(
    sent: Sent,
    changed: readonly string[],
    revision: ChecksRevision,
    question: Question,
  ): Promise<Sent | KeptList | null> {
    const stale = sent.staleAt(question.view.now, changed)
    if (stale.length === 0) return sent
    if (!(sent instanceof KeptList) || stale.length > REFRESHED_AT_MOST) return null
    return this.#deps.longReads.during(longReaderOf(question.actor), () =>
      this.#readAnew(sent, stale, revision, question),
    )
  }

  async #readAnew(
    kept: KeptList,
    stale: readonly string[],
    revision: ChecksRevision,
    question: Question,
  ): Promise<KeptList | null> {
    const { key, actor, view } = question
    const fresh: Member[] = []
    for await (const page of findChecks(this.#deps, actor, stale))
      fresh.push(...page.map((found) => toMember(found, view)))
    // A check was deleted in the meantime.
    if (fresh.length < stale.length) return null
    const list = kept.with(this.#newTag(question, revision), revision, view.now, fresh)
    const { revision: latest } = await this.#deps.store.changes.read(actor.project.id, revision)
    if (latest.edits !== revision.edits) return null
    this.#kept.set(key, list)
    return list
  }

  async *#write(
    pages: AsyncIterable<readonly CheckWithChannels[]>,
    { key, actor, view }: Question,
    { tag, revision }: Pick<KeptList, 'tag' | 'revision'>,
  ): AsyncGenerator<Uint8Array> {
    const keeper = this.#keeping.has(key) ? null : new Keeper()
    if (keeper) this.#keeping.add(key)
    try {
      yield* enclosed(writeMembers(pages, view, keeper), ENCLOSING)
      if (!keeper) return
      // If checks were pinged in the meantime, the next request rereads them. If a check was edited, the list is not cached.
      const { revision: latest } = await this.#deps.store.changes.read(actor.project.id, revision)
      if (latest.edits !== revision.edits) return
      const { members, until } = keeper
      if (members) this.#kept.set(key, new KeptList(tag, revision, view.now, members))
      else this.#long.set(key, new LongList(tag, revision, view.now, until))
    } finally {
      if (keeper) this.#keeping.delete(key)
    }
  }

  /** Creates a tag. The tag depends on the current time, because statuses change over time. */
  #newTag({ key, view }: Question, { edits, touches }: ChecksRevision): string {
    return tagOf([this.#origin, key, edits, touches, toMicroseconds(view.now)].join(' '))
  }
}

function toMember(found: CheckWithChannels, view: View): Member {
  const expected = expectedIfReadable(found.check)
  const until: Instant | null = nextStatusChange(found.check, view.now, expected)
  return { checkId: found.check.id, text: JSON.stringify(representCheck(found, view, expected)), until }
}

/** @param keeper collects the members as they are written */
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

/** Collects a list's members, up to a maximum number of bytes. */
class Keeper {
  /** earliest time at which a status will change if no ping arrives */
  until: Instant | null = null
  #members: Member[] = []
  #bytes = 0

  /** @param text the members as JSON */
  add(members: readonly Member[], text: string): void {
    this.until = members.reduce((until, member) => earlier(until, member.until), this.until)
    this.#bytes += Buffer.byteLength(text) + 1
    if (this.#bytes <= KEPT_BYTES) this.#members.push(...members)
    else this.#members = []
  }

  /** The collected members; null if they exceeded the limit. */
  get members(): readonly Member[] | null {
    return this.#bytes <= KEPT_BYTES ? this.#members : null
  }
}
