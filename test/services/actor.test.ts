/** Every service that reads or changes a project, called by actors with each right. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Account } from '../../src/domain/account/account.ts'
import { includes, type Right, ROLES, type Role } from '../../src/domain/account/role.ts'
import { type Actor, operatorIn } from '../../src/domain/actor.ts'
import type { HttpAnswer } from '../../src/domain/carrier/http-exchange.ts'
import type { Channel } from '../../src/domain/channel/channel.ts'
import type { Check } from '../../src/domain/check/check.ts'
import { uniqueKey } from '../../src/domain/check/unique-key.ts'
import { Refusal } from '../../src/domain/errors.ts'
import type { Silence } from '../../src/domain/silence/silence.ts'
import type { WantedSilence } from '../../src/domain/silence/spec.ts'
import type { Section } from '../../src/domain/status-page/status-page.ts'
import { readPastedCrontab } from '../../src/import/engine/pasted-crontab.ts'
import { createProposals, findProposals, slugsOf, timingsBySlug } from '../../src/import/engine/proposals.ts'
import type { Instant } from '../../src/lib/time.ts'
import { invite, listInvitations, revokeInvitation } from '../../src/services/accounts/invitations.ts'
import { personOf } from '../../src/services/accounts/sign-in/sessions.ts'
import { readAdviceList } from '../../src/services/advice/advice-list.ts'
import { putOffAdvice, takeUpAdvice } from '../../src/services/advice/answers.ts'
import { readCheckAdvice, readReadings, tryFix } from '../../src/services/advice/check-advice.ts'
import { readPast } from '../../src/services/advice/past.ts'
import { judgePast, previewSchedule } from '../../src/services/advice/schedule-preview.ts'
import { suggest } from '../../src/services/advice/suggest.ts'
import { presentAlerts } from '../../src/services/advice/try-change.ts'
import { tryRulesOnLog } from '../../src/services/advice/try-rules.ts'
import { readAlertText } from '../../src/services/alerts/alert-text.ts'
import { groupByEvent } from '../../src/services/alerts/alerted-events.ts'
import {
  changeDelivery,
  type FoundDelivery,
  openDelivery,
  retryFailed,
  sendAllNow,
  whoWasTold,
} from '../../src/services/alerts/deliveries.ts'
import { readDeliveryList } from '../../src/services/alerts/delivery-list.ts'
import { exportProjectAudit, readProjectAudit } from '../../src/services/audit.ts'
import { readBadgeChoice } from '../../src/services/badges/badge-choice.ts'
import { readSelected, trySettings } from '../../src/services/bulk/settings.ts'
import { readChannelChecks } from '../../src/services/channels/channel-checks.ts'
import { deleteChannel } from '../../src/services/channels/channel-deletion.ts'
import { readChannelList, readListedChannel } from '../../src/services/channels/channel-list.ts'
import { inspectChannel, inspectMembers, testChannel, testMembers } from '../../src/services/channels/channel-test.ts'
import { createChannel, editChannel, listChannels } from '../../src/services/channels/channels.ts'
import { changeChecks } from '../../src/services/checks/bulk.ts'
import {
  clearCheck,
  copyCheck,
  deleteCheck,
  findChecks,
  getCheck,
  getCheckByPublicId,
  getCheckByUniqueKey,
  listChecks,
  pauseCheck,
  resumeCheck,
  transferCheck,
  updateCheck,
  upsertCheck,
} from '../../src/services/checks/checks.ts'
import { createFirstCheck, findFirstCheck, sendFirstPing } from '../../src/services/checks/first-ping.ts'
import type { Deps } from '../../src/services/common/deps.ts'
import { readIncidentPage } from '../../src/services/incidents/incident-page.ts'
import { handBackIncident, noteIncident, openIncidentOf, takeIncident } from '../../src/services/incidents/incidents.ts'
import { listIncidents } from '../../src/services/incidents/list.ts'
import { readStanding, readStandings } from '../../src/services/incidents/standing.ts'
import { listUntold } from '../../src/services/incidents/untold.ts'
import { lookIfStale } from '../../src/services/looks/fresh-look.ts'
import { previewMailing } from '../../src/services/mail/mailing-preview.ts'
import { getSubscription, setPeriods } from '../../src/services/mail/subscriptions.ts'
import { readCheckList } from '../../src/services/overview/check-list.ts'
import { readCheckPage } from '../../src/services/overview/check-page.ts'
import { NightBriefs } from '../../src/services/overview/night-briefs.ts'
import { NightRows } from '../../src/services/overview/night-rows.ts'
import { countUnheard } from '../../src/services/overview/problems.ts'
import { readProjectLog } from '../../src/services/overview/project-log.ts'
import { readRhythm, tryRhythm } from '../../src/services/overview/rhythm.ts'
import { readRunList } from '../../src/services/overview/run-list.ts'
import { readWall } from '../../src/services/overview/wall.ts'
import { listFlips } from '../../src/services/pings/flips.ts'
import { readLog } from '../../src/services/pings/log.ts'
import { readNewestEvents } from '../../src/services/pings/newest-events.ts'
import { findOriginal, openPing } from '../../src/services/pings/opened-ping.ts'
import { sendPing } from '../../src/services/pings/ping-now.ts'
import { createPingReceiver, findPingBody, listPings } from '../../src/services/pings/pings.ts'
import { readTimeline } from '../../src/services/pings/timeline.ts'
import { createKey, getKeyActor, listKeys, replacePingKey, revokeKey } from '../../src/services/projects/keys.ts'
import { changeRole, enterProject, listMembers, removeMember, setMember } from '../../src/services/projects/members.ts'
import { deleteProject } from '../../src/services/projects/project-deletion.ts'
import { exportProject } from '../../src/services/projects/project-export.ts'
import {
  countContents,
  createProject,
  setPingLogLimit,
  setProjectSettings,
  setSearch,
  setTimeZone,
} from '../../src/services/projects/projects.ts'
import { findHiddenChecks, findHiding, readCalendar } from '../../src/services/silences/planned.ts'
import { listNamedSilences, nameSilences, silenceChecks } from '../../src/services/silences/silence-checks.ts'
import {
  changeSilence,
  createSilence,
  endSilence,
  findSilences,
  getSilence,
  listEndedSilences,
  listPastSilences,
  listSilences,
  listSilencesOf,
} from '../../src/services/silences/silences.ts'
import {
  addSection,
  getStatusPage,
  listChoices,
  moveSectionUp,
  removeSection,
  saveSection,
  saveSettings,
} from '../../src/services/status-pages/status-pages.ts'
import { type FilledApp, filledApp } from '../support/filled-app.ts'
import { allFlips } from '../support/lists.ts'
import { readSources } from '../support/source-scan.ts'
import { aMember, anAccount, anAuthor, only, rejection, webhook } from '../support/store-builders.ts'
import type { TestApp } from '../support/test-app.ts'

const GONE: HttpAnswer = { kind: 'unreachable', error: 'gone', permanent: true }
const RENAMED = { name: 'Renamed', pingLogLimit: 100, isSearched: true, tz: null }

const CHANNELS = { do: 'ask', about: 'channels' } as const
const NAMED = { kind: 'untold', variant: 'all', fix: JSON.stringify(CHANNELS) }

let filled: FilledApp<void>
/** a copy of the filled app */
let t: TestApp
let check: Check
let channel: Channel
let failed: FoundDelivery
let mailChannel: Channel
let silence: Silence
let section: Section
let colleague: Account
let owner: Account
let invitation: string
beforeAll(async () => {
  filled = await filledApp(fill)
})
afterAll(() => filled.remove())

