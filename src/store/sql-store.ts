/** The store over any {@link Database}: says which functions form each transaction. */

import { PING_LOG_BYTES } from '../domain/ping/log-bytes.ts'
import * as accounts from './accounts.ts'
import * as attempts from './attempts.ts'
import { deleteAudit, findPauser, listAudit } from './audit.ts'
import { authoredWrites } from './authored-writes.ts'
import * as badges from './badges.ts'
import { ChangeFeed } from './change-feed.ts'
import { countChecks, listChannelActivities } from './channel-activity.ts'
import * as channels from './channels.ts'
import * as checks from './checks.ts'
import { readClock } from './clock.ts'
import * as clockSteps from './clock-steps.ts'
import * as concerns from './concerns.ts'
import type { Database } from './database.ts'
import * as deliveries from './deliveries.ts'
import * as deliveryChanges from './delivery-changes.ts'
import * as deliveryLists from './delivery-lists.ts'
import * as figures from './figures.ts'
import * as flips from './flips.ts'
import * as instances from './instances.ts'
import * as keys from './keys.ts'
import * as leases from './leases.ts'
import * as log from './log.ts'
import * as mailings from './mail/mailings.ts'
import * as pings from './pings.ts'
import * as projects from './projects.ts'
import { createPrune } from './retention/retention.ts'
import { Steps, type StepTiming, UNTIMED } from './retention/steps.ts'
import { NO_CHANGES, Revisions } from './revisions.ts'
import * as runDurations from './run-durations.ts'
import * as search from './search.ts'
import * as sessions from './sessions.ts'
import * as statusPages from './status-pages.ts'
import type { Store } from './store.ts'
import { listTroubles } from './troubles.ts'
import { removeExpiredUndos } from './undos.ts'
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
  const { write, writeChanging, writeAlerts, writeAccess, writeUntracked } = writes
  return {
    by: (author) => authoredWrites(writes, author),
    listAudit: (limit) => read((sql) => listAudit(sql, limit)),
    findPauser: (check, at) => read((sql) => findPauser(sql, check, at)),
    probe: () => read((sql) => projects.probe(sql)),
    probeWrite: (at) => writeUntracked((sql) => projects.probeWrite(sql, at), 'probe'),
    size: () => database.size(),
    durability: () => database.durability(),
    close: () => database.close(),

    findAlive: () => read((sql) => projects.findAlive(sql)),
    recordAlive: (at, outage, instance) =>
      writeUntracked(async (sql) => {
        await projects.recordAlive(sql, at, outage)
        if (instance) await instances.recordInstance(sql, instance)
      }, 'upkeep'),
    recordStop: (at, instanceId) =>
      writeUntracked(async (sql) => {
        await projects.recordAlive(sql, at)
        await instances.removeInstance(sql, instanceId)
        await leases.endLeases(sql, instanceId)
      }, 'upkeep'),
    readClock: () => read(readClock),
    listInstances: () => read((sql) => instances.listInstances(sql)),
    removeInstances: (before) => writeUntracked((sql) => instances.removeInstances(sql, before), 'upkeep'),
    takeLease: (name, holder, seconds) =>
      writeUntracked((sql) => leases.takeLease(sql, name, holder, seconds), 'upkeep'),
    pullBack: (now) => write((sql) => clockSteps.pullBack(sql, now)),
    findOutage: () => read((sql) => projects.findOutage(sql)),
    findSetting: (name) => read((sql) => projects.findSetting(sql, name)),
    getOrCreateSetting: (name, value) => writeUntracked((sql) => projects.getOrCreateSetting(sql, name, value)),
    listProjects: () => read((sql) => projects.listProjects(sql)),
    findProject: (id) => read((sql) => projects.findProject(sql, id)),
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
    listAccounts: () => read((sql) => accounts.listAccounts(sql)),
    createSession: (session, passwordHash) =>
      writeUntracked((sql) => sessions.createSession(sql, session, passwordHash)),
    findSession: (lookup) => read((sql) => sessions.findSession(sql, lookup)),
    touchSession: (lookup, at, address) => writeUntracked((sql) => sessions.touchSession(sql, lookup, at, address)),
    listSessions: (accountId) => read((sql) => sessions.listSessions(sql, accountId)),
    endSession: (accountId, lookup) => writeAccess((sql) => sessions.endSession(sql, accountId, lookup)),
    endSessions: (accountId, kept) => writeAccess((sql) => sessions.endSessions(sql, accountId, kept)),
    createLink: (link) => writeUntracked((sql) => sessions.createLink(sql, link)),
    findLink: (lookup) => read((sql) => sessions.findLink(sql, lookup)),
    useLink: (lookup) => writeUntracked((sql) => sessions.useLink(sql, lookup)),

    findKey: (lookup) => read((sql) => keys.findKey(sql, lookup)),
    listKeys: (projectId) => read((sql) => keys.listKeys(sql, projectId)),
    touchKey: (lookup, at) => writeUntracked((sql) => keys.touchKey(sql, lookup, at), 'upkeep'),

    changeChannel: (id, change) => writeAlerts((sql) => channels.changeChannel(sql, id, change, null)),
    findChannel: (id) => read((sql) => channels.findChannel(sql, id)),
    listChannels: (projectId) => read((sql) => channels.listChannels(sql, projectId)),
    listChannelActivities: (ids) => read((sql) => listChannelActivities(sql, ids)),
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
    findTarget: (target) => read((sql) => pings.findTarget(sql, target)),
    listPings: (checkId, limit) => read((sql) => log.listPings(sql, checkId, limit)),
    findPingStart: (checkId, n, bytes) => read((sql) => log.findPingStart(sql, checkId, n, bytes)),
    readLog: (checkId, before, limit) => read((sql) => log.readLog(sql, checkId, before, limit)),
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

    findStatusPage: (projectId) => read((sql) => statusPages.findStatusPage(sql, projectId)),
    findPublicStatusPage: (slug) => read((sql) => statusPages.findPublicStatusPage(sql, slug)),

    listFlips: (checkId, filter, after, atMost) => read((sql) => flips.listFlips(sql, checkId, filter, after, atMost)),
    listConcerns: (projectId, now, after) => read((sql) => concerns.listConcerns(sql, projectId, now, after)),
    listRecoveries: (projectId, since, after) => read((sql) => concerns.listRecoveries(sql, projectId, since, after)),
    listTroubles: (ids) => read((sql) => listTroubles(sql, ids)),
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
    listDownCandidates: (projectId, now) => read((sql) => mailings.listDownCandidates(sql, projectId, now)),

    prune: createPrune(steps, logBytes),
    pruneAudit: (before, limit) => deleteAudit(steps, before, limit),
    async removeExpired(now) {
      await sessions.removeExpired(steps, now)
      await removeExpiredUndos(steps, now)
    },
  }
}
