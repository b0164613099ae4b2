/**
 * Limits how many long reads run at once. They take turns, so each further one slows all others; a client beyond the limit is refused at
 * once. They are counted for accounts, because an account can create any number of projects and keys.
 */
import type { Actor } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { Counts } from '../../lib/work/counts.ts'
import type { Deps } from './deps.ts'

const LIMIT = 100
/** Ratio of the places of an account to those that it leaves to others: 75 of 100. Two accounts leave six, three leave one. */
const SHARE = 3

/** The reader: a person, or the holder of a key or an address of a project. */
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
   * Begins a read, which counts for the person, or for the account that has the project.
   * @returns a function that ends it; call it once
   * @throws Refusal `busy` if too many are in progress
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

  /** Returns the account of a reader. A project without an owner counts for itself. */
  async #holderOf(reader: LongReader): Promise<string> {
    if ('accountId' in reader) return reader.accountId
    const unowned = 'projectId' in reader ? reader.projectId : reader.badgeKey
    return (await this.#store.projects.findHolder(reader)) ?? unowned
  }
}
