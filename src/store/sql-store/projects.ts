/** The store's methods for projects, their keys, status pages and audit logs. */

import type { Member } from '../../domain/account/account.ts'
import { auditedExport } from '../../domain/audit/subjects.ts'
import type { NewProject, Project, StoredKey } from '../../domain/project.ts'
import { findDeletedChecks, findPausers, listAudit, readAudit } from '../audit.ts'
import * as accounts from '../people/accounts.ts'
import { listPingKeyUses, notePingKeyUses } from '../pings/ping-key-uses.ts'
import * as keys from '../projects/keys.ts'
import * as projects from '../projects/projects.ts'
import * as statusPages from '../projects/status-pages.ts'
import * as deletedProjects from '../retention/deleted-projects.ts'
import { editsOf } from '../revisions/revisions.ts'
import type { Access, AuthorAccess } from './access.ts'
import { each } from './methods.ts'

export function projectsStore({ read, writeUntracked }: Access) {
  return {
    projects: each(read, {
      list: projects.listProjects,
      find: projects.findProject,
      findHolder: projects.findHolder,
      findByIdOrName: projects.findProjects,
      findOfPerson: projects.findProjectOfPerson,
      listOfPerson: projects.listProjectsOfPerson,
      listPlacesOfPerson: projects.listPlacesOfPerson,
      listBriefs: projects.listProjectBriefs,
      countDown: projects.countDown,
      countContents: projects.countContents,
    }),
    keys: {
      ...each(read, {
        find: keys.findKey,
        list: keys.listKeys,
        findPing: keys.findPingKey,
        listPingUses: listPingKeyUses,
      }),
      ...each(writeUntracked, { touch: keys.touchKey, notePingUses: notePingKeyUses }, 'upkeep'),
      ...each(writeUntracked, { rehash: keys.rehashKey }),
    },
    statusPages: each(read, { find: statusPages.findStatusPage, findPublic: statusPages.findPublicStatusPage }),
    audit: each(read, { list: listAudit, read: readAudit, findPausers, findDeletedChecks }),
  }
}

export function projectsWrites({ writeChanging, writeAccess, writeUntracked, trail, each }: AuthorAccess) {
  return {
    projects: {
      ...each(writeAccess, { edit: projects.editProject, delete: deletedProjects.deleteProject }),
      /** @throws Refusal `project-name-taken` if a project already has that name @returns the project with its slug */
      create: (project: NewProject, keys: readonly StoredKey[], owner?: Member): Promise<Project> =>
        writeAccess(async (sql) => {
          const audit = trail(sql)
          const created = await projects.createProject(sql, audit, project, keys)
          if (owner) await accounts.setMember(sql, audit, owner)
          return created
        }),
      /**
       * Records an export in the audit log. Changes nothing else.
       * @param withLog whether the exported file contains the log in addition to the settings
       */
      noteExport: (project: Project, withLog: boolean): Promise<void> =>
        writeUntracked((sql) => trail(sql).noteExport(auditedExport(project, withLog))),
      /**
       * Deletes checks in a project that is being deleted, in one transaction, like `checks.deleteMany`. The audit log gets one row about
       * the project, with the number of its checks before and after.
       * @returns number of deleted checks
       */
      deleteChecks: (projectId: string, publicIds: readonly string[]): Promise<number> =>
        writeChanging(async (sql) => {
          const ids = await deletedProjects.deleteProjectChecks(sql, trail(sql), projectId, publicIds)
          return { result: ids.length, changes: editsOf([[projectId, ids]]) }
        }),
    },
    keys: each(writeUntracked, {
      create: keys.createKey,
      delete: keys.deleteKey,
      replacePing: keys.replacePingKeys,
    }),
    statusPages: each(writeUntracked, { change: statusPages.changeStatusPage }),
  }
}
