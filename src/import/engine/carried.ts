/**
 * Transfers a source from the process that reads it to the server. Messages are small, so that handling one does not delay the server's
 * other work. The server sends one request at a time, and the reader answers it.
 */
import type { Flip } from '../../domain/check/flip.ts'
import { Refusal } from '../../domain/errors.ts'
import { requireWithinLimits, shownNotes } from '../../domain/import/import-limits.ts'
import type {
  ImportedAccount,
  ImportedAlert,
  ImportedCheck,
  ImportedProject,
  ImportKind,
  ImportSource,
} from '../../domain/import/import-source.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import { packed, packedPages, unpacked } from '../../lib/formats/packed.ts'

/** Maximum number of items per message. The server parses that many items in about two milliseconds. */
const ITEMS = 200
const BYTES = 512 * 1024
/** Maximum total size of accounts, projects and notes in bytes. The server keeps them in memory. */
const HEADS_BYTES = 64 * 1024 * 1024
/** Maximum size of one item in bytes, such as a check with its description. */
const ITEM_BYTES = 1024 * 1024

type Log = 'pings' | 'flips' | 'alerts'

export type Question =
  | { readonly ask: 'name' | 'heads' | 'count' }
  /**
   * Requests the next entries. @param id id of the check, or id of the project if alerts are requested @param after number of the last
   * entry that was received
   */
  | { readonly ask: 'next'; readonly stream: number; readonly of: Log; readonly id: string; readonly after: number }
  | { readonly ask: 'end'; readonly stream: number }

type Ask = (question: Question) => Promise<unknown>

const LISTS = ['members', 'keys', 'checks', 'channels', 'silences', 'badges'] as const
type List = (typeof LISTS)[number]

/** Items of a list that belongs to the source, or to the project that precedes them in the stream. */
interface Heads {
  readonly list: 'accounts' | 'projects' | 'notes' | List
  readonly items: readonly unknown[]
}

/** @throws Refusal `too-large` */
function* headsOf({ accounts, projects, notes }: ImportSource): Generator<Heads> {
  yield* pagesOf('accounts', accounts)
  for (const project of projects) {
    yield* pagesOf('projects', [Object.assign({}, project, Object.fromEntries(LISTS.map((list) => [list, []])))])
    for (const list of LISTS) yield* pagesOf(list, project[list])
  }
  yield* pagesOf('notes', shownNotes(notes))
}

function* pagesOf(list: Heads['list'], items: readonly unknown[]): Generator<Heads> {
  for (const page of packedPages(items, ITEMS, BYTES)) yield { list, items: page }
}

/** @throws Refusal `too-large` */
function requireLight({ accounts, projects, notes }: ImportSource): void {
  let bytes = 0
  const weigh = (items: readonly unknown[]) => {
    for (const item of items) {
      const { weight } = packed(item)
      bytes += weight
      if (weight > ITEM_BYTES) throw tooLong('one of its checks or integrations has', ITEM_BYTES)
      if (bytes > HEADS_BYTES) throw tooLong('the texts of its projects have', HEADS_BYTES)
    }
  }
  weigh(accounts)
  for (const project of projects) for (const list of LISTS) weigh(project[list])
  weigh(shownNotes(notes))
}

function tooLong(what: string, limit: number): Refusal {
  return new Refusal('too-large', `${what} more than ${limit} bytes: use the import command`, { limit })
}

/** Answers requests about a source that this process reads. */
export class SourceTeller {
  readonly #source: ImportSource
  readonly #heads: Generator<Heads>
  readonly #streams = new Map<number, AsyncGenerator<unknown>>()
  /** checks by id */
  #checks: ReadonlyMap<string, ImportedCheck> | null = null

  /** @throws Refusal `too-large` */
  constructor(source: ImportSource) {
    requireWithinLimits(source)
    requireLight(source)
    this.#source = source
    this.#heads = headsOf(source)
  }

  async answer(question: Question): Promise<unknown> {
    switch (question.ask) {
      case 'name':
        return { kind: this.#source.kind, name: this.#source.name }
      case 'heads':
        return this.#heads.next().value ?? null
      case 'count':
        return this.#source.countPings()
      case 'next': {
        const stream = this.#streams.get(question.stream) ?? this.#begin(question)
        return (await stream.next()).value ?? null
      }
      case 'end':
        await this.#streams.get(question.stream)?.return(null)
        this.#streams.delete(question.stream)
        return null
    }
  }

  #begin({ stream, of, id, after }: Extract<Question, { ask: 'next' }>): AsyncGenerator<unknown> {
    const begun = inMessages(this.#entries(of, id, after))
    this.#streams.set(stream, begun)
    return begun
  }

  /** @throws Error if the check or project is not in this source */
  #entries(of: Log, id: string, after: number): AsyncIterable<readonly unknown[]> {
    const { projects } = this.#source
    if (of === 'alerts') return this.#source.alerts(found(projects.find((project) => project.id === id)))
    this.#checks ??= new Map(projects.flatMap(({ checks }) => checks.map((check) => [check.id, check] as const)))
    return this.#source[of](found(this.#checks.get(id)), after)
  }
}

function found<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('this is not of this source')
  return thing
}

async function* inMessages(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<unknown> {
  for await (const page of pages) yield* packedPages(page, ITEMS, BYTES)
}

/** Opens a source that another process reads. @param close stops that process @throws Refusal if that process answers with a refusal */
export async function carriedSource(ask: Ask, close: () => Promise<void>): Promise<ImportSource> {
  const { kind, name } = (await ask({ ask: 'name' })) as { readonly kind: ImportKind; readonly name: string }
  const heads = await readHeads(ask)
  let streams = 0
  async function* entries<Entry>(of: Log, id: string, after: number): AsyncGenerator<readonly Entry[]> {
    streams += 1
    const stream = streams
    try {
      for (;;) {
        const page = await ask({ ask: 'next', stream, of, id, after })
        if (page === null) return
        yield unpacked(page) as Entry[]
      }
    } finally {
      await ask({ ask: 'end', stream })
    }
  }
  return {
    kind,
    name,
    ...heads,
    pings: ({ id }, after) => entries<Ping>('pings', id, after),
    flips: ({ id }, after) => entries<Flip>('flips', id, after),
    alerts: ({ id }) => entries<ImportedAlert>('alerts', id, 0),
    countPings: async () => Number(await ask({ ask: 'count' })),
    close,
  }
}

type MutableProject = Omit<ImportedProject, List> & { [list in List]: unknown[] }

async function readHeads(ask: Ask): Promise<Pick<ImportSource, 'accounts' | 'projects' | 'notes'>> {
  const whole = { accounts: [] as unknown[], projects: [] as unknown[], notes: [] as unknown[] }
  for (;;) {
    const heads = (await ask({ ask: 'heads' })) as Heads | null
    if (heads === null) return whole as { accounts: ImportedAccount[]; projects: ImportedProject[]; notes: never[] }
    const list =
      heads.list === 'accounts' || heads.list === 'projects' || heads.list === 'notes'
        ? whole[heads.list]
        : (whole.projects.at(-1) as MutableProject)[heads.list]
    list.push(...(unpacked(heads.items) as unknown[]))
  }
}
