/** Reads the server's secret from SECRET_KEY. If it is not set, the secret is created on the first run and stored in the database. */
import { createHmac } from 'node:crypto'
import { Refusal } from '../../domain/errors.ts'
import type { Deps } from '../common/deps.ts'

const SECRET = 'secret'
/**
 * Name of the stored fingerprint of SECRET_KEY. It is used to detect a changed SECRET_KEY, which would make API keys and badge URLs
 * stop working.
 */
const FINGERPRINT = 'secret fingerprint'

/**
 * @param given secret from the settings; null if the secret is stored in the database
 * @throws Refusal `secret-mismatch` if the stored keys were hashed with another secret
 */
export async function getOrCreateSecret(
  { store, random }: Pick<Deps, 'store' | 'random'>,
  given: string | null,
): Promise<string> {
  const known = await store.settings.find(FINGERPRINT)
  const kept = await store.settings.find(SECRET)
  if (given === null && known !== null && kept === null) {
    throw mismatch('this database was created with SECRET_KEY set, but it is not set now', false)
  }
  const fresh = () => Buffer.from(random.bytes(32)).toString('base64url')
  const secret = given ?? kept ?? (await store.settings.getOrCreate(SECRET, fresh()))
  const fingerprint = createHmac('sha256', secret).update(FINGERPRINT).digest('hex')
  if ((await store.settings.getOrCreate(FINGERPRINT, fingerprint)) !== fingerprint) {
    throw mismatch('SECRET_KEY differs from the secret that the keys in this database were created with', kept !== null)
  }
  return secret
}

function mismatch(message: string, keepsSecret: boolean): Refusal {
  return new Refusal('secret-mismatch', message, { setting: 'SECRET_KEY', keepsSecret })
}
