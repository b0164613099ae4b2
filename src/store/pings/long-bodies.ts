/**
 * Stores bodies that are too long for one short transaction. The rest of such a body is written in pieces before its ping, so that other
 * writes can run in between. `schema.sql` describes the tables.
 */
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import type { RestOfBody } from '../interface/pings.ts'
import type { Database, Sql } from '../sql/database.ts'
import type { Steps } from '../sql/steps.ts'

const BEGIN = 'INSERT INTO long_bodies (id, rest_bytes, begun_at) VALUES ($1, $2, $3)'
const ADD_PIECE = 'INSERT INTO body_pieces (body_id, piece, bytes) VALUES ($1, $2, $3)'

/**
 * Writes the rest of a body under a new id, one piece per transaction. If a write fails, the pieces written before it remain until {@link
 * dropRest} is called, or until {@link removeForgotten} removes them an hour later.
 */
export async function keepRest(
  steps: Steps,
  id: string,
  pieces: readonly Uint8Array[],
  now: Instant,
): Promise<RestOfBody> {
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
  for (const [number, piece] of pieces.entries()) {
    await steps.write(async (sql) => {
      if (number === 0) await sql.run(BEGIN, [id, bytes, toMicroseconds(now)])
      await sql.run(ADD_PIECE, [id, number, piece])
    })
  }
  return { id, bytes }
}

/** The rest of a long body, and its ping. */
export interface RestOfPing {
  readonly id: string
  readonly checkId: string
  readonly n: number
}

// Only the length of each piece is read, which engines can do without reading the bytes.
const ADD_TO_PING = `
  UPDATE long_bodies SET check_id = $2, n = $3
  WHERE id = $1 AND rest_bytes = (SELECT SUM(LENGTH(bytes)) FROM body_pieces WHERE body_id = $1) RETURNING id`

/** Assigns the rests of long bodies to their pings, in the same transaction as the pings. @throws Error if pieces are missing */
export async function addRests(sql: Sql, rests: readonly RestOfPing[]): Promise<void> {
  if (rests.length === 0) return
  const added = await sql.getEach<{ id: string }>(
    ADD_TO_PING,
    rests.map(({ id, checkId, n }) => [id, checkId, n]),
  )
  // After a failover, the new database server may not have the pieces.
  if (added.includes(null)) throw new Error('pieces of the body of a ping are missing')
}

const RESTS = 'SELECT n, rest_bytes AS bytes FROM long_bodies WHERE check_id = $1'

/** Returns the sizes in bytes of the rests of long bodies in a check's log, by ping number. */
export async function restsOf(sql: Sql, checkId: string): Promise<ReadonlyMap<number, number>> {
  const rests = await sql.all<{ n: number; bytes: number }>(RESTS, [checkId])
  return new Map(rests.map(({ n, bytes }) => [n, bytes]))
}

const READ_PIECES = `
  SELECT bytes FROM body_pieces JOIN long_bodies ON long_bodies.id = body_pieces.body_id
  WHERE long_bodies.check_id = $1 AND long_bodies.n = $2 ORDER BY body_pieces.piece`

/** Returns the beginning of a ping's body together with its rest, up to `bytes` bytes. */
export async function withRest(
  sql: Sql,
  { checkId, n }: Pick<RestOfPing, 'checkId' | 'n'>,
  beginning: Uint8Array | null,
  bytes: number,
): Promise<Uint8Array | null> {
  if (beginning === null || beginning.length >= bytes) return beginning
  const pieces = await sql.all<{ bytes: Uint8Array }>(READ_PIECES, [checkId, n])
  return Buffer.concat([beginning, ...pieces.map((piece) => piece.bytes)]).subarray(0, bytes)
}

const READ_PIECE = `
  SELECT bytes FROM body_pieces JOIN long_bodies ON long_bodies.id = body_pieces.body_id
  WHERE long_bodies.check_id = $1 AND long_bodies.n = $2 AND body_pieces.piece = $3`

/** Returns all `size` bytes of a ping's body, or fewer if the body is dropped in the meantime. */
export async function readWhole(
  read: Database['read'],
  { checkId, n }: Pick<RestOfPing, 'checkId' | 'n'>,
  beginning: Uint8Array | null,
  size: number,
): Promise<Uint8Array | null> {
  if (beginning === null || beginning.length === size) return beginning
  const body = new Uint8Array(size)
  body.set(beginning)
  for (let [at, number] = [beginning.length, 0]; at < size; number += 1) {
    const piece = await read((sql) => sql.get<{ bytes: Uint8Array }>(READ_PIECE, [checkId, n, number]))
    if (piece === null) return body.subarray(0, at)
    body.set(piece.bytes, at)
    at += piece.bytes.length
  }
  return body
}

const KEPT_HOURS = 1
const AT_ONCE = 100
const FORGOTTEN = `SELECT id FROM long_bodies WHERE check_id IS NULL AND begun_at < $1 LIMIT ${AT_ONCE}`
const REMOVE = 'DELETE FROM long_bodies WHERE id = $1 AND check_id IS NULL'

/** Removes the rest of a body whose ping was not written. Does nothing if the ping exists. */
export async function dropRest(steps: Steps, id: string): Promise<void> {
  await steps.runEach(REMOVE, [[id]])
}

/** Removes the rests of bodies whose ping was not written because the server was killed or could not write. */
export async function removeForgotten(steps: Steps, now: Instant): Promise<void> {
  const before = toMicroseconds(now.subtract({ hours: KEPT_HOURS }))
  const found = await steps.read((sql) => sql.all<{ id: string }>(FORGOTTEN, [before]))
  await steps.runEach(
    REMOVE,
    found.map(({ id }) => [id]),
  )
}