async function fill(empty: TestApp): Promise<void> {
  t = empty
  const { deps } = t.app
  channel = await createChannel(deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
  const { id } = (await upsertCheck(deps, t.actor, { name: 'Job', channels: '*' }, false)).check
  t.answerWith(GONE)
  await t.call('POST', `/ping/${id}/fail`, { body: 'out of space' })
  await t.app.settle('deliveries')
  const { delivery } = only(await deps.store.deliveries.list(t.project.id, 'failed', 10))
  failed = { delivery, project: t.project }
  check = (await getCheck(deps, t.actor, id)).check
  await advise(deps, id)
  await account({ email: 'newcomer@example.org' })
  colleague = await account({ email: 'colleague@example.org' }, 'member')
  owner = await account({ email: 'owner@example.org' }, 'owner')
  await account({ email: 'second@example.org' }, 'owner')
  await invite(deps, t.actor, 'member', null)
  invitation = only(await listInvitations(deps, t.actor)).lookup
  mailChannel = await createChannel(deps, t.actor, {
    kind: 'email',
    name: 'Mail',
    settings: { value: 'ops@example.org' },
  })
  silence = await createSilence(deps, t.actor, anHourFrom(t.clock.now()))
  await takeIncident(deps, t.actor, incident(), TAKING)
  section = await addSection(deps, t.actor, { name: 'Shop', tag: null })
  await addSection(deps, t.actor, { name: 'Office', tag: null })
}

const anHourFrom = (startsAt: Instant): WantedSilence => {
  const window = { startsAt, endsAt: startsAt.add({ hours: 1 }), untilHealthy: false, window: null }
  return { ...window, match: { checks: [], tags: ['quiet'] }, upTo: 'down', reason: '' }
}
/** The incident of the check that failed. */
const incident = () => ({ check, n: 1 })
const TAKING = { note: '', until: null, takesOver: true }

const begin = async () => {
  t = await filled.copy()
  t.answerWith(GONE)
}
/** Opens an app for tests that change nothing. */
function sharedApp(): void {
  beforeAll(begin)
  afterAll(() => t.close())
}
function appOfEachTest(): void {
  beforeEach(begin)
  afterEach(() => t.close())
}

const deps = () => t.app.deps
const nightBriefs = () => new NightBriefs({ ...deps(), nights: new NightRows(deps()) })

/** Creates an account. @param role in the project; null: no member */
async function account(over: Partial<Account>, role: Role | null = null): Promise<Account> {
  const made = anAccount(over)
  await deps().store.by(anAuthor()).accounts.create(made)
  if (role)
    await deps()
      .store.by(anAuthor())
      .team.setMember(aMember(made, t.project, role))
  return made
}

const STATUS_SETTINGS = { slug: 'books', title: 'Books', text: '', tz: 'UTC', isPublic: true, isIndexed: false }
const PROPOSED = {
  ...{ name: 'Nightly', slug: 'nightly', tags: '', timing: { timeout: 3_600 }, graceSeconds: 300 },
  ...{ isPaused: false, place: 'line 1', why: [] },
}
const NO_QUERY = { text: '', tags: [], states: [], advice: [], sort: 'name', isReversed: false } as const

const NO_FILTER = {
  text: '',
  isOpen: false,
  state: null,
  since: null,
  channelId: null,
  check: null,
  place: null,
} as const

const EVERY_CHANGE = { who: '', text: '', action: null, kind: null, since: null, until: null }

type Services = Readonly<Record<string, (actor: Actor) => Promise<unknown>>>

/** Services by name. Services that work on one thing of the project are listed separately. */
const WRITING: Services = {
  putOffAdvice: (actor) => putOffAdvice(deps(), actor, [check.publicId], NAMED),
  takeUpAdvice: (actor) => takeUpAdvice(deps(), actor, [check.publicId], NAMED),
  readPastedCrontab: (actor) =>
    readPastedCrontab(deps(), actor, {
      ...{ text: '0 3 * * * /opt/backup.sh', isOfSystem: false, zone: 'UTC', graceSeconds: null },
      ...{ pinging: { by: 'overdue-run' }, pingEndpoint: 'https://overdue.example.org/ping/' },
      ...{ pingKey: null, nameOf: () => null, isChosen: () => true },
    }),
  changeChecks: (actor) => changeChecks(deps(), actor, [check.publicId], { kind: 'set', settings: { grace: 600 } }),
  createProposals: (actor) => createProposals(deps(), actor, [PROPOSED], '*'),
  createSilence: (actor) => createSilence(deps(), actor, anHourFrom(t.clock.now())),
  silenceChecks: (actor) => {
    const { match, upTo: _, reason, ...window } = anHourFrom(t.clock.now())
    return silenceChecks(deps(), actor, { ...match, isProject: true }, window, reason)
  },
  upsertCheck: (actor) => upsertCheck(deps(), actor, { name: 'Job', unique: ['name'], tags: 'changed' }, false),
  createChannel: (actor) => createChannel(deps(), actor, { kind: 'webhook', name: 'Mine', settings: webhook() }),
  setPingLogLimit: (actor) => setPingLogLimit(deps(), actor, 1),
  listKeys: (actor) => listKeys(deps(), actor),
  createKey: (actor) => createKey(deps(), actor, 'read-write'),
  replacePingKey: (actor) => replacePingKey(deps(), actor),
  revokeKey: (actor) => revokeKey(deps(), actor, t.keys.apiKey),
  getStatusPage: (actor) => getStatusPage(deps(), actor),
  saveSettings: (actor) => saveSettings(deps(), actor, STATUS_SETTINGS),
  addSection: (actor) => addSection(deps(), actor, { name: 'More', tag: null }),
  listChoices: (actor) => listChoices(deps(), actor, section.id, ''),
  saveSection: (actor) => saveSection(deps(), actor, section.id, { name: 'Another', rows: [], up: null }),
  moveSectionUp: (actor) => moveSectionUp(deps(), actor, section.id),
  removeSection: (actor) => removeSection(deps(), actor, section.id),
  setPeriods: (actor) => setPeriods(deps(), actor, mailChannel.id, { report: 'daily', reminder: null }),
  findFirstCheck: (actor) => findFirstCheck(deps(), actor),
  createFirstCheck: (actor) => createFirstCheck(deps(), actor, 'First job'),
  sendAllNow: (actor) => sendAllNow(deps(), actor),
  sendFirstPing: (actor) => {
    const pings = createPingReceiver(deps())
    return sendFirstPing({ ...deps(), pings }, actor, { address: null, scheme: 'http', userAgent: 'Firefox' })
  },
}
const WRITING_ONE: Services = {
  updateCheck: (actor) => updateCheck(deps(), actor, check, { name: 'changed' }, false),
  pauseCheck: (actor) => pauseCheck(deps(), actor, check),
  resumeCheck: (actor) => resumeCheck(deps(), actor, check),
  deleteCheck: (actor) => deleteCheck(deps(), actor, check),
  clearCheck: (actor) => clearCheck(deps(), actor, check),
  copyCheck: (actor) => copyCheck(deps(), actor, check),
  transferCheck: async (actor) => transferCheck(deps(), actor, check, await operatorOf('Target')),
  sendPing: (actor) => {
    const pings = createPingReceiver(deps())
    return sendPing({ pings }, actor, check, { address: null, scheme: 'http', userAgent: 'Firefox' })
  },
  editChannel: (actor) => editChannel(deps(), actor, channel, { name: 'changed' }),
  deleteChannel: (actor) => deleteChannel(deps(), actor, channel),
  inspectChannel: (actor) => inspectChannel(deps(), actor, channel, 'down'),
  inspectMembers: (actor) => inspectMembers(deps(), actor, { ...channel, kind: 'group', settings: channel.id }, 'down'),
  changeDelivery: (actor) => changeDelivery(deps(), actor, failed, 'send-now'),
  retryFailed: (actor) => retryFailed(deps(), actor, failed),
  takeIncident: (actor) => takeIncident(deps(), actor, incident(), { ...TAKING, note: 'mine' }),
  handBackIncident: (actor) => handBackIncident(deps(), actor, incident()),
  noteIncident: (actor) => noteIncident(deps(), actor, incident(), 'It was the disk.'),
  changeSilence: (actor) => changeSilence(deps(), actor, silence.id, (one) => ({ ...one, reason: 'mine' })),
  endSilence: (actor) => endSilence(deps(), actor, silence.id),
  readReadings: (actor) => readReadings(deps(), actor, check),
}
const MANAGING: Services = {
  setMember: (actor) => setMember(deps(), actor, 'newcomer@example.org', 'manager'),
  setSearch: (actor) => setSearch(deps(), actor, false),
  setTimeZone: (actor) => setTimeZone(deps(), actor, 'Europe/Riga'),
  'setMember of a member': (actor) => setMember(deps(), actor, 'colleague@example.org', 'read-only'),
  removeMember: (actor) => removeMember(deps(), actor, 'colleague@example.org'),
  changeRole: (actor) => changeRole(deps(), actor, colleague.id, 'read-only'),
  invite: (actor) => invite(deps(), actor, 'manager', null),
  listInvitations: (actor) => listInvitations(deps(), actor),
  revokeInvitation: (actor) => revokeInvitation(deps(), actor, invitation),
  readProjectAudit: (actor) => readProjectAudit(deps(), actor, EVERY_CHANGE, null),
  exportProjectAudit: async (actor) => exportProjectAudit(deps(), actor, EVERY_CHANGE),
}
const OWNING: Services = {
  setProjectSettings: (actor) => setProjectSettings(deps(), actor, RENAMED),
  deleteProject: (actor) => deleteProject(deps(), actor),
  exportProject: async (actor) => Array.fromAsync(exportProject(deps(), actor, true)),
  'setMember as an owner': (actor) => setMember(deps(), actor, 'colleague@example.org', 'owner'),
  'changeRole to an owner': (actor) => changeRole(deps(), actor, colleague.id, 'owner'),
  'changeRole of an owner': (actor) => changeRole(deps(), actor, owner.id, 'member'),
  'invite as an owner': (actor) => invite(deps(), actor, 'owner', null),
  'setMember of an owner': (actor) => setMember(deps(), actor, 'owner@example.org', 'member'),
  'removeMember of an owner': (actor) => removeMember(deps(), actor, 'owner@example.org'),
}
const READING: Services = {
  countUnheard: (actor) => countUnheard(deps(), actor, new Map(), deps().now()),
  readSelected: (actor) => readSelected(deps(), actor, [check.publicId]),
  findProposals: (actor) => findProposals(deps(), actor, [PROPOSED], '*'),
  slugsOf: (actor) => slugsOf(deps(), actor, [check.id]),
  timingsBySlug: (actor) => timingsBySlug(deps(), actor),
  countContents: (actor) => countContents(deps(), actor),
  whoWasTold: (actor) => whoWasTold(deps(), actor, [{ checkId: check.id, n: 1 }]),
  listMembers: (actor) => listMembers(deps(), actor),
  readChannelList: (actor) => readChannelList(deps(), actor, 0),
  readBadgeChoice: (actor) => {
    const query = { subject: { kind: 'all' }, text: '' } as const
    return readBadgeChoice(deps(), actor, query)
  },
  getSubscription: (actor) => getSubscription(deps(), actor, mailChannel.id),
  previewMailing: (actor) => previewMailing(deps(), actor, 'report', { report: 'daily', reminder: null, tz: 'UTC' }),
  readListedChannel: (actor) => readListedChannel(deps(), actor, channel),
  readChannelChecks: (actor) => readChannelChecks(deps(), actor, channel, ''),
  readDeliveryList: (actor) => readDeliveryList(deps(), actor, NO_FILTER, ({ name }) => name),
  groupByEvent: (actor) => groupByEvent(deps(), actor, [], NO_FILTER, ({ name }) => name),
  readCheckList: (actor) => readCheckList(deps(), actor, NO_QUERY, deps().now()),
  readWall: (actor) => readWall({ ...deps(), nightBriefs: nightBriefs() }, actor, deps().now(), 'UTC', true),
  listNamedSilences: (actor) => listNamedSilences(deps(), actor),
  nameSilences: (actor) => nameSilences(deps(), actor, [silence]),
  readCalendar: (actor) => readCalendar(deps(), actor),
  findHiddenChecks: (actor) => findHiddenChecks(deps(), actor, [silence]),
  listSilences: (actor) => listSilences(deps(), actor),
  listEndedSilences: (actor) => Array.fromAsync(listEndedSilences(deps(), actor)),
  listPastSilences: (actor) => listPastSilences(deps(), actor, t.clock.now(), t.clock.now()),
  findSilences: (actor) => findSilences(deps(), actor, []),
  listIncidents: (actor) => Array.fromAsync(listIncidents(deps(), actor, { isOpen: null, checkId: null, tag: null })),
  listUntold: (actor) => listUntold(deps(), actor, { checkId: null, since: null, text: '' }, 10),
  readAdviceList: (actor) => readAdviceList(deps(), actor),
  readProjectLog: (actor) => readProjectLog(deps(), actor, 10),
}
const READING_ONE: Services = {
  testChannel: (actor) => testChannel(deps(), actor, channel, 'down'),
  testMembers: (actor) => testMembers(deps(), actor, { ...channel, kind: 'group', settings: channel.id }, 'down'),
  getCheck: (actor) => getCheck(deps(), actor, check.id),
  openIncidentOf: (actor) => openIncidentOf(deps(), actor, incident()),
  readAlertText: (actor) => readAlertText(deps(), actor, check, 1),
  readStanding: (actor) => readStanding(deps(), actor, check),
  listSilencesOf: (actor) => listSilencesOf(deps(), actor, [check]),
  findHiding: async (actor) => [await findHiding(deps(), actor, check)],
  readStandings: (actor) => readStandings(deps(), actor, [check]),
  getSilence: (actor) => getSilence(deps(), actor, silence.id),
  listPings: (actor) => listPings(deps(), actor, check),
  readLog: (actor) => readLog(deps(), actor, check, { limit: 10 }),
  readTimeline: (actor) => readTimeline(deps(), actor, check),
  readNewestEvents: (actor) => readNewestEvents(deps(), actor, check, 10),
  previewSchedule: (actor) => previewSchedule(deps(), actor, check, check, []),
  readRhythm: (actor) => readRhythm(deps(), actor, check, [], { tz: 'UTC', days: 30, isWhole: false }, t.clock.now()),
  tryRhythm: (actor) => tryRhythm(deps(), actor, check, check, 'UTC'),
  readRunList: (actor) => readRunList(deps(), actor, check, { pings: [], flips: [] }, t.clock.now()),
  judgePast: (actor) => judgePast(deps(), actor, check, check, []),
  readPast: (actor) => readPast(deps(), actor, check),
  suggest: async (actor) => ({ found: await suggest(deps(), actor, check, check, []) }),
  presentAlerts: (actor) => presentAlerts(deps(), actor, check),
  tryRulesOnLog: (actor) => tryRulesOnLog(deps(), actor, check, check),
  trySettings: (actor) => trySettings(deps(), actor, [{ check, channelIds: [] }], { grace: 600 }),
  tryFix: (actor) => tryFix(deps(), actor, check, { do: 'set', settings: { grace: 600 } }),
  readCheckAdvice: (actor) => readCheckAdvice(deps(), actor, check),
  lookIfStale: (actor) => lookIfStale(deps(), actor, check).then(() => true),
  openPing: (actor) => openPing(deps(), actor, check, 1),
  findOriginal: (actor) => findOriginal(deps(), actor, check, 1),
  findPingBody: (actor) => findPingBody(deps(), actor, check, 1),
  listFlips: async (actor) => Array.fromAsync(listFlips(deps(), actor, check, {})),
}

/** Services that treat another project's check like one that does not exist, so they never answer "forbidden". */
const READING_IF_KNOWN: Services = {
  getCheckByUniqueKey: (actor) => getCheckByUniqueKey(deps(), actor, uniqueKey(check.id)),
  getCheckByPublicId: (actor) => getCheckByPublicId(deps(), actor, check.publicId),
  openDelivery: (actor) => {
    const { eventN, channelId } = failed.delivery
    return openDelivery(deps(), actor, { checkPublicId: check.publicId, eventN, channelId })
  },
  readCheckPage: (actor) => readCheckPage(deps(), actor, check.publicId, 'UTC', null),
  readIncidentPage: (actor) => readIncidentPage(deps(), actor, { checkPublicId: check.publicId, n: 1 }),
}

async function refusal(asked: Promise<unknown>): Promise<unknown[]> {
  const error = await rejection(asked)
  if (!(error instanceof Refusal)) throw error
  return [error.code, error.message]
}

/** Stores the advice that nobody would hear of the check. */
async function advise({ store, now }: Deps, checkId: string): Promise<void> {
  const claimed = await store.advice.claimLook(checkId, now())
  const advice = {
    kind: 'untold',
    variant: 'all',
    says: ['Nobody would be alerted.'],
    fix: CHANNELS,
    otherFixes: [],
  } as const
  if (!claimed) throw new Error('there is no such check')
  const look = { claimed, lookedN: 1, advice: [advice], days: [], oldestDay: '', lookAfter: now().add({ hours: 24 }) }
  await store.advice.writeLooks([look], now())
}

/** Reads everything that the services above could change. */
async function everything(): Promise<string> {
  const { store } = deps()
  return JSON.stringify([
    await Array.fromAsync(listChecks(deps(), t.actor, {})),
    await allFlips(store, check.id),
    await listChannels(deps(), t.actor),
    await listKeys(deps(), t.actor),
    await store.checks.find(check.id),
    await store.advice.find(check.id),
    await store.projects.find(t.project.id),
    await store.statusPages.find(t.project.id),
    await store.deliveries.list(t.project.id, null, 10),
    await listSilences(deps(), t.actor),
    await store.incidents.list(check.id, null, 10),
    await store.team.listMembers(t.project.id),
    await store.invitations.list(t.project.id, deps().now()),
    t.sent,
  ])
}

const operatorOf = async (name: string) => operatorIn((await createProject(deps(), name)).project)

test('no service that takes a whole actor is missing here', () => {
  const places = ['services', 'import'].map((room) => join(import.meta.dir, '../../src', room))
  const texts = places.flatMap((place) => readSources(place)).map(({ text }) => text)
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^export (?:async )?function\*? (\w+)\([^)]*\bactor: Actor\b/gm)].map(([, name]) => name),
  )
  const tables = { ...WRITING, ...WRITING_ONE, ...MANAGING, ...OWNING, ...READING, ...READING_ONE, ...READING_IF_KNOWN }
  const known = new Set(Object.keys(tables).map((name) => name.split(' ')[0]))
  expect(names.toSorted()).toEqual([...known].toSorted())
})

