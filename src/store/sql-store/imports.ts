/** The store's methods for imports. */

import type { Project } from '../../domain/project.ts'
import type { Instant } from '../../lib/time.ts'
import { extendCheck } from '../imports/extended-checks.ts'
import { findClashes } from '../imports/import-clashes.ts'
import { addAlerts } from '../imports/imported-alerts.ts'
import { preparedChecks } from '../imports/imported-checks.ts'
import * as imports from '../imports/imported-projects.ts'
import * as importedSecrets from '../imports/imported-secrets.ts'
import * as stagedLogs from '../imports/staged-logs.ts'
import * as stagedProjects from '../imports/staged-projects.ts'
import type { CheckExtension, ImportingProject, ProjectExtension, ProjectImport } from '../interface/imports.ts'
import type { Rules } from '../interface/rules.ts'
import { removeDeletedLogs } from '../retention/left-logs.ts'
import { editsOf } from '../revisions/revisions.ts'
import type { Access, AuthorAccess } from './access.ts'
import { each } from './methods.ts'

export function importsStore({ steps, read, writeChanging, writeUntracked }: Access) {
  return {
    imports: {
      ...each(read, {
        findExtents: stagedLogs.findImportExtents,
        findClashes,
        listStagedLogs: stagedLogs.listStagedLogs,
        findStagedFlips: stagedLogs.findStagedFlips,
        listStagedProjects: stagedProjects.listStagedProjects,
        listSecrets: importedSecrets.listImportedSecrets,
      }),
      ...each(writeUntracked, { stageLogs: stagedLogs.stageLogs, beginProject: stagedProjects.beginProject }, 'bulk'),
      ...each(writeUntracked, { dropStagedLogs: stagedLogs.dropStagedLogs, addAlerts }),
      /**
       * Adds checks to a staged project in one transaction, so pass about a hundred.
       * @throws Refusal `import-interrupted` if a staged log differs from `logs`, or if another import has dropped the project or is
       * creating one of the checks
       */
      stageChecks: async (
        project: ImportingProject,
        checks: Pick<ProjectImport, 'checks' | 'logs'>,
        rules: Pick<Rules, 'alertAfter'>,
        now: Instant,
      ): Promise<void> => {
        const made = await preparedChecks(steps, checks, rules)
        return writeUntracked((sql) => stagedProjects.stageChecks(sql, project, made, now), 'bulk')
      },
      extendCheck: (extension: CheckExtension, rules: Pick<Rules, 'alertAfter' | 'now'>): Promise<boolean> =>
        writeChanging((sql) => extendCheck(sql, extension, rules)),
      /**
       * Drops a project's staged logs if none of them has grown since `before`, at most `limit` logs in total.
       * @returns number of dropped logs
       */
      dropStaleLogs: async (before: Instant, limit: number): Promise<number> => {
        const stale = await read((sql) => stagedLogs.findStaleLogs(sql, before, limit))
        if (stale.length === 0) return 0
        return writeUntracked((sql) => stagedLogs.dropStaleLogs(sql, before, limit), 'upkeep')
      },
      removeDeletedLogs: removeDeletedLogs.bind(null, steps),
      dropStagedProject: stagedProjects.dropStagedProject.bind(null, steps),
    },
  }
}

export function importsWrites({ steps, writeProject, writeChanging, logBytes, trail }: AuthorAccess) {
  return {
    imports: {
      importProject: (order: ProjectImport, importId: string): Promise<Project> =>
        writeProject((sql) => imports.importProject(sql, trail(sql), order, { importId, logBytes })),
      /**
       * Adds checks from the staged data to an existing project in one transaction, so pass about a hundred. Does not assign other
       * projects' channels. The audit log gets one row with totals about the project. Does nothing if there are no checks and all totals
       * are zero.
       * @throws Refusal `not-found` if there is no such project, `import-clash`, `import-interrupted`
       */
      extendProject: async (extension: ProjectExtension, rules: Pick<Rules, 'alertAfter'>): Promise<void> => {
        const made = await preparedChecks(steps, extension, rules)
        await writeChanging(async (sql) => {
          const isExtended = await imports.extendProject(sql, trail(sql), extension, { ...made, logBytes })
          const ids = isExtended ? extension.checks.map(({ check }) => check.id) : []
          return { result: null, changes: editsOf([[extension.projectId, ids]]) }
        })
      },
    },
  }
}
