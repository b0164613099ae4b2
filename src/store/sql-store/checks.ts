/** The store's methods for checks, badges, problems and flips. */

import type { CheckWithChannels } from '../../domain/check/representation.ts'
import type { Instant } from '../../lib/time.ts'
import * as badges from '../checks/badges.ts'
import * as bulk from '../checks/bulk.ts'
import * as checkChanges from '../checks/check-changes.ts'
import * as checks from '../checks/checks.ts'
import * as flips from '../checks/flips.ts'
import * as runDurations from '../checks/run-durations.ts'
import * as transfers from '../checks/transfers.ts'
import * as importedSecrets from '../imports/imported-secrets.ts'
import type {
  ChangedCheck,
  Creation,
  CreationKeeping,
  DecideEach,
  DecideUndo,
  UndoKeeping,
  UndoKey,
  UndoneChecks,
} from '../interface/checks.ts'
import type { LockedChecks, Overdue } from '../interface/flips.ts'
import type { Rules } from '../interface/rules.ts'
import * as problems from '../overview/problems.ts'
import { listTroubles } from '../overview/troubles.ts'
import { clearCheck } from '../retention/cleared-checks.ts'
import { type Changing, editsOf, NO_CHANGES } from '../revisions/revisions.ts'
import type { Sql } from '../sql/database.ts'
import type { Access, AuthorAccess } from './access.ts'
import { each } from './methods.ts'

export function checksStore({ read, writeChanging }: Access) {
  return {
    checks: each(read, {
      list: checks.listChecks,
      listWithRuns: runDurations.listChecksWithRuns,
      listTags: checks.listTags,
      find: checks.findCheck,
      findMany: checks.findChecks,
      findByUniqueKey: checks.findCheckByUniqueKey,
      findByPublicId: checks.findCheckByPublicId,
      listPlaces: checks.listCheckPlaces,
      findPlace: checks.findCheckPlace,
    }),
    badges: each(read, {
      listChecks: badges.listBadgeChecks,
      findCheck: badges.findBadgeCheck,
      listSignatures: importedSecrets.listBadgeSignatures,
    }),
    overview: each(read, {
      listProblems: problems.listProblems,
      listRecoveries: problems.listRecoveries,
      listTroubles,
    }),
    flips: {
      ...each(read, { list: flips.listFlips, listSwitches: flips.listSwitches }),
      nextLookAt: (): Promise<Instant | null> => read((sql) => flips.nextLookAt(sql)),
      judgeOverdue: (now: Instant, rules: Rules, limit: number, locked?: LockedChecks): Promise<Overdue> =>
        writeChanging((sql) => flips.judgeOverdue(sql, now, rules, limit, locked)),
    },
  }
}

export function checksWrites({ each, trail, writeChanging }: AuthorAccess) {
  /** Runs a write whose function returns the changed check, or null if nothing was changed. */
  const writeCheck = (work: (sql: Sql) => Promise<CheckWithChannels | null>) =>
    writeChanging(async (sql) => edited(await work(sql)))
  return {
    checks: {
      ...each(writeCheck, {
        upsert: checkChanges.upsertCheck,
        change: checkChanges.changeCheck,
        delete: checkChanges.deleteCheck,
        clear: clearCheck,
      }),
      /**
       * Applies `decide` to several of a project's checks in one transaction, so pass only a few at a time.
       * @param publicIds distinct ids; checks that do not exist are left out
       * @param keeping data for undoing the change; null or omitted if it cannot be undone
       * @returns the checks that `decide` has changed, in the order of `publicIds`
       */
      changeMany: (
        projectId: string,
        publicIds: readonly string[],
        decide: DecideEach,
        rules: Rules,
        keeping?: UndoKeeping | null,
      ): Promise<readonly ChangedCheck[]> =>
        writeChanging(async (sql) => {
          const result = await bulk.changeChecks(sql, trail(sql), projectId, publicIds, decide, rules, keeping)
          return { result, changes: editsOf([[projectId, result.map(({ before }) => before.check.id)]]) }
        }),
      /**
       * Creates several checks in a project in one transaction, so pass only a few at a time.
       * @returns the created checks, in the given order. A check is left out if its slug is already in use in the project
       */
      createMany: (
        projectId: string,
        creations: readonly Creation[],
        rules: Rules,
        keeping: CreationKeeping,
      ): Promise<readonly CheckWithChannels[]> =>
        writeChanging(async (sql) => {
          const result = await bulk.createChecks(sql, trail(sql), projectId, creations, rules, keeping)
          return { result, changes: editsOf([[projectId, result.map(({ check }) => check.id)]]) }
        }),
      /**
       * Undoes the changes stored by one call of `changeMany` or `createMany`, starting with the last call. Each call can be undone once,
       * for the same account and project. At most the newest 1,600 calls are stored, each for an hour.
       * @returns null if nothing is left to undo
       */
      undo: (key: UndoKey, now: Instant, decide: DecideUndo, rules: Rules): Promise<UndoneChecks | null> =>
        writeChanging(async (sql) => {
          const result = await bulk.undoChecks(sql, trail(sql), key, now, decide, rules)
          return { result, changes: editsOf([[key.projectId, result?.checkIds ?? []]]) }
        }),
      /** Deletes several of a project's checks in one transaction, like `delete`. @returns number of deleted checks */
      deleteMany: (projectId: string, publicIds: readonly string[]): Promise<number> =>
        writeChanging(async (sql) => {
          const ids = await bulk.deleteChecks(sql, trail(sql), projectId, publicIds)
          return { result: ids.length, changes: editsOf([[projectId, ids]]) }
        }),
      /**
       * Moves a check to another project, with its log and flips. Replaces its channels with all of the new project's channels. Deletes its
       * pending deliveries. Changes its `createdAt` if another check has the same time.
       * @returns the moved check; null if it is not in the project `from`, or the project `to` does not exist
       */
      transfer: (
        id: string,
        projects: { readonly from: string; readonly to: string },
        now: Instant,
      ): Promise<CheckWithChannels | null> =>
        writeChanging(async (sql) => {
          const found = await transfers.transferCheck(sql, trail(sql), id, projects, now)
          const both = [projects.from, projects.to].map((project) => [project, [id]] as const)
          return { result: found, changes: found ? editsOf(both) : NO_CHANGES }
        }),
    },
  }
}

/** @param found null if there is no such check */
function edited(found: CheckWithChannels | null): Changing<CheckWithChannels | null> {
  return {
    result: found,
    changes: found ? editsOf([[found.check.projectId, [found.check.id]]]) : NO_CHANGES,
  }
}
