/** A database in memory. It is a copy of one that is created once, since creating the tables takes longer. */
import { Database as Connection } from 'bun:sqlite'
import { bringUpToDate } from './migrations.ts'

/** The path of a database in memory. */
export const MEMORY = ':memory:'

let empty: Uint8Array | null = null

/** @returns a connection to an empty database of the newest data model, which nobody else can open */
export function connectToMemory(): Connection {
  empty ??= makeEmpty()
  return Connection.deserialize(empty)
}

function makeEmpty(): Uint8Array {
  using connection = new Connection(MEMORY)
  bringUpToDate(connection, MEMORY)
  return connection.serialize()
}
