/** Health: whether the database can be read. */
import { Refusal } from '../../domain/errors.ts'
import type { Deps } from '../common/deps.ts'

/** @throws Refusal `unavailable`, with the reason as its message, since probes belong to the operator */
export async function probeDatabase({ store }: Pick<Deps, 'store'>): Promise<void> {
  try {
    await store.probe()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'unavailable') throw error
    const { reason, data } = error
    throw new Refusal('unavailable', reason, { reason, isLogged: data.isLogged === true }, { cause: error })
  }
}
