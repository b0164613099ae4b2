import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { databaseFile, prepareDatabase } from '../../bench/support/prepare.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import { NOON } from '../../test/support/store-builders.ts'

// The preparation verifies its own result; this shows here already when a change of the schema breaks it.
test('a database for a benchmark has the requested number of checks, each with its own ping URL', async () => {
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
