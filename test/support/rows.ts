/** Rows of a database of either engine, which others may use at the same time. Statements are as in `store/sql/database.ts`. */
import type { Value } from '../../src/store/sql/database.ts'
import { openUrl } from './open-url.ts'

export async function rowsIn<Row>(url: string, statement: string, values: readonly Value[] = []): Promise<Row[]> {
  const database = await openUrl(url)
  try {
    return await database.read((sql) => sql.all<Row>(statement, values))
  } finally {
    await database.close()
  }
}

/** Changes rows as another process would. @returns number of changed rows */
export async function changeRows(url: string, statement: string, values: readonly Value[] = []): Promise<number> {
  const database = await openUrl(url)
  try {
    return await database.write((sql) => sql.run(statement, values))
  } finally {
    await database.close()
  }
}
