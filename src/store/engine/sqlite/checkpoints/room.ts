/** Determines whether the disk has enough space to copy the log into its file. */
import type { Database as Connection } from 'bun:sqlite'
import { statfsSync, statSync } from 'node:fs'

/** Returns the number of bytes by which a connection's file would grow if the complete log were copied into it. */
export function growthOf(connection: Connection): number {
  const pageBytes = figure(connection, 'page_size')
  const file = statSync(connection.filename, { throwIfNoEntry: false })
  return figure(connection, 'page_count') * pageBytes - (file?.size ?? 0)
}

/**
 * Returns the number of free bytes on the disk that contains a file, including those reserved for root; infinity if the disk does not
 * report them.
 */
export function freeBytesAt(path: string): number {
  try {
    const { blocks, bfree, bsize } = statfsSync(path)
    return blocks === 0 ? Number.POSITIVE_INFINITY : bfree * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

function figure(connection: Connection, pragma: 'page_size' | 'page_count'): number {
  return Number(connection.query(`PRAGMA ${pragma}`).values()[0]?.[0])
}
