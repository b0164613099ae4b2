/** The cost of a statement depends on the rows it finds, not on the stored rows: SQLite uses an index for each, and sorts little. */
import { expect, test } from 'bun:test'
import { COUNT_ADVICE, LIST_ADVICE, LIST_FIXED } from '../../../../src/store/advice/advice-list.ts'
import { LIST_LAST, SOME_ZONES } from '../../../../src/store/advice/surroundings.ts'
import { OLD_ANSWERS } from '../../../../src/store/alerts/attempts.ts'
import { FEW_DUE_CHANNELS, MANY_DUE_CHANNELS, OVERTAKEN, RELEASE } from '../../../../src/store/alerts/deliveries.ts'
import {
  COUNT_OF_CHANNEL,
  COUNT_UNDELIVERED,
  LIST_OF_FLIP,
  NEWEST_OF_STATE,
  PAGE_OF_CHECK,
  PAGE_OF_STATE,
} from '../../../../src/store/alerts/delivery-lists.ts'
import { HAS_WAITED, HOLD, LAST_BEFORE, WAITING as WAITED } from '../../../../src/store/alerts/quiet-hours.ts'
import { PAGE_OF_PROJECT as AUDIT_OF_PROJECT, PAGE } from '../../../../src/store/audit.ts'
import {
  COUNT_ASSIGNED,
  COUNT_CHECKS,
  FAILING_SINCE,
  NEWEST,
  WAITING,
} from '../../../../src/store/channels/channel-activity.ts'
import { DELETE_ENDED } from '../../../../src/store/channels/channels.ts'
import { WAKE } from '../../../../src/store/channels/held-deliveries.ts'
import { TARGETS_OF_ALL, TARGETS_OF_MEMBER } from '../../../../src/store/channels/mail-targets.ts'
import { FIND_BADGE_CHECK, LIST_BADGE_CHECKS } from '../../../../src/store/checks/badges.ts'
import {
  COUNT_DOWN,
  FIND_BY_PUBLIC_ID,
  LIST_CHECKS,
  LIST_OF_SLUG,
  LIST_WITH_CHANNELS,
} from '../../../../src/store/checks/checks.ts'
import { LAST_SWITCH, LATER_FLIP, LIST_FLIPS, PREVIOUS_FLIP } from '../../../../src/store/checks/flips.ts'
import { LIST_RUNS } from '../../../../src/store/checks/run-durations.ts'
import { STATEMENTS } from '../../../../src/store/engine/sqlite/statements.ts'
import {
  DOWN_CHECKS,
  END_OF_INCIDENT,
  EVENTS_OF_INCIDENT,
  LATER_NOTES,
  LIST_INCIDENTS,
  OPEN_INCIDENTS,
} from '../../../../src/store/incidents/lists.ts'
import { DUE_INCIDENTS } from '../../../../src/store/incidents/looks.ts'
import { NEWEST_INCIDENT } from '../../../../src/store/incidents/rows.ts'
import {
  COUNT_SILENCES,
  END_PING_SILENCE,
  ENDED_SILENCES,
  FORGET_PING_SILENCE,
  HELD,
  LEFT_PING_SILENCE,
  LIST_ENDED_SILENCES,
  LIST_SILENCES,
  NEWEST_KEY,
  PAST_OF_PEOPLE,
  PAST_OF_PING_URLS,
} from '../../../../src/store/incidents/silences.ts'
import { SILENCES_OF_PEOPLE, SILENCES_OF_PINGS } from '../../../../src/store/incidents/world.ts'
import { GIVE_UP_ACKNOWLEDGEMENTS, INSERT_DELIVERY } from '../../../../src/store/incidents/writes.ts'
import { FIND_RECOVERED, LIST_PROBLEMS, LIST_RECOVERIES } from '../../../../src/store/overview/problems.ts'
import { LAST_DOWN } from '../../../../src/store/overview/troubles.ts'
import { HEADS_OF_LOG, HEADS_OF_QUEUE, HIT } from '../../../../src/store/pings/search.ts'
import {
  BRIEFS_OF_PERSON,
  HOLDER_OF_BADGES,
  HOLDER_OF_PROJECT,
  NAMESAKE_OF,
} from '../../../../src/store/projects/projects.ts'
import { FORGETTABLE } from '../../../../src/store/retention/events.ts'
import { OUTBOX, UNTRIED_EVENTS } from '../../../../src/store/server/figures.ts'
import { queryPlan } from '../../../support/query-plan.ts'

