/** The store over any {@link Database}: says which functions form each transaction. */

import { PING_LOG_BYTES } from '../../domain/log/log-bytes.ts'
import * as attempts from '../alerts/attempts.ts'
import * as deliveries from '../alerts/deliveries.ts'
import * as deliveryChanges from '../alerts/delivery-changes.ts'
import * as deliveryLists from '../alerts/delivery-lists.ts'
import * as mailings from '../alerts/mailings.ts'
import { deleteAudit, findDeletedChecks, findPauser, listAudit, readAudit } from '../audit.ts'
import { countChecks, listChannelActivities, listFailingSince } from '../channels/channel-activity.ts'
import * as channels from '../channels/channels.ts'
import { listMailTargets } from '../channels/mail-targets.ts'
import * as badges from '../checks/badges.ts'
import * as checks from '../checks/checks.ts'
import * as flips from '../checks/flips.ts'
import * as runDurations from '../checks/run-durations.ts'
import { removeExpiredUndos } from '../checks/undos.ts'
import { extendCheck } from '../imports/extended-checks.ts'
import { findClashes } from '../imports/import-clashes.ts'
import { addAlerts } from '../imports/imported-alerts.ts'
import { preparedChecks } from '../imports/imported-checks.ts'
import * as importedSecrets from '../imports/imported-secrets.ts'
import * as stagedLogs from '../imports/staged-logs.ts'
import * as stagedProjects from '../imports/staged-projects.ts'
import * as concerns from '../overview/concerns.ts'
import { listTroubles } from '../overview/troubles.ts'
import * as accounts from '../people/accounts.ts'
import { listAccountPage } from '../people/administration.ts'
import * as closing from '../people/closing.ts'
import * as identities from '../people/identities.ts'
import * as invitations from '../people/invitations.ts'
import * as ownershipOffers from '../people/ownership-offers.ts'
import * as passkeys from '../people/passkeys.ts'
import * as secondFactors from '../people/second-factors.ts'
import * as sessions from '../people/sessions.ts'
import { findTeamMember, listTeam } from '../people/team.ts'
import * as tokens from '../people/tokens.ts'
import * as log from '../pings/log.ts'
import { listPingKeyUses, notePingKeyUses } from '../pings/ping-key-uses.ts'
import * as pings from '../pings/pings.ts'
import * as search from '../pings/search.ts'
import * as uncounted from '../pings/uncounted.ts'
import * as keys from '../projects/keys.ts'
import * as projects from '../projects/projects.ts'
import * as statusPages from '../projects/status-pages.ts'
import { removeDeletedLogs } from '../retention/left-logs.ts'
import { createPrune } from '../retention/retention.ts'
import { ChangeFeed } from '../revisions/change-feed.ts'
import { NO_CHANGES, Revisions } from '../revisions/revisions.ts'
import { readClock } from '../server/clock.ts'
import * as clockSteps from '../server/clock-steps.ts'
import * as figures from '../server/figures.ts'
import * as instances from '../server/instances.ts'
import * as leases from '../server/leases.ts'
import * as settings from '../server/settings.ts'
import type { Database } from '../sql/database.ts'
import { Steps, type StepTiming, UNTIMED } from '../sql/steps.ts'
import type { Store } from '../store.ts'
import { authoredWrites } from './authored-writes.ts'
import { createWrites } from './writes.ts'

/**
 * @param timing of work that is split into many transactions
 * @param logBytes that the bodies of a check's log may take beyond the newest entry's
 */
