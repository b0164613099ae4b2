/** The server's secret: given in SECRET_KEY, or made on the first run and kept in the database. */
import { createHmac } from 'node:crypto'
import { UserError } from '../domain/errors.ts'
import type { Deps } from './deps.ts'

const SECRET = 'secret'
/** Lets a changed SECRET_KEY be noticed before every API key and badge has silently stopped working. */
const FINGERPRINT = 'secret fingerprint'

/**
 * @param given from the settings; null when the database shall keep one
 * @throws UserError when it is not the secret that the stored keys were hashed with
 */
export async function settleSecret(
  { store, random }: Pick<Deps, 'store' | 'random'>,
  given: string | null,
): Promise<string> {
  const known = await store.findSetting(FINGERPRINT)
  const kept = await store.findSetting(SECRET)
  if (given === null && known !== null && kept === null) {
    throw new UserError(
      'this database was made with SECRET_KEY set, and now it is not',
      'set the same SECRET_KEY again',
    )
  }
  const fresh = () => Buffer.from(random.bytes(32)).toString('base64url')
  const secret = given ?? kept ?? (await store.settleSetting(SECRET, fresh()))
  const fingerprint = createHmac('sha256', secret).update(FINGERPRINT).digest('hex')
  if ((await store.settleSetting(FINGERPRINT, fingerprint)) !== fingerprint) {
    throw new UserError(
      'SECRET_KEY is not the secret that the keys in this database were made with',
      kept === null ? 'set the SECRET_KEY of before' : 'leave SECRET_KEY unset: this database keeps its own secret',
    )
  }
  return secret
}
