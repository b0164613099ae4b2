/**
 * The changes that people, keys and commands make: each is one transaction with its row in the audit log. Services reach them by
 * `store.by(authorOf(deps, actor.by))`. The function of the noun notes what it has changed, by `trail.note(before, after)`;
 * `domain/audit/subjects.ts` says what the log shows of that.
 */

import type { Member } from '../../domain/account/account.ts'
import type { DeliveryAction } from '../../domain/alert/delivery.ts'
import { auditedExport } from '../../domain/audit/subjects.ts'
import type { Author } from '../../domain/author.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import type { WantedMailings } from '../../domain/mail/mailing.ts'
import type { NewProject, Project, StoredKey } from '../../domain/project.ts'
import type { Instant } from '../../lib/time.ts'
import * as deliveries from '../alerts/delivery-changes.ts'
import { AuditTrail } from '../audit.ts'
import * as channels from '../channels/channels.ts'
import * as bulk from '../checks/bulk.ts'
import * as checks from '../checks/check-changes.ts'
import * as transfers from '../checks/transfers.ts'
import { preparedChecks } from '../imports/imported-checks.ts'
import * as imports from '../imports/imported-projects.ts'
import type { ChannelChange } from '../interface/channels.ts'
import type { ChangedCheck, DecideEach, DecideUndo, UndoKeeping, UndoKey, UndoneChecks } from '../interface/checks.ts'
import type { ProjectExtension, ProjectImport } from '../interface/imports.ts'
import type { Rules } from '../interface/rules.ts'
import * as accounts from '../people/accounts.ts'
import * as administration from '../people/administration.ts'
import { setAdministrator } from '../people/administrators.ts'
import { closeAccount } from '../people/closing.ts'
import * as identities from '../people/identities.ts'
import * as invitations from '../people/invitations.ts'
import * as ownershipOffers from '../people/ownership-offers.ts'
import * as passkeys from '../people/passkeys.ts'
import { proveEmail } from '../people/proven-email.ts'
import * as secondFactors from '../people/second-factors.ts'
import * as sessions from '../people/sessions.ts'
import * as keys from '../projects/keys.ts'
import * as projects from '../projects/projects.ts'
import * as statusPages from '../projects/status-pages.ts'
import { clearCheck } from '../retention/cleared-checks.ts'
import * as deletedProjects from '../retention/deleted-projects.ts'
import { type Changing, editsOf, NO_CHANGES } from '../revisions/revisions.ts'
import type { Sql } from '../sql/database.ts'
import type { Steps } from '../sql/steps.ts'
import { audited } from './methods.ts'
import type { Writes } from './writes.ts'

export interface AuthoredWrites extends ReturnType<typeof authoredWrites> {}

