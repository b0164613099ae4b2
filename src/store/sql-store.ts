/** The store on any database that speaks the seam's SQL: says for each use which functions run in one transaction. */

import { PING_LOG_BYTES } from '../domain/log-bytes.ts'
import * as badges from './badges.ts'
import * as channels from './channels.ts'
import * as checks from './checks.ts'
import * as clockSteps from './clock-steps.ts'
import type { Database } from './database.ts'
import * as deliveries from './deliveries.ts'
import * as figures from './figures.ts'
import * as flips from './flips.ts'
import * as log from './log.ts'
import * as mailings from './mailings.ts'
import * as pings from './pings.ts'
import * as projects from './projects.ts'
import { createPrune } from './retention.ts'
import * as runDurations from './run-durations.ts'
import { Steps, type StepTiming, UNTIMED } from './steps.ts'
import type { Store } from './store.ts'

/**
 * @param timing of work in many transactions
 * @param logBytes that the bodies of a check's log may take beyond the newest entry's
 */
export function createStore(
  database: Database,
  timing: StepTiming = UNTIMED,
  logBytes: number = PING_LOG_BYTES,
): Store {
  const steps = new Steps(database, timing)
  const { read, write } = { read: database.read.bind(database), write: database.write.bind(database) }
  return {
    ping: () => read((sql) => projects.proveReadable(sql)),
    proveWritable: (at) => write((sql) => projects.proveWritable(sql, at)),
    size: () => database.size(),
    close: () => database.close(),

    findAlive: () => read((sql) => projects.findAlive(sql)),
    recordAlive: (at, outage) => write((sql) => projects.recordAlive(sql, at, outage)),
    pullBack: (now) => write((sql) => clockSteps.pullBack(sql, now)),
    findOutage: () => read((sql) => projects.findOutage(sql)),
    findSetting: (name) => read((sql) => projects.findSetting(sql, name)),
    settleSetting: (name, value) => write((sql) => projects.settleSetting(sql, name, value)),
    createProject: (project, keys) => write((sql) => projects.createProject(sql, project, keys)),
    listProjects: () => read((sql) => projects.listProjects(sql)),
    findProject: (idOrName) => read((sql) => projects.findProject(sql, idOrName)),
    setPingLogLimit: (id, limit) => write((sql) => projects.setPingLogLimit(sql, id, limit)),
    createKey: (key) => write((sql) => projects.createKey(sql, key)),
    listKeys: (projectId) => read((sql) => projects.listKeys(sql, projectId)),
    deleteKey: (projectId, lookup) => write((sql) => projects.deleteKey(sql, projectId, lookup)),
    findAccess: (lookup) => read((sql) => projects.findAccess(sql, lookup)),

    createChannel: (channel, wanted) => write((sql) => channels.createChannel(sql, channel, wanted)),
    findChannel: (id) => read((sql) => channels.findChannel(sql, id)),
    changeChannel: (id, change) => write((sql) => channels.changeChannel(sql, id, change)),
    deleteChannel: (id) => write((sql) => channels.deleteChannel(sql, id)),
    listChannels: (projectId) => read((sql) => channels.listChannels(sql, projectId)),

    listChecks: (projectId, filter) => read((sql) => checks.listChecks(sql, projectId, filter)),
    listChecksWithRuns: (projectId) => read((sql) => runDurations.listChecksWithRuns(sql, projectId)),
    findCheck: (id) => read((sql) => checks.findCheck(sql, id)),
    findCheckByUniqueKey: (projectId, key) => read((sql) => checks.findCheckByUniqueKey(sql, projectId, key)),
    listBadgeChecks: (projectBadgeKey) => read((sql) => badges.listBadgeChecks(sql, projectBadgeKey)),
    findBadgeCheck: (badgeKey) => read((sql) => badges.findBadgeCheck(sql, badgeKey)),
    upsertCheck: (fresh, criteria, decide, rules) =>
      write((sql) => checks.upsertCheck(sql, fresh, criteria, decide, rules)),
    changeCheck: (id, decide, rules) => write((sql) => checks.changeCheck(sql, id, decide, rules)),
    deleteCheck: (id) => write((sql) => checks.deleteCheck(sql, id)),

    commitPings: (arrivals, rules) => write((sql) => pings.commitPings(sql, arrivals, rules, logBytes)),
    findTarget: (target) => read((sql) => pings.findTarget(sql, target)),
    listPings: (checkId, limit) => read((sql) => log.listPings(sql, checkId, limit)),
    findPing: (checkId, n) => read((sql) => log.findPing(sql, checkId, n)),

    listFlips: (checkId, filter) => read((sql) => flips.listFlips(sql, checkId, filter)),
    nextLookAt: () => read((sql) => flips.nextLookAt(sql)),
    judgeOverdue: (now, rules, limit) => write((sql) => flips.judgeOverdue(sql, now, rules, limit)),

    readOutbox: () => read((sql) => figures.readOutbox(sql)),
    readTotals: () => read((sql) => figures.readTotals(sql)),
    nextDeliveryAt: () => read((sql) => deliveries.nextDeliveryAt(sql)),
    claimDeliveries: (now, leaseEndsAt, rules) =>
      write((sql) => deliveries.claimDeliveries(sql, now, leaseEndsAt, rules)),
    renewLeases: (leases, endsAt) => write((sql) => deliveries.renewLeases(sql, leases, endsAt)),
    failSentDelivery: (id, failure) => write((sql) => deliveries.failSentDelivery(sql, id, failure)),
    listDeliveries: (projectId, state, limit) => read((sql) => deliveries.listDeliveries(sql, projectId, state, limit)),
    recordDelivery: (delivery, result, now) => write((sql) => deliveries.recordDelivery(sql, delivery, result, now)),

    nextMailingAt: () => read((sql) => mailings.nextMailingAt(sql)),
    claimMailings: (now, leaseEndsAt, limit) => write((sql) => mailings.claimMailings(sql, now, leaseEndsAt, limit)),
    recordMailing: (mailing, result) => write((sql) => mailings.recordMailing(sql, mailing, result)),
    listMailings: (projectId) => read((sql) => mailings.listMailings(sql, projectId)),
    listChecksAfter: (projectId, check, limit) => read((sql) => mailings.listChecksAfter(sql, projectId, check, limit)),
    listFlipsDownFrom: (checkId, n, limit) => read((sql) => mailings.listFlipsDownFrom(sql, checkId, n, limit)),
    listPerhapsDown: (projectId, now) => read((sql) => mailings.listPerhapsDown(sql, projectId, now)),

    prune: createPrune(steps, logBytes),
  }
}
