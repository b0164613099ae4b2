/**
 * Reads imports that users start on pages, in a separate process. The server kills the process if it is no longer needed or uses too much
 * memory.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { Refusal } from '../domain/errors.ts'
import type { ImportSource } from '../domain/import/import-source.ts'
import { carriedSource, type Question } from '../import/engine/carried.ts'
import { receiveUpload } from '../import/engine/uploads.ts'
import type { Clock } from '../lib/time.ts'
import { lowerPriority } from '../lib/work/lower-priority.ts'
import type { ImportPlaces } from '../services/common/ports/import-places.ts'
import type { ReaderAnswer, ReadOrder } from './import-reader.ts'
import { refuseOwnPlace } from './import-sources.ts'
import { IMPORT_READER, ownProgram } from './own-process.ts'

interface ImportPlacesOptions extends Omit<ReadOrder, 'ask' | 'place' | 'now'> {
  readonly now: Clock
  /** directory for uploaded files */
  readonly folder: string
}

export function createImportPlaces({ folder, now, ...options }: ImportPlacesOptions): ImportPlaces {
  return {
    receive: (chunks) => receiveUpload(folder, chunks),
    async open(place, signal) {
      await refuseOwnPlace(place)
      return openInProcess({ ...options, ask: 'open', place, now: now().epochNanoseconds }, signal)
    },
  }
}

const STOPPED = new Refusal('import-stopped', 'the import was stopped while it read the source')

/** @param signal kills the process as soon as it is aborted */
async function openInProcess(order: ReadOrder, signal: AbortSignal): Promise<ImportSource> {
  const reader = new ReaderProcess()
  const stop = () => void reader.end(STOPPED)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const close = async () => {
    signal.removeEventListener('abort', stop)
    await reader.end(new Error('the source of the import is closed'))
  }
  try {
    await reader.ask(order)
    return await carriedSource((question) => reader.ask(question), close)
  } catch (error) {
    await close()
    throw error
  }
}

const MEMORY_LIMIT_BYTES = 320 * 1024 * 1024
const LOOKS_EVERY_MS = 50
const KILLED_WITHIN_MS = 500

/** A reader process. It answers requests in order. */
class ReaderProcess {
  readonly #waiting: PromiseWithResolvers<unknown>[] = []
  readonly #child = Bun.spawn([...ownProgram(), IMPORT_READER], {
    ipc: (answer: ReaderAnswer) => this.#take(answer),
    serialization: 'advanced',
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  })
  readonly #watch = setInterval(() => void this.#look(), LOOKS_EVERY_MS)
  #ended: unknown = null

  constructor() {
    lowerPriority(this.#child.pid)
    // If memory runs out, Linux kills this process before the server; see proc_pid_oom_score_adj(5).
    void writeFile(`/proc/${this.#child.pid}/oom_score_adj`, '1000').catch(() => {})
    void this.#child.exited.then(() => this.end(new Error('the process that read an import has ended')))
  }

  ask(question: ReadOrder | Question): Promise<unknown> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    const asked = Promise.withResolvers<unknown>()
    try {
      this.#child.send(question)
    } catch (error) {
      return Promise.reject(error)
    }
    this.#waiting.push(asked)
    return asked.promise
  }

  /** @param reason error with which all pending and later requests fail */
  async end(reason: unknown): Promise<void> {
    this.#ended ??= reason
    clearInterval(this.#watch)
    this.#child.kill('SIGKILL')
    for (const asked of this.#waiting.splice(0)) asked.reject(this.#ended)
    // A process that is waiting for an unreachable disk keeps running even after it is killed.
    await Promise.race([this.#child.exited, Bun.sleep(KILLED_WITHIN_MS)])
  }

  #take(answer: ReaderAnswer): void {
    const asked = this.#waiting.shift()
    if ('answer' in answer) asked?.resolve(answer.answer)
    else if ('failure' in answer) asked?.reject(new Error(answer.failure))
    else {
      const { code, message, data } = answer.refusal
      asked?.reject(new Refusal(...([code, message, data] as ConstructorParameters<typeof Refusal>)))
    }
  }

  async #look(): Promise<void> {
    const bytes = await residentBytes(this.#child.pid)
    if (bytes <= MEMORY_LIMIT_BYTES) return
    const words = 'the file needs too much memory for a page: use the import command, which runs beside the server'
    await this.end(new Refusal('too-large', words, { limit: MEMORY_LIMIT_BYTES }))
  }
}

/** @returns 0 if the system does not report it */
async function residentBytes(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
