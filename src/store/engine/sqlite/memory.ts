/** A database in memory. It is a copy of a template that is created only once, because copying the tables is faster than creating them. */
import { Database as Connection } from 'bun:sqlite'
import { bringUpToDate } from './migrations.ts'

/** The path that denotes a database in memory. */
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
