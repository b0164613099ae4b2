/**
 * A database in memory. It is a copy of a database that is created only once, because creating the tables takes longer than copying them.
 */
import { Database as Connection } from 'bun:sqlite'
import { bringUpToDate } from './migrations.ts'

/** The path that stands for a database in memory. */
export const MEMORY = ':memory:'

let empty: Uint8Array | null = null

/** @returns a connection to an empty database with the newest data model; no other connection can open this database */
export function connectToMemory(): Connection {
  empty ??= makeEmpty()
  return Connection.deserialize(empty)
}

function makeEmpty(): Uint8Array {
  using connection = new Connection(MEMORY)
  bringUpToDate(connection, MEMORY)
  return connection.serialize()
}
