/**
 * Lists of checks with an `ETag` (RFC 9110, 8.8.3) that is known before the list is made, so that it can be sent while it
 * is read. It names the list that was made of one revision of the project; until the revision changes, or time changes the
 * status of a check in it, whoever has that list gets 304, and others get what was sent once more where that is not long.
 */
import { BoundedCache } from '../../domain/bounded-cache.ts'
import type { Access } from '../../domain/project.ts'
import { type ApiVersion, type CheckWithChannels, representCheck, type View } from '../../domain/representation.ts'
import { expectedIfReadable, nextStatusChange } from '../../domain/status.ts'
import { earlier, type Instant, isBefore, toMicroseconds } from '../../domain/time.ts'
import { type CheckFilter, listChecks } from '../../services/checks.ts'
import type { Deps } from '../../services/deps.ts'
import { jsonList } from '../json-list.ts'
import { type LongAnswerDeps, longAnswer } from '../long-answer.ts'
import { CONDITIONAL, isKnown, notModified, tagOf } from './entity-tag.ts'

/** A list that was sent to the end. */
interface SentList {
  readonly tag: string
  readonly revision: string
  /** when time changes a status; null when it changes none */
  readonly until: Instant | null
  /** null when it is too long to be kept */
  readonly body: Uint8Array | null
}

/** Of one list: some two thousand checks. */
const KEPT_BYTES = 2_097_152
const KEPT_TOGETHER = 8_388_608
/** What an entry counts beside its text. */
const ENTRY_WEIGHT = 1_024

const ENCLOSING = { open: '{"checks":[', close: ']}' }

export type ListAnswersDeps = Pick<Deps, 'store' | 'now' | 'random' | 'site'> & LongAnswerDeps

export class ListAnswers {
  readonly #deps: ListAnswersDeps
  readonly #sent = new BoundedCache<SentList>(KEPT_TOGETHER, ({ body }) => ENTRY_WEIGHT + (body?.length ?? 0))
  /** Lists that are being sent and kept. */
  readonly #keeping = new Set<string>()
  /** Tags of another process, or of this one before it was started anew, name nothing here. */
  readonly #origin: string

  constructor(deps: ListAnswersDeps) {
    this.#deps = deps
    this.#origin = deps.random.uuid()
  }

  /** @throws Refusal `busy` */
  async answer(request: Request, access: Access, version: ApiVersion, filter: CheckFilter): Promise<Response> {
    const { store, now } = this.#deps
    const at = now()
    // Hashed, since a query may be long.
    const key = tagOf(JSON.stringify([access.project.id, access.kind, version, filter.slug, filter.tags]))
    const revision = await store.readRevision(access.project.id)
    const sent = this.#sent.peek(key)
    const current = sent?.revision === revision && (sent.until === null || isBefore(at, sent.until)) ? sent : null
    if (current && isKnown(request, current.tag)) return notModified(current.tag)
    const tag = current?.tag ?? this.#newTag(key, revision, at)
    const headers = { ...CONDITIONAL, etag: tag }
    if (current?.body) return new Response(current.body, { headers })
    const view: View = { version, access: access.kind, links: this.#deps.site.links, now: at }
    return longAnswer(this.#deps, this.#write(key, { tag, revision }, view, access, filter), headers)
  }

  async *#write(
    key: string,
    { tag, revision }: Pick<SentList, 'tag' | 'revision'>,
    view: View,
    { project }: Access,
    filter: CheckFilter,
  ): AsyncGenerator<Uint8Array> {
    let until: Instant | null = null
    const present = (found: CheckWithChannels) => {
      const expected = expectedIfReadable(found.check)
      until = earlier(until, nextStatusChange(found.check, view.now, expected))
      return representCheck(found, view, expected)
    }
    const kept = this.#claimKeeping(key)
    try {
      for await (const piece of jsonList(listChecks(this.#deps, project, filter), present, ENCLOSING)) {
        kept?.add(piece)
        yield piece
      }
      // Each page is of its own moment: only when nothing was written meanwhile they are one revision together.
      const isWhole = (await this.#deps.store.readRevision(project.id)) === revision
      if (isWhole && kept) this.#sent.set(key, { tag, revision, until, body: kept.whole() })
    } finally {
      if (kept) this.#keeping.delete(key)
    }
  }

  /** Null when the same list is being kept already: many who ask at once would keep as many copies. */
  #claimKeeping(key: string): KeptBytes | null {
    if (this.#keeping.has(key)) return null
    this.#keeping.add(key)
    return new KeptBytes()
  }

  /** The instant stands for the statuses: the list of a later one is another list. */
  #newTag(key: string, revision: string, at: Instant): string {
    return tagOf([this.#origin, key, revision, toMicroseconds(at)].join(' '))
  }
}

/** What was sent, as long as it is not too much. */
class KeptBytes {
  #pieces: Uint8Array[] = []
  #size = 0

  add(piece: Uint8Array): void {
    this.#size += piece.length
    if (this.#size <= KEPT_BYTES) this.#pieces.push(piece)
    else this.#pieces = []
  }

  /** Null when it was too much. */
  whole(): Uint8Array | null {
    return this.#size <= KEPT_BYTES ? Buffer.concat(this.#pieces) : null
  }
}