const PAGE_OF_PROJECT = 'checks by checks_of_project (project_id, created_at)'
const COUNTERS = 'counters by key (rowid)'
const LONG_BODY = 'long_bodies by key (check_id, n)'
const OF_CHECK = 'deliveries by deliveries_of_check (check_id, channel_id, event_n)'
const OF_PEOPLE = 'silences by silences_of_people (project_id, ends_at)'
const OF_PING_URL = 'silences by silences_of_ping_url (checks)'
const QUEUED = 'deliveries by deliveries_queued (channel_id, next_attempt_at)'
const BY_STATE = 'deliveries by deliveries_of_channel (channel_id, state)'
const BY_TIME = 'deliveries by deliveries_of_channel (channel_id, state, created_at)'
const BY_TIME_AND_ID = 'deliveries by deliveries_of_channel (channel_id, state, created_at, id)'

test.each([
  ['the badges of a project', LIST_BADGE_CHECKS, ['projects by key (badge_key)', PAGE_OF_PROJECT, COUNTERS]],
  ['who has a project', HOLDER_OF_PROJECT, ['projects by key (id)', 'members by members_of_project (project_id)']],
  ['who has badges', HOLDER_OF_BADGES, ['projects by key (badge_key)', 'members by members_of_project (project_id)']],
  ['a namesake among the projects of a person', NAMESAKE_OF, ['members by key (account_id)', 'projects by key (id)']],
  ['the badge of a check', FIND_BADGE_CHECK, ['checks by checks_by_badge_key (badge_key)', COUNTERS]],
  ['the check of a page', FIND_BY_PUBLIC_ID, ['checks by checks_by_public_id (public_id)', COUNTERS]],
  ['the checks of a project', LIST_CHECKS, [PAGE_OF_PROJECT, COUNTERS]],
  [
    'the checks of a project with their channels',
    LIST_WITH_CHANNELS,
    [PAGE_OF_PROJECT, COUNTERS, 'check_channels by key (check_id)'],
  ],
  ['what is wrong in a project', LIST_PROBLEMS, [PAGE_OF_PROJECT]],
  ['what came back in a project', LIST_RECOVERIES, [PAGE_OF_PROJECT, 'events by key (check_id, n)']],
  [
    'a check that came back',
    FIND_RECOVERED,
    ['events by key (check_id, n)', 'cleared_checks by key (check_id)', 'events by key (check_id, n)'],
  ],
  [
    'the flips of a check',
    LIST_FLIPS,
    ['checks by key (id)', 'events by key (check_id, n)', 'cleared_checks by key (check_id)'],
  ],
  ['the flip before an event', PREVIOUS_FLIP, ['events by key (check_id, n)', 'cleared_checks by key (check_id)']],
  [
    'events that are old',
    FORGETTABLE,
    [
      'events by events_by_age (created_at)',
      'deliveries by deliveries_by_event (check_id, event_n)',
      'incidents by key (check_id, n)',
    ],
  ],
  ['the flip after an event', LATER_FLIP, ['events by key (check_id, n)']],
  ['the newest incident of a check', NEWEST_INCIDENT, ['incidents by key (check_id)']],
  [
    'the incidents of a check, newest first',
    LIST_INCIDENTS,
    ['incidents by key (check_id, n)', 'cleared_checks by key (check_id)', 'checks by key (id)', COUNTERS],
  ],
  ['the incidents to look at', DUE_INCIDENTS, ['incidents by incidents_due (next_look_at)']],
  [
    'the open incidents of a project',
    OPEN_INCIDENTS,
    ['checks by checks_down (project_id)', 'incidents by key (check_id, n)'],
  ],
  ['the flip that ended an incident', END_OF_INCIDENT, ['events by key (check_id, n)']],
  ['later notes on an incident', LATER_NOTES, ['events by key (check_id, n)']],
  ['the checks of a project that are down', DOWN_CHECKS, ['checks by checks_down (project_id, created_at)']],
  ['the events of an incident', EVENTS_OF_INCIDENT, ['events by key (check_id, n)']],
  ['the silences that people made of projects', SILENCES_OF_PEOPLE, [OF_PEOPLE]],
  ['the silences of the ping URLs of checks', SILENCES_OF_PINGS, [OF_PING_URL]],
  ['the silence of a ping URL that ends', END_PING_SILENCE, [OF_PING_URL]],
  ['the silence of a ping URL that is prolonged', LEFT_PING_SILENCE, [OF_PING_URL]],
  ['the silence of a ping URL that is removed', FORGET_PING_SILENCE, [OF_PING_URL]],
  ['how many silences a project has', COUNT_SILENCES, [OF_PEOPLE]],
  ['the incident that a silence may hold', NEWEST_KEY, ['incidents by key (check_id)']],
  ['the incidents that a silence holds', HELD, ['incidents by incidents_held (held_by)']],
  ['the silences of a project', LIST_SILENCES, ['silences by silences_of_project (project_id, ends_at)']],
  ['the silences in the past that people made', PAST_OF_PEOPLE, [OF_PEOPLE]],
  [
    'the silences of ping URLs in the past',
    PAST_OF_PING_URLS,
    ['silences by silences_of_project (project_id, ends_at)'],
  ],
  ['ended silences of a project', LIST_ENDED_SILENCES, ['silences by silences_of_project (project_id, ends_at)']],
  ['silences that ended long ago', ENDED_SILENCES, ['silences by silences_by_age (ends_at)']],
  ['the flip that took a check down', LAST_DOWN, ['events by key (check_id)']],
  ['the flip that paused or resumed a check', LAST_SWITCH, ['events by key (check_id)']],
  [
    'the deliveries of a flip',
    LIST_OF_FLIP,
    [
      'events by key (check_id, n)',
      'cleared_checks by key (check_id)',
      'checks by key (id)',
      'channels by channels_of_project (project_id)',
      OF_CHECK,
    ],
  ],
  [
    'the deliveries of a channel in a state',
    PAGE_OF_STATE,
    [BY_TIME_AND_ID, 'channels by key (id)', 'checks by key (id)', 'events by key (check_id, n)'],
  ],
  ['the newest delivery of a channel in a state', NEWEST_OF_STATE, [BY_TIME_AND_ID]],
  ['how many deliveries a channel has', COUNT_OF_CHANNEL, [BY_TIME, BY_TIME, BY_TIME]],
  [
    'how many alerts of a project did not arrive',
    COUNT_UNDELIVERED,
    ['channels by channels_of_project (project_id)', BY_TIME, 'channels by channels_of_project (project_id)', BY_TIME],
  ],
  [
    'the next entries whose words are to be read',
    HEADS_OF_LOG,
    ['pings by key (rowid)', 'checks by key (id)', 'projects by key (id)'],
  ],
  [
    'the queue of entries whose words are to be read again',
    HEADS_OF_QUEUE,
    ['unread_pings by key (rowid)', 'pings by key (rowid)', 'checks by key (id)', 'projects by key (id)'],
  ],
  [
    'a ping that was found by its words',
    HIT,
    [
      'pings by key (rowid)',
      'cleared_checks by key (check_id, n_pings)',
      'projects by key (id)',
      'checks by key (id)',
      COUNTERS,
    ],
  ],
  [
    'the number of checks that use a channel',
    COUNT_ASSIGNED,
    ['check_channels by check_channels_by_channel (channel_id)'],
  ],
  ['the number of checks of a project', COUNT_CHECKS, ['checks by checks_by_slug (project_id)']],
  ['the checks that are due', STATEMENTS.claimOverdue, ['checks by checks_due (alert_after)']],
  ['the deliveries that a new one waits for', INSERT_DELIVERY, [OF_CHECK]],
  [
    'the acknowledgements that a service has failed to take',
    GIVE_UP_ACKNOWLEDGEMENTS,
    [OF_CHECK, 'events by key (check_id, n)', 'attempts by key (delivery_id, n)'],
  ],
  ['what waits behind an acknowledgement', OVERTAKEN, [OF_CHECK, 'events by key (check_id, n)']],
  [
    'the delivery that has waited for one',
    RELEASE,
    [OF_CHECK, 'deliveries by deliveries_of_check (check_id, channel_id)'],
  ],
  ['what is due in quiet hours', HOLD, ['deliveries by key (id)', QUEUED, 'incidents by key (check_id, n)']],
  ['whether what is due has waited for quiet hours', HAS_WAITED, [QUEUED]],
  [
    'the turn of an alert behind an earlier one',
    LAST_BEFORE,
    ['deliveries by deliveries_of_check (check_id, channel_id, event_n)'],
  ],
  ['what waits for an end that is no more', WAKE, ['deliveries by key (id)', QUEUED, QUEUED]],
  ['the deliveries that wait for a channel', WAITING, [BY_STATE]],
  [
    'where the email channels of a member send',
    TARGETS_OF_MEMBER,
    ['members by key (account_id, project_id)', 'channels by channels_of_project (project_id)'],
  ],
  ['where all email channels send', TARGETS_OF_ALL, ['channels by channels_of_project (project_id, created_at)']],
  ['answers that are old', OLD_ANSWERS, ['attempts by attempts_answered (created_at)']],
  ['the advice of a project, by kind', COUNT_ADVICE, ['advice by advice_of_project (project_id, kind)']],
  ['the fixes of a project that were taken over', LIST_FIXED, ['advice by advice_fixed (project_id)']],
  ['a page of the advice of a project', LIST_ADVICE, [PAGE_OF_PROJECT, 'advice by key (check_id)']],
  ['the last pings of a project', LIST_LAST, [PAGE_OF_PROJECT, COUNTERS]],
  ['the runs of checks', LIST_RUNS, [PAGE_OF_PROJECT, 'run_durations by key (check_id)']],
])('what is read for %s is found by seeks alone, and nothing is sorted', (_, statement, seeks) => {
  expect(queryPlan(statement)).toEqual({ seeks, scans: [], sorts: [] })
})