/** Right that each service needs. */
const NEEDS: readonly (readonly [right: Right, services: Services])[] = [
  ['read', { ...READING, ...READING_ONE, ...READING_IF_KNOWN }],
  ['write', { ...WRITING, ...WRITING_ONE }],
  ['manage', MANAGING],
  ['own', OWNING],
]
const needing = (wanted: (right: Right) => boolean) =>
  NEEDS.flatMap(([right, services]) => (wanted(right) ? Object.entries(services) : []))

/** Signs a person in with the current role. */
async function person(over: Partial<Account>, role: Role | null): Promise<Actor> {
  const actor = await enterProject(deps(), personOf(await account(over, role), '192.0.2.7'), t.project.slug)
  if (!actor) throw new Error('the project is closed to this person')
  return actor
}

const RIGHT_OF_ROLE: Readonly<Record<Role, Right>> = {
  owner: 'own',
  manager: 'manage',
  member: 'write',
  'read-only': 'read',
}
const ACTORS: readonly (readonly [name: string, right: Right, make: () => Promise<Actor>])[] = [
  ['a read-only key', 'read', () => getKeyActor(deps(), t.keys.apiKeyReadonly, null)],
  ['a read-write key', 'write', () => getKeyActor(deps(), t.keys.apiKey, null)],
  ...ROLES.map((role) => [`a person as ${role}`, RIGHT_OF_ROLE[role], () => person({}, role)] as const),
  ['an administrator without a place in it', 'own', () => person({ isAdministrator: true }, null)],
  ['an administrator as read-only', 'own', () => person({ isAdministrator: true }, 'read-only')],
  ['the operator', 'own', async () => t.actor],
]