/** @param author of one change: the next one has another `changeId` */
export function authoredWrites(
  { write, writeProject, writeChanging, writeAlerts, writeAccess, writeUntracked }: Writes,
  author: Author,
  { steps, logBytes }: { readonly steps: Steps; readonly logBytes: number },
) {
  const trail = (sql: Sql) => new AuditTrail(sql, author)
  const each = audited(author)
  /** A write for a function that returns the check that it has changed, or null. */
  const writeCheck = (work: (sql: Sql) => Promise<CheckWithChannels | null>) =>
    writeChanging(async (sql) => edited(await work(sql)))
  return {
    accounts: {
      ...each(writeUntracked, { create: accounts.createAccount, createFirst: accounts.createFirstAccount }),
      ...each(writeAccess, {
        change: accounts.changeAccount,
        proveEmail,
        administer: administration.administerAccount,
        delete: administration.removeAccount,
        close: closeAccount,
        setAdministrator,
      }),
    },
    tokens: each(writeUntracked, { issueLink: administration.issueLink }),
    sessions: {
      ...each(writeUntracked, { create: sessions.createSession }),
      ...each(writeAccess, { end: sessions.endSession, endAll: sessions.endSessions }),
    },
    secondFactors: {
      ...each(writeAccess, { set: secondFactors.setSecondFactor, remove: secondFactors.removeFactors }),
      ...each(writeUntracked, { replaceRecoveryCodes: secondFactors.replaceRecoveryCodes }),
    },
    identities: {
      ...each(writeUntracked, { createAccount: identities.createAccountOf }),
      ...each(writeAccess, { link: identities.linkIdentity, unlink: identities.unlinkIdentity }),
    },
    passkeys: {
      ...each(writeAccess, { add: passkeys.addPasskey, remove: passkeys.removePasskey }),
      ...each(writeUntracked, { rename: passkeys.renamePasskey }),
    },
    team: each(writeAccess, { setMember: accounts.setMember, removeMember: accounts.removeMember }),
    invitations: {
      ...each(writeUntracked, {
        create: invitations.createInvitation,
        delete: invitations.deleteInvitation,
        endAll: invitations.endInvitations,
        signUp: invitations.signUp,
      }),
      ...each(writeAccess, { join: invitations.joinByInvitation }),
    },
    offers: {
      ...each(writeUntracked, { create: ownershipOffers.offerOwnership, end: ownershipOffers.endOffer }),
      ...each(writeAccess, { accept: ownershipOffers.acceptOffer }),
    },

    projects: {
      ...each(writeAccess, { edit: projects.editProject, delete: deletedProjects.deleteProject }),
      /** @throws Refusal `project-name-taken` if a project has that name @returns it with its slug */
      create: (project: NewProject, keys: readonly StoredKey[], owner?: Member): Promise<Project> =>
        writeAccess(async (sql) => {
          const audit = trail(sql)
          const created = await projects.createProject(sql, audit, project, keys)
          if (owner) await accounts.setMember(sql, audit, owner)
          return created
        }),
      /** Writes only to the audit log. @param withLog what the file of the project holds besides its settings */
      noteExport: (project: Project, withLog: boolean): Promise<void> =>
        writeUntracked((sql) => trail(sql).noteExport(auditedExport(project, withLog))),
      /**
       * Deletes checks of a project that is being deleted, in one transaction and as `checks.deleteMany` does. The audit log has one row
       * for them, about the project, with the numbers of its checks before and after.
       * @returns how many it deleted
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
    imports: {
      importProject: (order: ProjectImport, importId: string): Promise<Project> =>
        writeProject((sql) => imports.importProject(sql, trail(sql), order, { importId, logBytes })),
      /**
       * Adds checks to a project that is here, from what was staged, in one transaction, so give about a hundred. Channels that are not
       * the project's are not assigned. The audit log has one row, about the project, with numbers. Does nothing if there is neither a
       * check nor a number.
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

    channels: {
      create: async (channel: Channel, mailings: WantedMailings = {}): Promise<void> => {
        await writeAlerts(async (sql) => {
          await channels.createChannel(sql, trail(sql), channel, mailings)
          return { projectId: channel.projectId }
        })
      },
      change: (id: string, change: (channel: Channel) => ChannelChange): Promise<Channel | null> =>
        writeAlerts((sql) => channels.changeChannel(sql, trail(sql), id, change)),
      ...each(write, { delete: channels.deleteChannel }),
    },
    deliveries: {
      change: async (id: string, action: DeliveryAction): Promise<boolean> =>
        (await writeAlerts((sql) => deliveries.changeDelivery(sql, trail(sql), id, action))) !== null,
    },
    checks: {
      ...each(writeCheck, {
        upsert: checks.upsertCheck,
        change: checks.changeCheck,
        delete: checks.deleteCheck,
        clear: clearCheck,
      }),
      /**
       * Applies `decide` to several checks of a project in one transaction, so give few at a time.
       * @param publicIds distinct; one that does not exist is left out @param keeping null or omitted if the change cannot be undone
       * @returns those that `decide` has changed, in that order
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
       * Undoes what one call of `changeMany` has kept, the last one first: each call works once, for the same account and project. Of all
       * changes the newest 1,600 calls are kept, for an hour.
       * @returns null if nothing is left
       */
      undo: (key: UndoKey, now: Instant, decide: DecideUndo, rules: Rules): Promise<UndoneChecks | null> =>
        writeChanging(async (sql) => {
          const result = await bulk.undoChecks(sql, trail(sql), key, now, decide, rules)
          return { result, changes: editsOf([[key.projectId, result?.checkIds ?? []]]) }
        }),
      /** Several checks of a project as by `delete`, in one transaction. @returns how many it deleted */
      deleteMany: (projectId: string, publicIds: readonly string[]): Promise<number> =>
        writeChanging(async (sql) => {
          const ids = await bulk.deleteChecks(sql, trail(sql), projectId, publicIds)
          return { result: ids.length, changes: editsOf([[projectId, ids]]) }
        }),
      /**
       * Moves a check to another project, with its log and flips. All channels of that project are assigned, the former ones no longer.
       * Deliveries that are pending end unsent. Its `createdAt` is moved past that of another check if that has the same.
       * @returns the check as it is now; null if it is not in the project `from`, or there is no project `to`
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
