/** Imports a Healthchecks into the database of a test. */
import { OPERATOR } from '../../../src/domain/actor.ts'
import type { ImportSource } from '../../../src/domain/import/import-source.ts'
import { applyImport } from '../../../src/import/engine/apply.ts'
import { planImport } from '../../../src/import/engine/plan.ts'
import { type ImportReport, reportImport } from '../../../src/import/engine/report.ts'
import type { Deps } from '../../../src/services/common/deps.ts'
import { temporaryFolder } from '../folder.ts'
import { openFixture, sqliteFixture } from './fixture.ts'

/** Plans, applies and reports as the command does, and closes the source. */
export async function importAll(deps: Deps, source: ImportSource): Promise<ImportReport> {
  try {
    const plan = await planImport(deps, OPERATOR, source)
    const applied = await applyImport(deps, OPERATOR, source, plan, { signal: null, onWork: () => {} })
    return await reportImport(source, plan, applied)
  } finally {
    await source.close()
  }
}

export async function importFixture(deps: Deps): Promise<ImportReport> {
  const folder = temporaryFolder()
  try {
    return await importAll(deps, await openFixture({ sqlite: sqliteFixture(folder) }))
  } finally {
    folder.remove()
  }
}
