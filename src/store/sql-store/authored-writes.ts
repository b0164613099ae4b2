/**
 * The changes that people, keys and commands make: each is one transaction with its row in the audit log. Services reach them by
 * `store.by(authorOf(deps, actor.by))`. The function of the noun notes what it has changed, by `trail.note(before, after)`;
 * `domain/audit/subjects.ts` says what the log shows of that. Their interfaces are the `…Writes` in `store/interface/`.
 */

import { auditedExport } from '../../domain/audit/subjects.ts'
import type { Author } from '../../domain/author.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import * as deliveries from '../alerts/delivery-changes.ts'
import { AuditTrail } from '../audit.ts'
import * as channels from '../channels/channels.ts'
import * as bulk from '../checks/bulk.ts'
import * as checks from '../checks/check-changes.ts'
import * as transfers from '../checks/transfers.ts'
import { preparedChecks } from '../imports/imported-checks.ts'
import { extendProject, importProject } from '../imports/imported-projects.ts'
import * as accounts from '../people/accounts.ts'
import * as administration from '../people/administration.ts'
import { setAdministrator } from '../people/administrators.ts'
import { closeAccount } from '../people/closing.ts'
import * as identities from '../people/identities.ts'
import * as invitations from '../people/invitations.ts'
import * as ownershipOffers from '../people/ownership-offers.ts'
import * as passkeys from '../people/passkeys.ts'
import { proveEmail } from '../people/proven-email.ts'
import { removeFactors, replaceRecoveryCodes, setSecondFactor } from '../people/second-factors.ts'
import * as sessions from '../people/sessions.ts'
import * as keys from '../projects/keys.ts'
import * as projects from '../projects/projects.ts'
import * as statusPages from '../projects/status-pages.ts'
import { clearCheck } from '../retention/cleared-checks.ts'
import { deleteProject, deleteProjectChecks } from '../retention/deleted-projects.ts'
import { type Changing, editsOf, NO_CHANGES } from '../revisions/revisions.ts'
import type { Sql } from '../sql/database.ts'
import type { Steps } from '../sql/steps.ts'
import type { AuthoredWrites } from '../store.ts'
import type { Writes } from './writes.ts'

