/** Health: whether the database can be read. */
import { Refusal } from '../domain/errors.ts'
import type { Deps } from './deps.ts'

/** @throws Refusal `unavailable`, with the reason as its message: who probes looks after the server */
export async function probeDatabase({ store }: Pick<Deps, 'store'>): Promise<void> {
  try {
    await store.ping()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.code, error.reason, { cause: error.cause, isLogged: error.isLogged })
  }
}
