/** The store over any {@link Database}: says which functions form each transaction. */

import type { Author } from '../domain/audit/audit.ts'
import type { CheckWithChannels } from '../domain/check/representation.ts'
import { Refusal } from '../domain/errors.ts'
import { PING_LOG_BYTES } from '../domain/ping/log-bytes.ts'
import * as accounts from './accounts.ts'
import { AuditTrail, deleteAudit, findPauser, listAudit } from './audit.ts'
import * as badges from './badges.ts'
import * as bulk from './bulk.ts'
import { ChangeFeed } from './change-feed.ts'
import * as channels from './channels.ts'
import * as checks from './checks.ts'
import { readClock } from './clock.ts'
import * as clockSteps from './clock-steps.ts'
import * as concerns from './concerns.ts'
import type { Database, Sql, WriteKind } from './database.ts'
import * as deliveries from './deliveries.ts'
import * as figures from './figures.ts'
import * as flips from './flips.ts'
import * as instances from './instances.ts'
import * as leases from './leases.ts'
import * as log from './log.ts'
import * as mailings from './mail/mailings.ts'
import * as pings from './pings.ts'
import * as projects from './projects.ts'
import { clearCheck } from './retention/cleared-checks.ts'
import { createPrune } from './retention/retention.ts'
import { Steps, type StepTiming, UNTIMED } from './retention/steps.ts'
import { type Changing, changedChecks, editsOf, NO_CHANGES, Revisions } from './revisions.ts'
import * as runDurations from './run-durations.ts'
import * as search from './search.ts'
import * as sessions from './sessions.ts'
import type { AuthoredWrites, Store } from './store.ts'
import * as transfers from './transfers.ts'
import { listTroubles } from './troubles.ts'
import { removeExpiredUndos } from './undos.ts'

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
  const revisions = new Revisions(() => database.revisionOfOthers())
  const feed = new ChangeFeed()
  const allChanged = () => {
    revisions.allChanged()
    feed.publish({ kind: 'all' })
  }
  /** For writes that change nothing that the API shows of checks. */
  const writeUntracked = database.write.bind(database)
  /** For all others. A write refused as `unavailable` may have been committed, to a file that was then taken away. */
  const writeTracked: Database['write'] = async (work, kind) => {
    try {
      return await database.write(work, kind)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unavailable') allChanged()
      throw error
    }
  }
  const write: Database['write'] = async (work) => {
    const result = await writeTracked(work)
    allChanged()
    return result
  }
  const writeChanging = async <Result>(
    work: (sql: Sql) => Promise<Changing<Result>>,
    kind?: WriteKind,
  ): Promise<Result> => {
    const { result, changes } = await writeTracked(work, kind)
    revisions.changed(changes)
    feed.checks(changes)
    // A flip owes deliveries, an edit may move a deadline.
    if (changes.statuses) database.notify(changedChecks(changes))
    return result
  }
  /** For writes that change who may see what. */
  const writeAccess: Database['write'] = async (work) => {
    const result = await writeUntracked(work)
    revisions.accessChanged()
    return result
  }
  /** @param found null if there is no such check */
  const edited = <Found extends CheckWithChannels | null>(found: Found): Changing<Found> => ({
    result: found,
    changes: found ? editsOf([[found.check.projectId, [found.check.id]]]) : NO_CHANGES,
  })
  const by = (author: Author): AuthoredWrites => {
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
      createKey: (key) => writeUntracked((sql) => projects.createKey(sql, key, trail(sql))),
      deleteKey: (projectId, lookup) => writeUntracked((sql) => projects.deleteKey(sql, projectId, lookup, trail(sql))),
      createChannel: (channel, wanted = {}) =>
        writeUntracked((sql) => channels.createChannel(sql, channel, wanted, trail(sql))),
      changeChannel: (id, change) => writeUntracked((sql) => channels.changeChannel(sql, id, change, trail(sql))),
      deleteChannel: (id) => write((sql) => channels.deleteChannel(sql, id, trail(sql))),
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
      createAccount: (account) => writeUntracked((sql) => accounts.createAccount(sql, account, trail(sql))),
      createFirstAccount: (first) => writeUntracked((sql) => accounts.createFirstAccount(sql, first, trail(sql))),
      changeAccount: (id, change, kept, link) =>
        writeAccess((sql) => accounts.changeAccount(sql, id, change, { kept, link: link ?? null }, trail(sql))),
      deleteAccount: (id) => writeAccess((sql) => accounts.deleteAccount(sql, id, trail(sql))),
      setMember: (member, allow) => writeAccess((sql) => accounts.setMember(sql, member, trail(sql), allow)),
      removeMember: (accountId, projectId, allow) =>
        writeAccess((sql) => accounts.removeMember(sql, { accountId, projectId }, trail(sql), allow)),
    }
  }
  return {
    by,
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

    findKey: (lookup) => read((sql) => projects.findKey(sql, lookup)),
    listKeys: (projectId) => read((sql) => projects.listKeys(sql, projectId)),

    changeChannel: (id, change) => writeUntracked((sql) => channels.changeChannel(sql, id, change, null)),
    findChannel: (id) => read((sql) => channels.findChannel(sql, id)),
    listChannels: (projectId) => read((sql) => channels.listChannels(sql, projectId)),

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

    listFlips: (checkId, filter, after) => read((sql) => flips.listFlips(sql, checkId, filter, after)),
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
    failSentDelivery: (id, failure) => writeUntracked((sql) => deliveries.failSentDelivery(sql, id, failure)),
    findDeliveries: (idStart, limit) => read((sql) => deliveries.findDeliveries(sql, idStart, limit)),
    retryDelivery: (id, now) => writeUntracked((sql) => deliveries.retryDelivery(sql, id, now)),
    listDeliveries: (projectId, state, limit) => read((sql) => deliveries.listDeliveries(sql, projectId, state, limit)),
    listDeliveriesOfFlips: (projectId, of) => read((sql) => deliveries.listDeliveriesOfFlips(sql, projectId, of)),
    async recordDelivery(delivery, result, now) {
      await writeUntracked((sql) => deliveries.recordDelivery(sql, delivery, result, now))
      feed.publish({ kind: 'delivery', checkId: delivery.checkId })
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