test('what is sent together after quiet hours is found by the checks that have something due', () => {
  const { seeks, scans } = queryPlan(WAITED)
  expect(seeks).toContain('deliveries by deliveries_of_check (check_id, channel_id)')
  expect(seeks).toContain(QUEUED)
  expect(scans).toEqual([])
})

test('the zones of a project are counted a thousand checks at a time, by their index', () => {
  const { seeks, scans } = queryPlan(SOME_ZONES)
  expect(seeks).toEqual([PAGE_OF_PROJECT])
  expect(scans).toEqual([])
})

test('of the projects to choose from, only the checks that are down are counted, by their index', () => {
  const { seeks, scans } = queryPlan(BRIEFS_OF_PERSON)
  expect(seeks).toContain('checks by checks_down (project_id)')
  expect(scans).toEqual([])
})

test.each([
  ['the newest failure of a check', STATEMENTS.lastFailure, []],
  ['the pings that did not count', STATEMENTS.uncounted, []],
  ['a page of a log', STATEMENTS.readLog, [LONG_BODY]],
  ['the ends of bodies', STATEMENTS.bodyEnds, [LONG_BODY]],
])('of %s only entries of its own log are read', (_, statement, more) => {
  const { seeks, scans } = queryPlan(statement)
  expect(new Set(seeks)).toEqual(new Set(['checks by key (id)', COUNTERS, 'pings by key (rowid)', ...more]))
  expect(scans).toEqual([])
})

