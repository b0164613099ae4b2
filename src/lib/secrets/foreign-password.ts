/**
 * Verifies passwords that Django hashed with PBKDF2 and SHA-256, in the format `pbkdf2_sha256$<iterations>$<salt>$<base64>`. Also
 * recognizes Argon2 hashes, which need no separate verifier.
 */
import { timingSafeEqual } from 'node:crypto'

/** Maximum number of iterations. Django uses at most 1.5 million. Ten million iterations keep a core busy for several seconds. */
const ITERATIONS_MAX = 10_000_000
const DIGEST_BYTES = 32
const FORM = /^pbkdf2_sha256\$([1-9]\d{0,7})\$([^$]{1,128})\$([A-Za-z0-9+/]{43}=)$/

/** Returns true if {@link verifyPbkdf2} supports the hash. */
export function isPbkdf2(hash: string): boolean {
  const [, iterations] = FORM.exec(hash) ?? []
  return iterations !== undefined && Number(iterations) <= ITERATIONS_MAX
}

/**
 * Maximum cost of a hash: 256 MiB of memory, and a number of passes that keeps a core busy for a few seconds. A limit is needed because the
 * cost of verifying a hash is part of the hash.
 */
const ARGON2_MAX = { memoryCost: 262_144, work: 4_194_304, lanes: 64 }
const ARGON2 = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,7}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,86}$/

/** Returns true for an argon2id hash in PHC format with an acceptable cost. */
export function isArgon2(hash: string): boolean {
  const [memoryCost = 0, timeCost = 0, lanes = 0] = ARGON2.exec(hash)?.slice(1).map(Number) ?? []
  const isBounded = memoryCost <= ARGON2_MAX.memoryCost && lanes <= ARGON2_MAX.lanes
  return memoryCost > 0 && isBounded && memoryCost * timeCost <= ARGON2_MAX.work
}

/** @returns false if the password is wrong or {@link isPbkdf2} rejects the hash */
export async function verifyPbkdf2(password: string, hash: string): Promise<boolean> {
  const [, iterations = '', salt = '', digest = ''] = FORM.exec(hash) ?? []
  if (!isPbkdf2(hash)) return false
  const text = new TextEncoder()
  const key = await crypto.subtle.importKey('raw', text.encode(password), 'PBKDF2', false, ['deriveBits'])
  const rule = { name: 'PBKDF2', hash: 'SHA-256', salt: text.encode(salt), iterations: Number(iterations) }
  const derived = await crypto.subtle.deriveBits(rule, key, DIGEST_BYTES * 8)
  return timingSafeEqual(new Uint8Array(derived), Buffer.from(digest, 'base64'))
}