/** Services that need another state, or change nothing. */
const NOT_SERVED = [
  'suggest',
  'readReadings',
  'takeUpAdvice',
  'lookIfStale',
  'tryFix',
  'resumeCheck',
  'inspectMembers',
  'listKeys',
  'readPastedCrontab',
  'listInvitations',
  'findFirstCheck',
  'createFirstCheck',
  'sendFirstPing',
  'sendAllNow',
  'changeDelivery',
  'getStatusPage',
  'listChoices',
  'moveSectionUp',
  'readProjectAudit',
  'exportProjectAudit',
  'exportProject',
]

describe.each(ACTORS)('%s', (_, held, make) => {
  sharedApp()
  let actor: Actor
  beforeAll(async () => {
    actor = await make()
    // A key notes its use.
    await deps().background.drain()
  })
  const refused = needing((right) => !includes(held, right))

  if (refused.length > 0) {
    test.each(refused)('is refused by %s, which changes nothing', async (_, ask) => {
      const before = await everything()
      const words = held === 'read' ? ['read-only', 'this is read-only access'] : ['forbidden', 'forbidden']
      expect(await refusal(ask(actor))).toEqual(words)
      expect(await everything()).toBe(before)
    })
  }

  test('is served by all that only read', async () => {
    for (const [name, read] of needing((right) => right === 'read')) {
      expect([name, await read(actor)]).toEqual([name, expect.anything()])
    }
  })
})