test('the checks of one slug are found by its index, and no other check is looked at', () => {
  const { seeks, scans } = queryPlan(LIST_OF_SLUG)
  expect(seeks).toContain('checks by checks_by_slug (project_id, slug)')
  expect(scans).toEqual([])
})

test('the other checks that are down are counted in their index, and only the check itself is read', () => {
  const seeks = ['checks by checks_down (project_id)', 'checks by key (id)']
  expect(queryPlan(COUNT_DOWN)).toEqual({ seeks, scans: [], sorts: [] })
})

test.each([
  ['the outbox', OUTBOX],
  ['flips that are untried', UNTRIED_EVENTS],
])('%s is read from the index of what is pending', (_, statement) => {
  expect(queryPlan(statement)).toMatchObject({ seeks: [], scans: ['deliveries by deliveries_due'] })
})

test('a few due deliveries are read in the order of their time, as many as are asked for', () => {
  const { seeks, scans } = queryPlan(FEW_DUE_CHANNELS)
  expect(seeks).toEqual(['deliveries by deliveries_due (next_attempt_at)', 'channels by key (id)'])
  expect(scans).toEqual([])
})

test('of many due deliveries the queues are read by seeks, each from its beginning', () => {
  const { seeks, scans, sorts } = queryPlan(MANY_DUE_CHANNELS)
  const begins = seeks.filter((seek) => seek === QUEUED)
  expect(begins).toHaveLength(2)
  expect(seeks).toContain('deliveries by deliveries_queued (channel_id)')
  expect([scans, sorts]).toEqual([[], ['ORDER BY']])
})

test('the longest due delivery of a channel is the first of its queue', () => {
  const seeks = ['deliveries by key (id)', QUEUED]
  expect(queryPlan(STATEMENTS.claimDelivery)).toEqual({ seeks, scans: [], sorts: [] })
})

test('the deliveries of a check to a channel are found by the check, and only these are sorted', () => {
  const { seeks, scans } = queryPlan(PAGE_OF_CHECK)
  expect(scans).toEqual([])
  expect(seeks[0]).toBe('deliveries by deliveries_of_check (check_id, channel_id)')
})

test.each([
  ['newest', NEWEST],
  ['oldest ended', DELETE_ENDED],
  ['oldest failed', FAILING_SINCE],
])('the %s deliveries of a channel are found by their states', (_, statement) => {
  const { seeks, scans } = queryPlan(statement)
  expect(seeks).toContain(BY_STATE)
  expect(scans).toEqual([])
})

test.each([
  ['all', PAGE, 'audit by audit_by_age (created_at)'],
  ['a project', AUDIT_OF_PROJECT, 'audit by audit_of_project (project_id, created_at)'],
])('of the audit log of %s only its page is read, and only rows of the same time are sorted', (_, statement, seek) => {
  expect(queryPlan(statement)).toEqual({ seeks: [seek], scans: [], sorts: ['LAST 2 TERMS OF ORDER BY'] })
})
