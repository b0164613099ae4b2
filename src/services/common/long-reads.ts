/**
 * Limits how many long reads run at once. They take turns, so each further one slows all others; a client beyond the limit
 * learns that at once. They are counted for accounts, because whoever has one makes as many projects and keys as they like.
 */
import type { Actor } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { Counts } from '../../lib/work/counts.ts'
import type { Deps } from './deps.ts'

const LIMIT = 100
/** An account may have three times as many as it leaves to others: 75 of 100. Two accounts leave six, three leave one. */
const SHARE = 3

/** For whom something is read: a person, or whoever has a key or an address of a project. */
export type LongReader = { readonly accountId: string } | { readonly projectId: string } | { readonly badgeKey: string }

export function longReaderOf({ by, project }: Actor): LongReader {
  return by.kind === 'person' ? by : { projectId: project.id }
}

export class LongReads {
  readonly #store: Pick<Deps['store'], 'findHolder'>
  readonly #limit: number
  readonly #underWay = new Counts()

  constructor(store: Pick<Deps['store'], 'findHolder'>, limit = LIMIT) {
    this.#store = store
    this.#limit = limit
  }

  /**
   * Counts for the person, or for the account that has the project.
   * @returns a function that ends it; call it once
   * @throws Refusal `busy` when too many are under way
   */
  async begin(reader: LongReader): Promise<() => void> {
    const holder = await this.#holderOf(reader)
    if (this.#underWay.of(holder) >= SHARE * (this.#limit - this.#underWay.total)) {
      throw new Refusal('busy', 'too many long answers are under way, please try again in a second')
    }
    return this.#underWay.begin(holder)
  }

  /** @throws Refusal `busy`; errors of `work` */
  async during<Result>(reader: LongReader, work: () => Promise<Result>): Promise<Result> {
    const end = await this.begin(reader)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** A project without an owner counts for itself. */
  async #holderOf(reader: LongReader): Promise<string> {
    if ('accountId' in reader) return reader.accountId
    const unowned = 'projectId' in reader ? reader.projectId : reader.badgeKey
    return (await this.#store.projects.findHolder(reader)) ?? unowned
  }
}
