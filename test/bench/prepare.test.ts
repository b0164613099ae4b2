import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { databaseFile, prepareDatabase } from '../../bench/support/prepare.ts'
import { temporaryFolder } from '../support/sqlite.ts'
import { NOON } from '../support/store-builders.ts'

// What is prepared for a benchmark proves itself; a change of the schema is to show here already.
test('a database for a benchmark holds as many checks as wanted, each with a ping URL of its own', async () => {
  const folder = temporaryFolder()
  try {
    const { paths } = await prepareDatabase(folder.path, 50, NOON)
    expect(new Set(paths).size).toBe(50)
    const connection = new Database(databaseFile(folder.path), { readonly: true })
    const ids = connection.query<{ id: string }, []>('SELECT id FROM checks').all()
    connection.close()
    expect(ids.map(({ id }) => `/ping/${id}`).sort()).toEqual([...paths].sort())
  } finally {
    folder.remove()
  }
})