export function authoredWrites(
  { write, writeProject, writeChanging, writeAlerts, writeAccess, writeUntracked }: Writes,
  author: Author,
  { steps, logBytes }: { readonly steps: Steps; readonly logBytes: number },
): AuthoredWrites {
  const trail = (sql: Sql) => new AuditTrail(sql, author)
  return {
    createProject: (project, keys, owner) =>
      writeAccess(async (sql) => {
        const audit = trail(sql)
        const created = await projects.createProject(sql, project, keys, audit)
        if (owner) await accounts.setMember(sql, owner, audit)
        return created
      }),
    editProject: (id, edit) => writeAccess((sql) => projects.editProject(sql, id, edit, trail(sql))),
    noteExport: (project, withLog) => writeUntracked((sql) => trail(sql).noteExport(auditedExport(project, withLog))),
    createKey: (key) => writeUntracked((sql) => keys.createKey(sql, key, trail(sql))),
    deleteKey: (projectId, lookup) => writeUntracked((sql) => keys.deleteKey(sql, projectId, lookup, trail(sql))),
    replacePingKeys: (key) => writeUntracked((sql) => keys.replacePingKeys(sql, key, trail(sql))),
    deleteProjectChecks: (projectId, publicIds) =>
      writeChanging(async (sql) => {
        const ids = await deleteProjectChecks(sql, projectId, publicIds, trail(sql))
        return { result: ids.length, changes: editsOf([[projectId, ids]]) }
      }),
    deleteProject: (id, deletedChecks) => writeAccess((sql) => deleteProject(sql, id, deletedChecks, trail(sql))),
    importProject: (order, importId) =>
      writeProject((sql) => importProject(sql, order, { importId, logBytes }, trail(sql))),
    async extendProject(extension, rules) {
      const made = await preparedChecks(steps, extension, rules)
      await writeChanging(async (sql) => {
        const isExtended = await extendProject(sql, extension, { ...made, logBytes }, trail(sql))
        const ids = isExtended ? extension.checks.map(({ check }) => check.id) : []
        return { result: null, changes: editsOf([[extension.projectId, ids]]) }
      })
    },
    createChannel: async (channel, wanted = {}) => {
      await writeAlerts(async (sql) => {
        await channels.createChannel(sql, channel, wanted, trail(sql))
        return { projectId: channel.projectId }
      })
    },
    changeChannel: (id, change) => writeAlerts((sql) => channels.changeChannel(sql, id, change, trail(sql))),
    deleteChannel: (id) => write((sql) => channels.deleteChannel(sql, id, trail(sql))),
    changeStatusPage: (projectId, decide) =>
      writeUntracked((sql) => statusPages.changeStatusPage(sql, projectId, decide, trail(sql))),
    upsertCheck: (fresh, criteria, decide, rules) =>
      writeChanging(async (sql) => edited(await checks.upsertCheck(sql, fresh, criteria, decide, rules, trail(sql)))),
    changeCheck: (id, decide, rules) =>
      writeChanging(async (sql) => edited(await checks.changeCheck(sql, id, decide, rules, trail(sql)))),
    deleteCheck: (id) => writeChanging(async (sql) => edited(await checks.deleteCheck(sql, id, trail(sql)))),
    changeChecks: (projectId, publicIds, decide, rules, keeping) =>
      writeChanging(async (sql) => {
        const result = await bulk.changeChecks(sql, projectId, publicIds, decide, rules, keeping, trail(sql))
        return { result, changes: editsOf([[projectId, result.map(({ before }) => before.check.id)]]) }
      }),
    undoChecks: (key, now, decide, rules) =>
      writeChanging(async (sql) => {
        const result = await bulk.undoChecks(sql, key, now, decide, rules, trail(sql))
        return { result, changes: editsOf([[key.projectId, result?.checkIds ?? []]]) }
      }),
    deleteChecks: (projectId, publicIds) =>
      writeChanging(async (sql) => {
        const ids = await bulk.deleteChecks(sql, projectId, publicIds, trail(sql))
        return { result: ids.length, changes: editsOf([[projectId, ids]]) }
      }),
    transferCheck: (id, projects, now) =>
      writeChanging(async (sql) => {
        const found = await transfers.transferCheck(sql, id, projects, now, trail(sql))
        const both = [projects.from, projects.to].map((project) => [project, [id]] as const)
        return { result: found, changes: found ? editsOf(both) : NO_CHANGES }
      }),
    clearCheck: (id) => writeChanging(async (sql) => edited(await clearCheck(sql, id, trail(sql)))),
    changeDelivery: async (id, action) =>
      (await writeAlerts((sql) => deliveries.changeDelivery(sql, id, action, trail(sql)))) !== null,
    createAccount: (account) => writeUntracked((sql) => accounts.createAccount(sql, account, trail(sql))),
    createFirstAccount: (first) => writeUntracked((sql) => accounts.createFirstAccount(sql, first, trail(sql))),
    changeAccount: (id, change, kept, link) =>
      writeAccess((sql) => accounts.changeAccount(sql, id, change, { kept, link: link ?? null }, trail(sql))),
    proveEmail: (id, change, link) => writeAccess((sql) => proveEmail(sql, id, change, link, trail(sql))),
    administerAccount: (id, change, allow) =>
      writeAccess((sql) => administration.administerAccount(sql, id, change, allow, trail(sql))),
    deleteAccount: (id, allow = () => {}) =>
      writeAccess((sql) => administration.removeAccount(sql, id, allow, trail(sql))),
    issueLink: (link) => writeUntracked((sql) => administration.issueLink(sql, link, trail(sql))),
    closeAccount: (id, allow) => writeAccess((sql) => closeAccount(sql, id, trail(sql), allow)),
    createSession: (session, passwordHash, secondFactor) =>
      writeUntracked((sql) =>
        sessions.createSession(sql, session, { passwordHash, secondFactor: secondFactor ?? null }, trail(sql)),
      ),
    endSession: (accountId, lookup) => writeAccess((sql) => sessions.endSession(sql, accountId, lookup, trail(sql))),
    endSessions: (accountId, kept) => writeAccess((sql) => sessions.endSessions(sql, accountId, kept, trail(sql))),
    setSecondFactor: (id, factor, kept) => writeAccess((sql) => setSecondFactor(sql, id, factor, kept, trail(sql))),
    replaceRecoveryCodes: (id, lookups) => writeUntracked((sql) => replaceRecoveryCodes(sql, id, lookups, trail(sql))),
    createAccountOf: (identity, account) =>
      writeUntracked((sql) => identities.createAccountOf(sql, identity, account, trail(sql))),
    linkIdentity: (identity, kept) => writeAccess((sql) => identities.linkIdentity(sql, identity, kept, trail(sql))),
    unlinkIdentity: (accountId, identity, allow, kept) =>
      writeAccess((sql) => identities.unlinkIdentity(sql, accountId, identity, allow, kept, trail(sql))),
    setAdministrator: (id, isAdministrator) =>
      writeAccess((sql) => setAdministrator(sql, id, isAdministrator, trail(sql))),
    addPasskey: (passkey, kept) => writeAccess((sql) => passkeys.addPasskey(sql, passkey, kept, trail(sql))),
    renamePasskey: (accountId, id, name) =>
      writeUntracked((sql) => passkeys.renamePasskey(sql, accountId, id, name, trail(sql))),
    removePasskey: (accountId, id, kept) =>
      writeAccess((sql) => passkeys.removePasskey(sql, accountId, id, kept, trail(sql))),
    removeFactors: (accountId) => writeAccess((sql) => removeFactors(sql, accountId, trail(sql))),
    setMember: (member, allow) => writeAccess((sql) => accounts.setMember(sql, member, trail(sql), allow)),
    removeMember: (accountId, projectId, allow) =>
      writeAccess((sql) => accounts.removeMember(sql, { accountId, projectId }, trail(sql), allow)),
    createInvitation: (invitation) =>
      writeUntracked((sql) => invitations.createInvitation(sql, invitation, trail(sql))),
    endInvitations: (projectId, allow) =>
      writeUntracked((sql) => invitations.endInvitations(sql, projectId, trail(sql), allow)),
    deleteInvitation: (projectId, lookup) =>
      writeUntracked((sql) => invitations.deleteInvitation(sql, projectId, lookup, trail(sql))),
    joinByInvitation: (lookup, joining, now) =>
      writeAccess((sql) => invitations.joinByInvitation(sql, lookup, joining, now, trail(sql))),
    offerOwnership: (offer) => writeUntracked((sql) => ownershipOffers.offerOwnership(sql, offer, trail(sql))),
    acceptOffer: (projectId, accountId, now) =>
      writeAccess((sql) => ownershipOffers.acceptOffer(sql, projectId, accountId, now, trail(sql))),
    endOffer: (projectId, now, allow) =>
      writeUntracked((sql) => ownershipOffers.endOffer(sql, projectId, now, allow, trail(sql))),
    signUp: (account, link) => writeUntracked((sql) => invitations.signUp(sql, account, link, trail(sql))),
  }
}

/** @param found null if there is no such check */
function edited<Found extends CheckWithChannels | null>(found: Found): Changing<Found> {
  return {
    result: found,
    changes: found ? editsOf([[found.check.projectId, [found.check.id]]]) : NO_CHANGES,
  }
}
