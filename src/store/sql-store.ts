/** The store on any database that speaks the seam's SQL: says for each use which functions run in one transaction. */

import * as channels from './channels.ts'
import * as checks from './checks.ts'
import type { Database } from './database.ts'
import * as deliveries from './deliveries.ts'
import * as flips from './flips.ts'
import * as log from './log.ts'
import * as pings from './pings.ts'
import * as projects from './projects.ts'
import type { Store } from './store.ts'

export function createStore(database: Database): Store {
  const { read, write } = { read: database.read.bind(database), write: database.write.bind(database) }
  return {
    ping: () => read(async (sql) => void (await sql.get('SELECT 1', []))),
    close: () => database.close(),

    findAlive: () => read((sql) => projects.findAlive(sql)),
    recordAlive: (at) => write((sql) => projects.recordAlive(sql, at)),
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

    createChannel: (channel) => write((sql) => channels.createChannel(sql, channel)),
    findChannel: (id) => read((sql) => channels.findChannel(sql, id)),
    updateChannel: (channel) => write((sql) => channels.updateChannel(sql, channel)),
    deleteChannel: (id) => write((sql) => channels.deleteChannel(sql, id)),
    listChannels: (projectId) => read((sql) => channels.listChannels(sql, projectId)),

    listChecks: (projectId, filter) => read((sql) => checks.listChecks(sql, projectId, filter)),
    findCheck: (id) => read((sql) => checks.findCheck(sql, id)),
    findCheckByUniqueKey: (projectId, key) => read((sql) => checks.findCheckByUniqueKey(sql, projectId, key)),
    upsertCheck: (fresh, criteria, decide, rules) =>
      write((sql) => checks.upsertCheck(sql, fresh, criteria, decide, rules)),
    changeCheck: (id, decide, rules) => write((sql) => checks.changeCheck(sql, id, decide, rules)),
    deleteCheck: (id) => write((sql) => checks.deleteCheck(sql, id)),

    commitPings: (arrivals, rules) => write((sql) => pings.commitPings(sql, arrivals, rules)),
    listPings: (checkId, limit) => read((sql) => log.listPings(sql, checkId, limit)),
    findPing: (checkId, n) => read((sql) => log.findPing(sql, checkId, n)),

    listFlips: (checkId, filter) => read((sql) => flips.listFlips(sql, checkId, filter)),
    nextLookAt: () => read((sql) => flips.nextLookAt(sql)),
    judgeOverdue: (now, rules, limit) => write((sql) => flips.judgeOverdue(sql, now, rules, limit)),

    nextDeliveryAt: () => read((sql) => deliveries.nextDeliveryAt(sql)),
    claimDeliveries: (now, leaseEndsAt, limits) =>
      write((sql) => deliveries.claimDeliveries(sql, now, leaseEndsAt, limits)),
    listDeliveries: (projectId, state, limit) => read((sql) => deliveries.listDeliveries(sql, projectId, state, limit)),
    recordTest: (channelId, error) => write((sql) => channels.recordTest(sql, channelId, error)),
    recordDelivery: (delivery, result, now) => write((sql) => deliveries.recordDelivery(sql, delivery, result, now)),

    prune: (flipsBefore, limit) =>
      write(async (sql) => {
        const { pings: shortened, logs } = await log.shortenLogs(sql, limit)
        const forgotten = await flips.deleteFlips(sql, flipsBefore, limit)
        return { pings: shortened, flips: forgotten, more: logs === limit || forgotten === limit }
      }),
  }
}
