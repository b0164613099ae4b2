/**
 * Limits how many long reads run concurrently. They take turns, so each additional read slows down all the others. Requests over the limit
 * are rejected immediately. Reads are counted per account, because an account can create any number of projects and keys.
 */
import type { Actor } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { Counts } from '../../lib/work/counts.ts'
import type { Deps } from './deps.ts'

const LIMIT = 100
/**
 * Ratio of the places that one account may use to the places that it must leave free for others. With 100 places, one account can use 75.
 * Two such accounts leave six places free, and three leave one.
 */
const SHARE = 3

/** A signed-in person, or a client that has a project's key or URL. */
export type LongReader = { readonly accountId: string } | { readonly projectId: string } | { readonly badgeKey: string }

export function longReaderOf({ by, project }: Actor): LongReader {
  return by.kind === 'person' ? by : { projectId: project.id }
}

interface Projects {
  readonly projects: Pick<Deps['store']['projects'], 'findHolder'>
}

export class LongReads {
  readonly #store: Projects
  readonly #limit: number
  readonly #underWay = new Counts()

  constructor(store: Projects, limit = LIMIT) {
    this.#store = store
    this.#limit = limit
  }

  /**
   * Begins a read. The read counts towards the limit of the person, or of the account that owns the project.
   * @returns a function that ends the read; call it once
   * @throws Refusal `busy` if too many reads are in progress
   */
  async begin(reader: LongReader): Promise<() => void> {
    const holder = await this.#holderOf(reader)
    if (this.#underWay.of(holder) >= SHARE * (this.#limit - this.#underWay.total)) {
      throw new Refusal('busy', 'too many long answers are under way, please try again in a second')
    }
    return this.#underWay.begin(holder)
  }

  /** @throws Refusal `busy`; errors from `work` */
  async during<Result>(reader: LongReader, work: () => Promise<Result>): Promise<Result> {
    const end = await this.begin(reader)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Returns the account whose limit a read counts towards, or the project itself if it has no owner. */
  async #holderOf(reader: LongReader): Promise<string> {
    if ('accountId' in reader) return reader.accountId
    const unowned = 'projectId' in reader ? reader.projectId : reader.badgeKey
    return (await this.#store.projects.findHolder(reader)) ?? unowned
  }
}
