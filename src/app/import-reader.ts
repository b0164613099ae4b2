/**
 * The process that reads imports started on pages. Files, dumps and other servers' answers may be hostile. In a separate process, they
 * cannot delay pings, and the server may kill the process at any time.
 */
import { Refusal } from '../domain/errors.ts'
import type { ImportSource } from '../domain/import/import-source.ts'
import { type Question, SourceTeller } from '../import/engine/carried.ts'
import { messageWithCause, stackOf } from '../lib/errors.ts'
import { type Instant, Temporal } from '../lib/time.ts'
import type { ImportPlace } from '../services/common/ports/import-places.ts'
import { registry } from '../transports/index.ts'
import { openPlace } from './import-sources.ts'

export interface ReadOrder {
  readonly ask: 'open'
  readonly place: ImportPlace
  /** this server's secret */
  readonly secret: string
  readonly pingLogLimit: number
  readonly allowPrivateAddresses: boolean
  /** current time in nanoseconds since 1970 */
  readonly now: bigint
}

export type ReaderAnswer =
  | { readonly answer: unknown }
  | { readonly refusal: Pick<Refusal, 'code' | 'message' | 'data'> }
  | { readonly failure: string }

/** Answers requests from the parent process in order, until the connection to the parent closes. */
export function readImports(send: (answer: ReaderAnswer) => void): void {
  let teller: SourceTeller | null = null
  const answer = async (question: ReadOrder | Question): Promise<unknown> => {
    if (question.ask !== 'open') return teller?.answer(question)
    teller = new SourceTeller(await open(question))
    return null
  }
  let last: Promise<unknown> = Promise.resolve()
  process.on('message', (question: ReadOrder | Question) => {
    const next = last.then(() => answer(question))
    last = next.then(
      (answer) => send({ answer }),
      (error) => send(asAnswer(error)),
    )
  })
  process.on('disconnect', () => process.exit())
}

function open({ place, now, ...order }: ReadOrder): Promise<ImportSource> {
  const began = performance.now()
  const clock = (): Instant => new Temporal.Instant(now).add({ milliseconds: Math.floor(performance.now() - began) })
  const random = { uuid: () => crypto.randomUUID() }
  // This signal is never aborted, because the parent process kills this process instead.
  const { signal } = new AbortController()
  return openPlace(place, { ...order, now: clock, random, transports: registry }, signal)
}

function asAnswer(error: unknown): ReaderAnswer {
  if (error instanceof RangeError) {
    return asAnswer(new Refusal('invalid', `it cannot be read: ${messageWithCause(error)}`))
  }
  if (!(error instanceof Refusal)) return { failure: stackOf(error) ?? messageWithCause(error) }
  const { code, message, data } = error
  return { refusal: { code, message, data } }
}
