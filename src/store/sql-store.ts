/** The store on any database that speaks the seam's SQL: says for each use which functions run in one transaction. */
import { Refusal } from '../domain/errors.ts'
import { PING_LOG_BYTES } from '../domain/log-bytes.ts'
import type { CheckWithChannels } from '../domain/representation.ts'
import * as badges from './badges.ts'
import * as channels from './channels.ts'
import * as checks from './checks.ts'
import * as clockSteps from './clock-steps.ts'
import type { Database, Sql } from './database.ts'
import * as deliveries from './deliveries.ts'
import * as figures from './figures.ts'
import * as flips from './flips.ts'
import * as log from './log.ts'
import * as mailings from './mailings.ts'
import * as pings from './pings.ts'
import * as projects from './projects.ts'
import { createPrune } from './retention.ts'
import { type Changing, NO_CHANGES, Revisions } from './revisions.ts'
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
  const read = database.read.bind(database)
  const revisions = new Revisions(() => database.foreignCommits())
  /** For writes that change nothing of what the API shows of checks. */
  const writeUnseen = database.write.bind(database)
  /** For the others. What was refused as unavailable may be committed all the same, in a file that was taken away. */
  const writeSeen: Database['write'] = async (work) => {
    try {
      return await database.write(work)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unavailable') revisions.allChanged()
      throw error
    }
  }
  const write: Database['write'] = async (work) => {
    const result = await writeSeen(work)
    revisions.allChanged()
    return result
  }
  const writeChanging = async <Result>(work: (sql: Sql) => Promise<Changing<Result>>): Promise<Result> => {
    const { result, changes } = await writeSeen(work)
    revisions.changed(changes)
    return result
  }
  /** @param found null when there is no such check */
  const edited = <Found extends CheckWithChannels | null>(found: Found): Changing<Found> => ({
    result: found,
    changes: found ? { ...NO_CHANGES, edited: new Set([found.check.projectId]), statuses: true } : NO_CHANGES,
  })
  return {
    ping: () => read((sql) => projects.proveReadable(sql)),
    proveWritable: (at) => writeUnseen((sql) => projects.proveWritable(sql, at)),
    size: () => database.size(),
    close: () => database.close(),

    findAlive: () => read((sql) => projects.findAlive(sql)),
    recordAlive: (at, outage) => writeUnseen((sql) => projects.recordAlive(sql, at, outage)),
    pullBack: (now) => write((sql) => clockSteps.pullBack(sql, now)),
    findOutage: () => read((sql) => projects.findOutage(sql)),
    findSetting: (name) => read((sql) => projects.findSetting(sql, name)),
    settleSetting: (name, value) => writeUnseen((sql) => projects.settleSetting(sql, name, value)),
    createProject: (project, keys) => writeUnseen((sql) => projects.createProject(sql, project, keys)),
    listProjects: () => read((sql) => projects.listProjects(sql)),
    findProject: (idOrName) => read((sql) => projects.findProject(sql, idOrName)),
    setPingLogLimit: (id, limit) => writeUnseen((sql) => projects.setPingLogLimit(sql, id, limit)),
    createKey: (key) => writeUnseen((sql) => projects.createKey(sql, key)),
    listKeys: (projectId) => read((sql) => projects.listKeys(sql, projectId)),
    deleteKey: (projectId, lookup) => writeUnseen((sql) => projects.deleteKey(sql, projectId, lookup)),
    findAccess: (lookup) => read((sql) => projects.findAccess(sql, lookup)),

    createChannel: (channel, wanted) => writeUnseen((sql) => channels.createChannel(sql, channel, wanted)),
    findChannel: (id) => read((sql) => channels.findChannel(sql, id)),
    changeChannel: (id, change) => writeUnseen((sql) => channels.changeChannel(sql, id, change)),
    deleteChannel: (id) => write((sql) => channels.deleteChannel(sql, id)),
    listChannels: (projectId) => read((sql) => channels.listChannels(sql, projectId)),

    listChecks: (projectId, filter, after) => read((sql) => checks.listChecks(sql, projectId, filter, after)),
    listChecksWithRuns: (projectId, after) => read((sql) => runDurations.listChecksWithRuns(sql, projectId, after)),
    listTags: (projectId, after) => read((sql) => checks.listTags(sql, projectId, after)),
    readChanges: (projectId, since) => revisions.ofProject(projectId, since),
    readStatusRevision: () => revisions.ofStatuses(),
    findCheck: (id) => read((sql) => checks.findCheck(sql, id)),
    findChecks: (ids) => read((sql) => checks.findChecks(sql, ids)),
    findCheckByUniqueKey: (projectId, key) => read((sql) => checks.findCheckByUniqueKey(sql, projectId, key)),
    listBadgeChecks: (projectBadgeKey, after) => read((sql) => badges.listBadgeChecks(sql, projectBadgeKey, after)),
    findBadgeCheck: (badgeKey) => read((sql) => badges.findBadgeCheck(sql, badgeKey)),
    upsertCheck: (fresh, criteria, decide, rules) =>
      writeChanging(async (sql) => edited(await checks.upsertCheck(sql, fresh, criteria, decide, rules))),
    changeCheck: (id, decide, rules) =>
      writeChanging(async (sql) => edited(await checks.changeCheck(sql, id, decide, rules))),
    deleteCheck: (id) => writeChanging(async (sql) => edited(await checks.deleteCheck(sql, id))),

    commitPings: (arrivals, rules) => writeChanging((sql) => pings.commitPings(sql, arrivals, rules, logBytes)),
    findTarget: (target) => read((sql) => pings.findTarget(sql, target)),
    listPings: (checkId, limit) => read((sql) => log.listPings(sql, checkId, limit)),
    findPing: (checkId, n) => read((sql) => log.findPing(sql, checkId, n)),

    listFlips: (checkId, filter, after) => read((sql) => flips.listFlips(sql, checkId, filter, after)),
    nextLookAt: () => read((sql) => flips.nextLookAt(sql)),
    judgeOverdue: (now, rules, limit) => writeChanging((sql) => flips.judgeOverdue(sql, now, rules, limit)),

    readOutbox: () => read((sql) => figures.readOutbox(sql)),
    readTotals: () => read((sql) => figures.readTotals(sql)),
    nextDeliveryAt: () => read((sql) => deliveries.nextDeliveryAt(sql)),
    claimDeliveries: (now, leaseEndsAt, rules) =>
      writeUnseen((sql) => deliveries.claimDeliveries(sql, now, leaseEndsAt, rules)),
    renewLeases: (leases, endsAt) => writeUnseen((sql) => deliveries.renewLeases(sql, leases, endsAt)),
    failSentDelivery: (id, failure) => writeUnseen((sql) => deliveries.failSentDelivery(sql, id, failure)),
    listDeliveries: (projectId, state, limit) => read((sql) => deliveries.listDeliveries(sql, projectId, state, limit)),
    recordDelivery: (delivery, result, now) =>
      writeUnseen((sql) => deliveries.recordDelivery(sql, delivery, result, now)),

    nextMailingAt: () => read((sql) => mailings.nextMailingAt(sql)),
    claimMailings: (now, leaseEndsAt, limit) =>
      writeUnseen((sql) => mailings.claimMailings(sql, now, leaseEndsAt, limit)),
    recordMailing: (mailing, result) => writeUnseen((sql) => mailings.recordMailing(sql, mailing, result)),
    listMailings: (projectId) => read((sql) => mailings.listMailings(sql, projectId)),
    listChecksAfter: (projectId, check, limit) => read((sql) => mailings.listChecksAfter(sql, projectId, check, limit)),
    listFlipsDownFrom: (checkId, n, limit) => read((sql) => mailings.listFlipsDownFrom(sql, checkId, n, limit)),
    listPerhapsDown: (projectId, now) => read((sql) => mailings.listPerhapsDown(sql, projectId, now)),

    prune: createPrune(steps, logBytes),
  }
}
