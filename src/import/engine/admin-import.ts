/**
 * Runs imports for the administrator pages. The source is read first, and applied afterwards. A server runs one import at a time, and keeps
 * its state only in memory.
 */
import { type Person, requireAdministrator } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import type { ImportPlan } from '../../domain/import/import-plan.ts'
import type { ImportSource } from '../../domain/import/import-source.ts'
import { redact } from '../../domain/redaction.ts'
import { messageOf } from '../../lib/errors.ts'
import type { RowWork } from '../../lib/work/long-work.ts'
import type { ServerDeps } from '../../services/common/deps.ts'
import type { ImportPlace, Upload } from '../../services/common/ports/import-places.ts'
import { type Applied, applyImport } from './apply.ts'
import type { ImportDeps } from './importing.ts'
import { planImport } from './plan.ts'
import { type ImportReport, reportImport } from './report.ts'

export type AdminImportState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'reading' }
  /** the source has been read, but nothing has been written yet */
  | { readonly kind: 'read'; readonly report: ImportReport }
  /** `done` pings of about `rows` are staged */
  | { readonly kind: 'applying'; readonly rows: number; readonly done: number }
  | { readonly kind: 'applied'; readonly report: ImportReport }
  | { readonly kind: 'failed'; readonly words: string; readonly problems: readonly string[] }

type AdminImportDeps = ImportDeps & Pick<ServerDeps, 'importPlaces'>

const FORGOTTEN_AFTER_MS = 3_600_000
const SENT = 'the file that was sent'
/** Matches the beginning of the URL of a PostgreSQL database or a running server. Refusals show the URL without its password. */
const URL_BEGIN = /^[a-z]+:\/\//i
const EMPTY: AdminImportState = { kind: 'empty' }

export class AdminImport {
  readonly #deps: AdminImportDeps
  #state: AdminImportState = EMPTY
  #source: ImportSource | null = null
  #upload: Upload | null = null
  /** the location as typed, or the path of the uploaded file */
  #at = ''
  #work: Promise<void> = Promise.resolve()
  #stop = new AbortController()

  constructor(deps: AdminImportDeps) {
    this.#deps = deps
  }

  /** @throws Refusal `forbidden` */
  look(by: Person): AdminImportState {
    requireAdministrator(by)
    return this.#state
  }

  /**
   * Starts to read the source in the background. The report then says what an import would do.
   * @param upload file that is removed once it has been read; if this throws, the caller must remove the file
   * @throws Refusal `forbidden`, `import-busy`
   */
  read(by: Person, place: ImportPlace, upload: Upload | null): void {
    requireAdministrator(by)
    this.#requireIdle()
    this.#state = { kind: 'reading' }
    this.#stop = new AbortController()
    const { signal } = this.#stop
    const earlier = this.#work
    this.#begin(signal, async () => {
      // A discarded read may continue for a while, and two concurrent reads would need twice the memory.
      await earlier
      await this.#clear().finally(() => {
        this.#upload = upload
        this.#at = place.at
      })
      requireWanted(signal)
      const source = await this.#deps.importPlaces.open(place, signal)
      try {
        requireWanted(signal)
        const plan = await planImport(this.#deps, by, source)
        const report = await this.#report(source, plan, null)
        requireWanted(signal)
        this.#state = { kind: 'read', report }
        this.#source = source
        this.#forgetLater(source)
      } catch (error) {
        await source.close()
        throw error
      }
    })
  }

  /**
   * Starts to apply the import in the background, once its source has been read. @throws Refusal `forbidden`, `import-busy`,
   * `import-not-read`
   */
  apply(by: Person): void {
    requireAdministrator(by)
    this.#requireIdle()
    const source = this.#source
    if (source === null) throw new Refusal('import-not-read', 'the source has nothing that can be imported')
    this.#state = { kind: 'applying', rows: 0, done: 0 }
    const onWork = (work: { readonly doing: string }) => {
      const { rows, done } = work as RowWork
      this.#state = { kind: 'applying', rows, done }
    }
    const { signal } = this.#stop
    this.#begin(signal, async () => {
      // Data may have changed since the report.
      const plan = await planImport(this.#deps, by, source)
      const applied = await applyImport(this.#deps, by, source, plan, { signal, onWork })
      const report = await this.#report(source, plan, applied)
      await this.#clear()
      requireWanted(signal)
      this.#state = { kind: 'applied', report }
    })
  }

  /**
   * Discards the import. An import that is being applied stops after the current transaction. An import whose source is still being read
   * stops immediately.
   * @throws Refusal `forbidden`
   */
  async discard(by: Person): Promise<void> {
    requireAdministrator(by)
    this.#stop.abort()
    if (this.#state.kind === 'applying') await this.#work
    // A read removes its own files.
    const cleared = this.#state.kind === 'reading' ? null : this.#clear()
    this.#state = EMPTY
    await cleared
  }

  /** Stops work in progress, and removes the uploaded file. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#work
    await this.#clear()
  }

  async #report(source: ImportSource, ...done: [ImportPlan, Applied | null]): Promise<ImportReport> {
    const report = await reportImport(source, ...done)
    return { ...report, from: this.#named(report.from, source.name) }
  }

  /**
   * Replaces the file's path in a message, because the path reveals details of this machine. The message then shows the typed path, or a
   * description of the uploaded file.
   */
  #named(words: string, path: string | undefined): string {
    if (path === undefined || URL_BEGIN.test(this.#at)) return words
    const isSent = this.#upload !== null
    return isSent
      ? words.replace(`the file ${path}`, () => path).replaceAll(path, SENT)
      : words.replaceAll(path, () => this.#at)
  }

  /** @param signal once it is aborted, the result of the work is ignored */
  #begin(signal: AbortSignal, work: () => Promise<void>): void {
    this.#work = work().catch(async (error) => {
      const isExpected = error instanceof Refusal
      const named = isExpected ? this.#named(error.message, error.data.path) : ''
      await this.#clear()
      if (signal.aborted) return
      if (!isExpected) this.#deps.log('error', 'an import failed', { reason: messageOf(error) })
      const words = isExpected ? named : 'an error stopped the import, see the server log'
      this.#state = { kind: 'failed', words: redact(words), problems: isExpected ? (error.data.problems ?? []) : [] }
    })
  }

  /** @throws Refusal `import-busy` */
  #requireIdle(): void {
    if (this.#state.kind !== 'reading' && this.#state.kind !== 'applying') return
    throw new Refusal('import-busy', 'another import is under way')
  }

  /** Discards the upload after a while if the administrator does not return to the page, because it contains secrets. */
  #forgetLater(source: ImportSource): void {
    const forget = async () => {
      if (this.#source !== source || this.#state.kind !== 'read') return
      this.#state = EMPTY
      await this.#clear()
    }
    setTimeout(() => void forget(), FORGOTTEN_AFTER_MS).unref()
  }

  async #clear(): Promise<void> {
    const [source, upload] = [this.#source, this.#upload]
    this.#source = null
    this.#upload = null
    await source?.close()
    await upload?.remove()
  }
}

/** @throws Refusal `import-stopped` if the signal is aborted */
function requireWanted(signal: AbortSignal): void {
  if (signal.aborted) throw new Refusal('import-stopped', 'the import was discarded')
}