describe.each(ACTORS.filter(([, held]) => held !== 'read'))('%s', (_, held, make) => {
  appOfEachTest()
  const served = needing((right) => right !== 'read' && includes(held, right))

  test.each(served.filter(([name]) => !NOT_SERVED.includes(name)))('is served by %s', async (_, ask) => {
    const actor = await make()
    const before = await everything()
    await ask(actor)
    expect(await everything()).not.toBe(before)
  })
})

describe('a person', () => {
  appOfEachTest()

  test('without a place in the project does not enter it, and nobody enters one that does not exist', async () => {
    const stranger = personOf(await account({}), null)
    expect(await enterProject(deps(), stranger, t.project.slug)).toBeNull()
    for (const slug of ['nothing-here', '', 'Ünusual', t.project.id, 'TESTS', "' OR 1=1", '\0']) {
      expect(await enterProject(deps(), { ...stranger, isAdministrator: true }, slug)).toBeNull()
    }
  })

  test('enters it with the role of the moment, and not once the place is lost', async () => {
    const found = personOf(await account({ email: 'p@example.org' }, 'manager'), null)
    const role = async () => (await enterProject(deps(), found, t.project.slug))?.by.role
    expect(await role()).toBe('manager')
    await setMember(deps(), t.actor, 'p@example.org', 'read-only')
    expect(await role()).toBe('read-only')
    await removeMember(deps(), t.actor, 'p@example.org')
    expect(await role()).toBeUndefined()
  })
})

