/** A SQLite file as one side of a copy. */
import type { OnLongWork } from '../../../lib/work/long-work.ts'
import type { CopySide } from '../../copy/side.ts'
import type { FirstSettings } from '../../sql/database.ts'
import { openSqlite } from './sqlite.ts'

interface SqliteSide {
  readonly path: string
  /** whether to create a missing file; if false, a missing file is an error */
  readonly create: boolean
  readonly firstSettings?: FirstSettings
  readonly onWork?: OnLongWork
}

/** @throws Refusal `database-in-use` if another program has the file open; the same errors as when a server opens the database */
export async function openSqliteSide({ path, ...options }: SqliteSide): Promise<CopySide> {
  const database = await openSqlite({ path, exclusive: true, ...options })
  return {
    database,
    address: `sqlite:${path}`,
    isChained: true,
    // The file is locked until it is closed. A program that opens the file later will find the mark.
    close: async () => {},
    open: async () => {},
    finish: async () => {},
  }
}
