/** The schema of the answer of `checks/preview`. */
import { CheckSpec } from '../../../domain/check/check.ts'
import { CHECK_KINDS } from '../../../domain/check/fields.ts'
import { Text, Type } from '../../../domain/schema.ts'
import { closed, count, oneOf, orNull, text } from './schema-parts.ts'

const instant = (description: string) => Text({ format: 'date-time', description })

const CLOCK_CHANGE = closed(
  {
    date: instant('When the clocks change.'),
    before: text('What they show when it comes: `03:00`.'),
    after: text('What they show instead: `04:00`.'),
    forward: Type.Boolean({ description: 'False when they go back.' }),
    effect: oneOf(
      ['untouched', 'skipped', 'moved', 'repeated'],
      'What becomes of the runs whose times are skipped or repeated.',
    ),
    words: text('The same as sentences.'),
  },
  { description: 'A change of the clocks.' },
)

const JUDGED_RUN = closed(
  {
    kind: oneOf(
      ['ok', 'late', 'failed', 'missing', 'extra'],
      '`missing`: expected, but no ping came. `extra`: it ended though none was expected since the run before it.',
    ),
    date: instant('When its ping came, or when it was expected.'),
    n: orNull(Type.Integer({ minimum: 1 }), 'Number of its ping; null when it is missing.'),
    delay: orNull(
      Type.Number({ minimum: 0 }),
      'Seconds from the expected time to its beginning; null unless it began late.',
    ),
  },
  { description: 'How a run would have been judged.' },
)

const REPLAY = closed(
  {
    runs: Type.Array(JUDGED_RUN, { description: 'Oldest first, the newest 30 at most.' }),
    on_time: count('How many of them were on time.'),
    late: count('How many were late.'),
    missing: count('How many are missing.'),
    extra: count('How many were not expected.'),
    failed: count('How many failed.'),
  },
  { description: 'The last runs, judged by the given timing.' },
)

const instants = (description: string) => Type.Array(Text({ format: 'date-time' }), { description })

const WOKEN = closed(
  {
    words: Type.Array(Text(), { description: 'The same as sentences, with times in UTC.' }),
    alerts: count('How many times the check would have gone down with the settings that it has.'),
    alerts_then: count('How many times with the given timing.'),
    spared: count('Alerts about no outage that the given timing would have spared.'),
    unfound: instants('When outages were alerted that the given timing would not have found.'),
    not_yet_found: orNull(
      instant('When an outage was alerted that still goes on, and that the given timing has not found yet.'),
      'Null without one.',
    ),
    found_later: Type.Array(
      closed(
        { date: instant('When it would have been found.'), minutes: count('How many minutes later.') },
        { description: 'An outage that the given timing would have found later.' },
      ),
    ),
    gained: instants('When the given timing would have found outages that the present one did not find.'),
    more: instants('When it would have alerted although the silence was not unusual.'),
    notice: orNull(count('Seconds after which an outage is noticed at the latest.'), 'Null when the schedule ends.'),
    notice_then: orNull(count('The same with the given timing.'), 'Null when the schedule ends.'),
    runs: count('How many successes and failures were looked at.'),
    since: orNull(instant('When the first of them came.'), 'Null without one.'),
  },
  {
    description:
      'How often somebody would have been alerted, beside the settings that the check has. A silence is an outage if it is unusually long, or ends with a failure.',
  },
)

const SUGGESTION = closed(
  {
    timeout: Type.Optional(count(CheckSpec.properties.timeout.description ?? '')),
    schedule: Type.Optional(text('Cron expression.')),
    tz: Type.Optional(text('IANA time zone of `schedule`.')),
    grace: count('Grace time in seconds that suits how the runs spread.'),
    words: text('The timing in words: `Every 30 minutes`.'),
    fits: count('How many of the runs fit it.'),
    of: count('How many runs were looked at.'),
  },
  {
    oneOf: [{ required: ['timeout'] }, { required: ['schedule', 'tz'] }],
    description: 'A timing that fits the runs better. Its fields can be sent to update the check.',
  },
)

export const SCHEDULE_PREVIEW = closed(
  {
    kind: oneOf(CHECK_KINDS, '`simple` for a period.'),
    words: text('The timing in words, without the time zone: `Weekdays at 02:00`.'),
    next: Type.Array(Text({ format: 'date-time' }), {
      description: 'The next six runs; fewer when the schedule ends. A period counts from the last success or failure.',
    }),
    clock_changes: Type.Array(CLOCK_CHANGE, {
      description: 'The next two changes of the clocks in `tz`, and what they do to this schedule. None for a period.',
    }),
    replay: orNull(REPLAY, 'Null without `check`, and when its log has no run.'),
    woken: orNull(WOKEN, 'Null together with `replay`.'),
    suggestion: orNull(
      SUGGESTION,
      'Null when the timing fits the runs, when there are few of them, and when they come at irregular times.',
    ),
  },
  { description: 'What a timing means.' },
)