describe('who may not manage members', () => {
  sharedApp()

  test.each(['member', 'read-only'] as const)('as %s does not learn which accounts exist', async (role) => {
    const actor = await person({}, role)
    const answers = ['newcomer@example.org', 'newcommer@example.org'].map((email) =>
      refusal(setMember(deps(), actor, email, 'member')),
    )
    const [known, unknown] = await Promise.all(answers)
    expect(unknown).toEqual(known)
  })
})

describe('an actor of another project', () => {
  sharedApp()
  let other: Actor
  beforeAll(async () => {
    other = await operatorOf('Other')
  })

  test.each(Object.entries({ ...WRITING_ONE, ...READING_ONE }))('is refused by %s', async (_, ask) => {
    const before = await everything()
    expect(await refusal(ask(other))).toEqual(['forbidden', 'forbidden'])
    expect(await everything()).toBe(before)
  })

  test('finds no check of this one', async () => {
    const all = async (pages: AsyncIterable<readonly unknown[]>) => (await Array.fromAsync(pages)).flat()
    expect(await all(findChecks(deps(), other, [check.id]))).toEqual([])
    expect(await all(listChecks(deps(), other, {}))).toEqual([])
    for (const ask of Object.values(READING_IF_KNOWN))
      expect(await refusal(ask(other))).toEqual(['not-found', 'not found'])
    expect(await all(findChecks(deps(), t.actor, [check.id]))).toHaveLength(1)
  })
})
