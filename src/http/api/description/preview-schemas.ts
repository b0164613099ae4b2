/** The schema of the answer of `checks/preview`. */
import { ADVICE_KINDS } from '../../../domain/advice/advice.ts'
import { CheckSpec } from '../../../domain/check/check.ts'
import { CHECK_KINDS } from '../../../domain/check/fields.ts'
import { Text, Type } from '../../../domain/schema.ts'
import { closed, count, oneOf, orNull, text } from './schema-parts.ts'

const instant = (description: string) => Text({ format: 'date-time', description })

const CLOCK_CHANGE = closed(
  {
    date: instant('Time of the change.'),
    before: text('Clock time before the change: `03:00`.'),
    after: text('Clock time after the change: `04:00`.'),
    forward: Type.Boolean({ description: 'False if the clocks go back.' }),
    effect: oneOf(['untouched', 'skipped', 'moved', 'repeated'], 'Effect on runs at skipped or repeated times.'),
    words: text('The change in sentences.'),
  },
  { description: 'A clock change.' },
)

const JUDGED_RUN = closed(
  {
    kind: oneOf(
      ['ok', 'late', 'failed', 'missing', 'extra'],
      '`missing`: expected, but no ping arrived. `extra`: it ended, but no run was expected since the previous one.',
    ),
    date: instant('Time of its ping, or the expected time.'),
    n: orNull(Type.Integer({ minimum: 1 }), 'Number of its ping; null if it is missing.'),
    delay: orNull(
      Type.Number({ minimum: 0 }),
      'Seconds from the expected time to its start; null unless it started late.',
    ),
  },
  { description: 'A run, as it would have been judged.' },
)

const REPLAY = closed(
  {
    runs: Type.Array(JUDGED_RUN, { description: 'Oldest first, the newest 30 at most.' }),
    on_time: count('Number of runs on time.'),
    late: count('Number of late runs.'),
    missing: count('Number of missing runs.'),
    extra: count('Number of unexpected runs.'),
    failed: count('Number of failed runs.'),
  },
  { description: 'The last runs, judged by the given timing.' },
)

const instants = (description: string) => Type.Array(Text({ format: 'date-time' }), { description })

const WOKEN = closed(
  {
    words: Type.Array(Text(), { description: 'The result in sentences, with times in UTC.' }),
    alerts: count('Number of alerts with the present settings.'),
    alerts_then: count('Number of alerts with the given timing.'),
    spared: count('Number of false alerts that the given timing would have avoided.'),
    unfound: instants('Times of alerts about outages that the given timing would not have found.'),
    not_yet_found: orNull(
      instant('Time of the alert about an open outage that the given timing has not found yet.'),
      'Null without one.',
    ),
    found_later: Type.Array(
      closed(
        { date: instant('Time at which it would have been found.'), minutes: count('Delay in minutes.') },
        { description: 'An outage that the given timing would have found later.' },
      ),
    ),
    gained: instants('Times at which the given timing would have found outages that the present one did not find.'),
    more: instants('Times of additional alerts although the silence was not unusual.'),
    notice: orNull(count('Longest time in seconds until an outage is noticed.'), 'Null when the schedule ends.'),
    notice_then: orNull(count('The same for the given timing.'), 'Null when the schedule ends.'),
    runs: count('Number of successes and failures that were examined.'),
    since: orNull(instant('Time of the first one.'), 'Null without one.'),
  },
  {
    description:
      'Number of alerts with the given timing, compared with the present one. A silence is an outage if it is unusually long, or ends with a failure.',
  },
)

const SUGGESTION = closed(
  {
    timeout: Type.Optional(count(CheckSpec.properties.timeout.description ?? '')),
    schedule: Type.Optional(text('Cron expression.')),
    tz: Type.Optional(text('IANA time zone of `schedule`.')),
    grace: count('Grace time in seconds.'),
    words: text('The timing in words: `Every 30 minutes`.'),
    kind: oneOf(ADVICE_KINDS, 'Kind of advice.'),
    variant: text('The rule of that kind.'),
    sentence: text('Reason for the proposal, with times in UTC.'),
  },
  {
    oneOf: [{ required: ['timeout'] }, { required: ['schedule', 'tz'] }],
    description: 'A timing that fits the runs better. Its first fields can be sent to update the check.',
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
      description: 'The next two clock changes in `tz`, and their effect on this schedule. Empty for a period.',
    }),
    replay: orNull(REPLAY, 'Null without `check`, or if its log has no run.'),
    woken: orNull(WOKEN, 'Null together with `replay`.'),
    suggestion: orNull(
      SUGGESTION,
      'Null if the timing fits the runs, if there are too few runs, or if they are irregular.',
    ),
  },
  { description: 'Meaning of a timing.' },
)
