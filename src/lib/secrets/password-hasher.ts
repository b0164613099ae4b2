/** Hashes passwords with argon2id, one at a time. Each hash takes a core and 64 MiB of memory for a fifth of a second. */
import { createFairTurns, type LaneLimits, type Turn } from '../work/fair-turns.ts'
import { isPbkdf2, verifyPbkdf2 } from './foreign-password.ts'

/** Lanes for visitors and for signed-in users. Each has its own queue. */
type HashLane = 'visitor' | 'account'
export type HashTurn = Turn<HashLane>

export interface PasswordHasher {
  /**
   * @param password must not be empty
   * @param turn the lane and party of the caller
   * @returns an argon2id hash in PHC format
   * @throws the error created by `busy` if too many calls are waiting
   */
  hash(password: string, turn: HashTurn): Promise<string>
  /**
   * @param hash a result of `hash`, an argon2id hash from another program, or a PBKDF2 hash from Django. Null if the account is unknown or
   * has no password; the result is then false, but the call takes just as long
   * @param turn the lane and party of the caller
   * @returns false if the password is wrong or the hash is malformed
   * @throws the error created by `busy` if too many calls are waiting
   */
  verify(password: string, hash: string | null, turn: HashTurn): Promise<boolean>
  /** Returns true if a hash was created with a different algorithm or cost than the ones that `hash` uses now. */
  isOutdated(hash: string): boolean
}

/** The cost of a new hash. Each hash includes its own cost, so older hashes stay valid. */
export interface Argon2Cost {
  /** memory in KiB, at least 8 */
  readonly memoryCost: number
  /** number of passes over that memory */
  readonly timeCost: number
}

interface PasswordHasherOptions {
  /** maximum number of waiting calls; further calls are rejected */
  readonly waiting: Readonly<Record<HashLane, LaneLimits>>
  /** creates the error for a rejected call */
  readonly busy: () => Error
  readonly cost?: Argon2Cost
}

/** Cost with 64 MiB of memory. OWASP recommends at least 19 MiB. */
const COST: Argon2Cost = { memoryCost: 65_536, timeCost: 2 }

export function createPasswordHasher({ waiting, busy, cost = COST }: PasswordHasherOptions): PasswordHasher {
  const turns = createFairTurns(waiting)
  const nobody = hashOfNobody(cost)
  const inTurn = async <Result>(turn: HashTurn, work: () => Promise<Result>): Promise<Result> => {
    if (!(await turns.acquire(turn))) throw busy()
    try {
      return await work()
    } finally {
      turns.release()
    }
  }
  return {
    hash: (password, turn) =>
      inTurn(turn, () => Bun.password.hash(normalizePassword(password), { algorithm: 'argon2id', ...cost })),
    verify: (password, hash, turn) =>
      inTurn(turn, async () => (await matchesEitherForm(password, hash ?? nobody)) && hash !== null),
    isOutdated: (hash) => !hash.startsWith(costOf(cost)),
  }
}

/**
 * Compares a hash with both forms of a password. Other programs hash the password as typed, which rarely differs from its normalized form.
 */
async function matchesEitherForm(password: string, hash: string): Promise<boolean> {
  const normal = normalizePassword(password)
  return (await matches(normal, hash)) || (normal !== password && (await matches(password, hash)))
}

/**
 * Normalizes a password before it is hashed. Some keyboards send accented letters as one character, others as a letter and an accent, and
 * digits may be full-width. NFKC converts all of them to the same form (NIST SP 800-63B, 3.1.1.2). Spaces and case are preserved.
 */
export function normalizePassword(password: string): string {
  return password.toWellFormed().normalize('NFKC')
}

async function matches(password: string, hash: string): Promise<boolean> {
  try {
    return isPbkdf2(hash) ? await verifyPbkdf2(password, hash) : await Bun.password.verify(password, hash)
  } catch {
    return false
  }
}

/** 32 zero bytes in base64, used as a salt, and as a digest that does not match any known password. */
const ZEROS = 'A'.repeat(43)

function hashOfNobody(cost: Argon2Cost): string {
  return `${costOf(cost)}${ZEROS}$${ZEROS}`
}

/** Returns the prefix of a hash that contains its cost. */
function costOf({ memoryCost, timeCost }: Argon2Cost): string {
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$`
}