export function createStore(
  database: Database,
  timing: StepTiming = UNTIMED,
  logBytes: number = PING_LOG_BYTES,
): Store {
  const steps = new Steps(database, timing)
  const read = database.read.bind(database)
  const feed = new ChangeFeed()
  const revisions = new Revisions(
    () => database.readOthers(),
    (touched) => feed.checks({ ...NO_CHANGES, touched, statuses: true }),
  )
  const writes = createWrites(database, revisions, feed)
  const { write, writeChanging, writeAlerts, writeUntracked } = writes
  return {
    by: (author) => authoredWrites(writes, author, { steps, logBytes }),
    listAudit: (limit) => read((sql) => listAudit(sql, limit)),
    readAudit: (range, after, limit) => read((sql) => readAudit(sql, range, after, limit)),
    findPauser: (check, at) => read((sql) => findPauser(sql, check, at)),
    probe: () => read((sql) => settings.probe(sql)),
    probeWrite: (at) => writeUntracked((sql) => settings.probeWrite(sql, at), 'probe'),
    size: () => database.size(),
    durability: () => database.durability(),
    close: () => database.close(),

    findAlive: () => read((sql) => settings.findAlive(sql)),
    recordAlive: (at, outage, instance) =>
      writeUntracked(async (sql) => {
        await settings.recordAlive(sql, at, outage)
        if (instance) await instances.recordInstance(sql, instance)
      }, 'upkeep'),
    recordStop: (at, instanceId) =>
      writeUntracked(async (sql) => {
        await settings.recordAlive(sql, at)
        await instances.removeInstance(sql, instanceId)
        await leases.endLeases(sql, instanceId)
      }, 'upkeep'),
    readClock: () => read(readClock),
    listInstances: () => read((sql) => instances.listInstances(sql)),
    removeInstances: (before) => writeUntracked((sql) => instances.removeInstances(sql, before), 'upkeep'),
    takeLease: (name, holder, seconds) =>
      writeUntracked((sql) => leases.takeLease(sql, name, holder, seconds), 'upkeep'),
    pullBack: (now) => write((sql) => clockSteps.pullBack(sql, now)),
    findOutage: () => read((sql) => settings.findOutage(sql)),
    findSetting: (name) => read((sql) => settings.findSetting(sql, name)),
    getOrCreateSetting: (name, value) => writeUntracked((sql) => settings.getOrCreateSetting(sql, name, value)),
    listProjects: () => read((sql) => projects.listProjects(sql)),
    findProject: (id) => read((sql) => projects.findProject(sql, id)),
    findHolder: (of) => read((sql) => projects.findHolder(sql, of)),
    findProjects: (idOrName) => read((sql) => projects.findProjects(sql, idOrName)),
    findProjectOfPerson: (slug, accountId) => read((sql) => projects.findProjectOfPerson(sql, slug, accountId)),
    listPlacesOfPerson: (accountId, all) => read((sql) => projects.listPlacesOfPerson(sql, accountId, all)),
    listProjectsOfPerson: (accountId, all) => read((sql) => projects.listProjectsOfPerson(sql, accountId, all)),
    countDown: (projectIds) => read((sql) => projects.countDown(sql, projectIds)),
    countContents: (projectId) => read((sql) => projects.countContents(sql, projectId)),
    listProjectBriefs: (accountId, all) => read((sql) => projects.listProjectBriefs(sql, accountId, all)),
    listMembers: (projectId) => read((sql) => accounts.listMembers(sql, projectId)),

    hasAccounts: () => read((sql) => accounts.hasAccounts(sql)),
    findAccount: (idOrEmail) => read((sql) => accounts.findAccount(sql, idOrEmail)),
    listAccountPage: (text, after, limit) => read((sql) => listAccountPage(sql, text, after, limit)),
    listAccounts: () => read((sql) => accounts.listAccounts(sql)),
    findSession: (lookup) => read((sql) => sessions.findSession(sql, lookup)),
    touchSession: (lookup, at, address) => writeUntracked((sql) => sessions.touchSession(sql, lookup, at, address)),
    listSessions: (accountId) => read((sql) => sessions.listSessions(sql, accountId)),
    createToken: (token) => writeUntracked((sql) => tokens.createToken(sql, token)),
    findToken: (lookup, purpose) => read((sql) => tokens.findToken(sql, lookup, purpose)),
    takeToken: (lookup, purpose) => writeUntracked((sql) => tokens.takeToken(sql, lookup, purpose)),
    useTotpStep: (accountId, secret, step, signIn) =>
      writeUntracked((sql) => secondFactors.useTotpStep(sql, accountId, secret, step, signIn)),
    useRecoveryCode: (accountId, lookup, signIn) =>
      writeUntracked((sql) => secondFactors.useRecoveryCode(sql, accountId, lookup, signIn)),
    countRecoveryCodes: (accountId) => read((sql) => secondFactors.countRecoveryCodes(sql, accountId)),
    readClosing: (accountId) => read((sql) => closing.readClosing(sql, accountId)),
    seeAccount: (id, at) => writeUntracked((sql) => sessions.seeAccount(sql, id, at)),
    renewPasswordHash: (id, hash, renewed) =>
      writeUntracked((sql) => accounts.renewPasswordHash(sql, id, hash, renewed)),
    confirmSession: (lookup, at) => writeUntracked((sql) => sessions.confirmSession(sql, lookup, at)),

    findAccountOf: (identity) => read((sql) => identities.findAccountOf(sql, identity)),
    listIdentities: (accountId) => read((sql) => identities.listIdentities(sql, accountId)),
    touchIdentity: (identity, at) => writeUntracked((sql) => identities.touchIdentity(sql, identity, at)),
    listPasskeys: (accountId) => read((sql) => passkeys.listPasskeys(sql, accountId)),
    findPasskey: (id) => read((sql) => passkeys.findPasskey(sql, id)),
    usePasskey: (use, at) => writeUntracked((sql) => passkeys.usePasskey(sql, use, at)),

    findKey: (lookup) => read((sql) => keys.findKey(sql, lookup)),
    listKeys: (projectId) => read((sql) => keys.listKeys(sql, projectId)),
    touchKey: (lookup, at) => writeUntracked((sql) => keys.touchKey(sql, lookup, at), 'upkeep'),
    notePingKeyUses: (uses) => writeUntracked((sql) => notePingKeyUses(sql, uses), 'upkeep'),
    listPingKeyUses: (projectId, since) => read((sql) => listPingKeyUses(sql, projectId, since)),

    changeChannel: (id, change) => writeAlerts((sql) => channels.changeChannel(sql, id, change, null)),
    findChannel: (id) => read((sql) => channels.findChannel(sql, id)),
    findChannels: (ids) => read((sql) => channels.findChannels(sql, ids)),
    listChannels: (projectId) => read((sql) => channels.listChannels(sql, projectId)),
    listChannelActivities: (ids) => read((sql) => listChannelActivities(sql, ids)),
    listFailingSince: (ids) => read((sql) => listFailingSince(sql, ids)),
    countChecks: (projectId) => read((sql) => countChecks(sql, projectId)),

    listChecks: (projectId, filter, after) => read((sql) => checks.listChecks(sql, projectId, filter, after)),
    listChecksWithRuns: (projectId, after) => read((sql) => runDurations.listChecksWithRuns(sql, projectId, after)),
    listTags: (projectId, after) => read((sql) => checks.listTags(sql, projectId, after)),
    readChanges: (projectId, since) => revisions.ofProject(projectId, since),
    revisionOf: (projectId) => revisions.nowOfProject(projectId),
    statusRevision: () => revisions.nowOfStatuses(),
    readRevisionOfOthers: () => revisions.ofOthers(),
    accessRevision: () => revisions.nowOfAccess(),
    watchChanges: (listener) => feed.watch(listener),
    watchNotices: (listener) => database.watchNotices(listener),
    findCheck: (id) => read((sql) => checks.findCheck(sql, id)),
    findChecks: (ids) => read((sql) => checks.findChecks(sql, ids)),
    findCheckByUniqueKey: (projectId, key) => read((sql) => checks.findCheckByUniqueKey(sql, projectId, key)),
    listCheckPlaces: (key) => read((sql) => checks.listCheckPlaces(sql, key)),
    findCheckByPublicId: (projectId, id) => read((sql) => checks.findCheckByPublicId(sql, projectId, id)),
    listBadgeChecks: (projectBadgeKey, after) => read((sql) => badges.listBadgeChecks(sql, projectBadgeKey, after)),
    findBadgeCheck: (badgeKey) => read((sql) => badges.findBadgeCheck(sql, badgeKey)),

    async commitPings(arrivals, rules) {
      const committed = await writeChanging((sql) => pings.commitPings(sql, arrivals, rules, logBytes), 'pings')
      // Another process may be the one that prunes.
      if (committed.prunable) database.notify([])
      return committed
    },
    findPingKey: (spelled) => read((sql) => keys.findPingKey(sql, spelled)),
    findTarget: (target) => read((sql) => pings.findTarget(sql, target)),
    listPings: (checkId, limit) => read((sql) => log.listPings(sql, checkId, limit)),
    findPingStart: (checkId, n, bytes) => read((sql) => log.findPingStart(sql, checkId, n, bytes)),
    readBodyEnds: (checkId, numbers) => read((sql) => log.readBodyEnds(sql, checkId, numbers)),
    readLog: (checkId, before, limit, bytes) => read((sql) => log.readLog(sql, checkId, before, limit, bytes)),
    findPing: (checkId, n) => read((sql) => log.findPing(sql, checkId, n)),

    findUnreadPings: async () => {
      const settled = await database.settledPings()
      return steps.read((sql) => search.findUnread(sql, settled))
    },
    writePingWords: (unread, words) => steps.write((sql, isOver) => search.writeWords(sql, isOver, unread, words)),
    mustRefillUnreadPings: () => steps.read((sql) => search.isMarked(sql)),
    refillUnreadPings: () => steps.write((sql) => search.fillQueue(sql)),
    tidyPingWords: () => steps.write((sql) => sql.words.tidy()),
    searchPings: (projectId, pattern, ids, limit) =>
      read((sql) => search.searchPings(sql, projectId, pattern, ids, limit)),
    findHitBegins: (hits) => read((sql) => search.findHitBegins(sql, hits)),
    readSearchProgress: () => read((sql) => search.readProgress(sql)),

    listTeam: (projectId, limit) => read((sql) => listTeam(sql, projectId, limit)),
    findTeamMember: (projectId, accountId) => read((sql) => findTeamMember(sql, projectId, accountId)),
    listInvitations: (projectId, now) => read((sql) => invitations.listInvitations(sql, projectId, now)),
    isInvited: (email, now) => read((sql) => invitations.isInvited(sql, email, now)),
    findInvitation: (lookup, now) => read((sql) => invitations.findInvitation(sql, lookup, now)),
    findOffer: (projectId, now) => read((sql) => ownershipOffers.findOffer(sql, projectId, now)),
    listOffersTo: (accountId, now) => read((sql) => ownershipOffers.listOffersTo(sql, accountId, now)),

    findStatusPage: (projectId) => read((sql) => statusPages.findStatusPage(sql, projectId)),
    findPublicStatusPage: (slug) => read((sql) => statusPages.findPublicStatusPage(sql, slug)),

    listFlips: (checkId, filter, after, atMost) => read((sql) => flips.listFlips(sql, checkId, filter, after, atMost)),
    listConcerns: (projectId, now, after) => read((sql) => concerns.listConcerns(sql, projectId, now, after)),
    listAdvisable: (projectId, muteChannelIds, now, after) =>
      read((sql) => concerns.listAdvisable(sql, projectId, muteChannelIds, now, after)),
    listRecoveries: (projectId, since, after) => read((sql) => concerns.listRecoveries(sql, projectId, since, after)),
    listTroubles: (ids) => read((sql) => listTroubles(sql, ids)),
    listResumptions: (ids) => read((sql) => flips.listResumptions(sql, ids)),
    listUncounted: (ids, until) => read((sql) => uncounted.listUncounted(sql, ids, until)),
    listRefused: (ids, now) => read((sql) => uncounted.listRefused(sql, ids, now)),
    async addRefused(noted, now) {
      const refused = await read((sql) => uncounted.findRefusedChecks(sql, noted))
      if (refused.length === 0) return
      await writeUntracked((sql) => uncounted.addRefused(sql, refused, now))
      feed.checks({ ...NO_CHANGES, touched: uncounted.touchedBy(refused) })
    },
    nextLookAt: () => read((sql) => flips.nextLookAt(sql)),
    judgeOverdue: (now, rules, limit, locked) =>
      writeChanging((sql) => flips.judgeOverdue(sql, now, rules, limit, locked)),

    readOutbox: () => read((sql) => figures.readOutbox(sql)),
    readTotals: () => read((sql) => figures.readTotals(sql)),
    nextDeliveryAt: () => read((sql) => deliveries.nextDeliveryAt(sql)),
    claimDeliveries: (now, leaseEndsAt, rules) =>
      writeUntracked((sql) => deliveries.claimDeliveries(sql, now, leaseEndsAt, rules)),
    renewLeases: (leases, endsAt) => writeUntracked((sql) => deliveries.renewLeases(sql, leases, endsAt)),
    failSentDelivery: async (id, failure) =>
      (await writeAlerts((sql) => deliveries.failSentDelivery(sql, id, failure))) !== null,
    findDeliveries: (idStart, limit) => read((sql) => deliveries.findDeliveries(sql, idStart, limit)),
    findDeliveryOf: (projectId, key) => read((sql) => deliveryLists.findDeliveryOf(sql, projectId, key)),
    countBehind: (delivery) => read((sql) => deliveryLists.countBehind(sql, delivery)),
    hasLaterSent: (delivery) => read((sql) => deliveryLists.hasLaterSent(sql, delivery)),
    findNewestDeliveries: (channelIds, filter, before) =>
      read((sql) => deliveryLists.findNewestDeliveries(sql, channelIds, filter, before)),
    readDeliveries: (channelId, filter, before, limit) =>
      read((sql) => deliveryLists.readDeliveries(sql, channelId, filter, before, limit)),
    countWaiting: (projectIds, limit) => read((sql) => deliveryLists.countWaiting(sql, projectIds, limit)),
    countDeliveries: (channelIds, since, limit) =>
      read((sql) => deliveryLists.countDeliveries(sql, channelIds, since, limit)),
    listWaiting: (channelId, later, limit) => read((sql) => deliveryChanges.listWaiting(sql, channelId, later, limit)),
    listAttempts: (deliveryId) => read((sql) => attempts.listAttempts(sql, deliveryId)),
    listDeliveries: (projectId, state, limit) =>
      read((sql) => deliveryLists.listDeliveries(sql, projectId, state, limit)),
    listDeliveriesOfFlips: (projectId, of) => read((sql) => deliveryLists.listDeliveriesOfFlips(sql, projectId, of)),
    deleteEndedDeliveries: (channelId, limit) =>
      writeUntracked((sql) => channels.deleteEndedDeliveries(sql, channelId, limit)),
    async recordDelivery(delivery, result, trace, now) {
      await writeAlerts((sql) => deliveries.recordDelivery(sql, delivery, result, trace, now))
    },

    nextMailingAt: () => read((sql) => mailings.nextMailingAt(sql)),
    claimMailings: (now, leaseEndsAt, limit) =>
      writeUntracked((sql) => mailings.claimMailings(sql, now, leaseEndsAt, limit)),
    recordMailing: (mailing, result) => writeUntracked((sql) => mailings.recordMailing(sql, mailing, result)),
    listMailings: (projectId) => read((sql) => mailings.listMailings(sql, projectId)),
    listMailingsOf: (channelIds) => read((sql) => mailings.listMailingsOf(sql, channelIds)),
    listMailTargets: (accountId, all, after) => read((sql) => listMailTargets(sql, accountId, all, after)),
    listDownCandidates: (projectId, now) => read((sql) => mailings.listDownCandidates(sql, projectId, now)),

    findImportExtents: (checkIds) => read((sql) => stagedLogs.findImportExtents(sql, checkIds)),
    findImportClashes: (claiming) => read((sql) => findClashes(sql, claiming)),
    findDeletedChecks: (checkIds) => read((sql) => findDeletedChecks(sql, checkIds)),
    listStagedLogs: () => read((sql) => stagedLogs.listStagedLogs(sql)),
    findStagedFlips: (checkIds) => read((sql) => stagedLogs.findStagedFlips(sql, checkIds)),
    stageLogs: (parts, now) => writeUntracked((sql) => stagedLogs.stageLogs(sql, parts, now), 'bulk'),
    dropStagedLogs: (checkIds) => writeUntracked((sql) => stagedLogs.dropStagedLogs(sql, checkIds)),
    async dropStaleLogs(before, limit) {
      const stale = await read((sql) => stagedLogs.findStaleLogs(sql, before, limit))
      if (stale.length === 0) return 0
      return writeUntracked((sql) => stagedLogs.dropStaleLogs(sql, before, limit), 'upkeep')
    },
    removeDeletedLogs: (checkIds) => removeDeletedLogs(steps, checkIds),
    beginProject: (order, importId, now) =>
      writeUntracked((sql) => stagedProjects.beginProject(sql, order, importId, now), 'bulk'),
    async stageChecks(project, checks, rules, now) {
      const made = await preparedChecks(steps, checks, rules)
      return writeUntracked((sql) => stagedProjects.stageChecks(sql, project, made, now), 'bulk')
    },
    listStagedProjects: () => read(stagedProjects.listStagedProjects),
    dropStagedProject: (project) => stagedProjects.dropStagedProject(steps, project),
    extendCheck: (extension, rules) => writeChanging((sql) => extendCheck(sql, extension, rules)),
    addAlerts: (alerts) => writeUntracked((sql) => addAlerts(sql, alerts)),
    listImportedSecrets: () => read(importedSecrets.listImportedSecrets),
    listBadgeSignatures: (badgeKey, tag) => read((sql) => importedSecrets.listBadgeSignatures(sql, badgeKey, tag)),
    rehashKey: (lookup, newLookup) => writeUntracked((sql) => keys.rehashKey(sql, lookup, newLookup)),

    prune: createPrune(steps, logBytes),
    pruneAudit: (before, limit) => deleteAudit(steps, before, limit),
    pruneAnswers: (before, limit) => attempts.dropAnswers(steps, before, limit),
    async removeExpired(now) {
      await sessions.removeExpired(steps, now)
      await removeExpiredUndos(steps, now)
      await uncounted.removeOldRefused(steps, now)
    },
  }
}
