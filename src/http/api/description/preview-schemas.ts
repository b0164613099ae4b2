/** Schema of the response from `checks/preview`. */
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
    words: text('Description of the clock change, in sentences.'),
  },
  { description: 'A clock change.' },
)

const JUDGED_RUN = closed(
  {
    kind: oneOf(
      ['ok', 'late', 'failed', 'missing', 'extra'],
      '`missing`: the run was expected, but no ping arrived. `extra`: the run ended, although none was expected.',
    ),
    date: instant('Time of the ping; for a missing run, the expected time.'),
    n: orNull(Type.Integer({ minimum: 1 }), 'Number of the ping; null for a missing run.'),
    delay: orNull(
      Type.Number({ minimum: 0 }),
      'How many seconds after the expected time the run started; null unless it was late.',
    ),
  },
  { description: 'A run, and how the given timing would have judged it.' },
)

const REPLAY = closed(
  {
    runs: Type.Array(JUDGED_RUN, { description: 'The newest 30 runs at most, oldest first.' }),
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
    alerts: count('Number of alerts that the current settings would have sent.'),
    alerts_then: count('Number of alerts that the given timing would have sent.'),
    spared: count('Number of false alerts that the given timing would have avoided.'),
    unfound: instants('Times of alerts about outages that the given timing would not have found.'),
    not_yet_found: orNull(
      instant('Time of the alert about an open outage that the given timing has not found yet.'),
      'Null if there is none.',
    ),
    found_later: Type.Array(
      closed(
        {
          date: instant('Time at which the given timing would have found the outage.'),
          minutes: count('Delay in minutes.'),
        },
        { description: 'An outage that the given timing would have found later.' },
      ),
    ),
    gained: instants('Times at which the given timing would have found outages that the current timing missed.'),
    more: instants('Times of additional false alerts: the check was silent, but not for unusually long.'),
    notice: orNull(
      count('Longest time until the current timing notices an outage, in seconds.'),
      'Null when the schedule ends.',
    ),
    notice_then: orNull(
      count('Longest time until the given timing notices an outage, in seconds.'),
      'Null when the schedule ends.',
    ),
    runs: count('Number of successes and failures that were examined.'),
    since: orNull(instant('Time of the oldest success or failure that was examined.'), 'Null if there is none.'),
  },
  {
    description:
      'Number of alerts with the given timing, compared with the current timing. A silence counts as an outage if it is unusually long, or if it ends with a failure.',
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
    variant: text('Name of the rule that gave the advice.'),
    sentence: text('Reason for the proposal, with times in UTC.'),
  },
  {
    oneOf: [{ required: ['timeout'] }, { required: ['schedule', 'tz'] }],
    description:
      'A timing that matches the runs more closely. To apply it, send `grace` and either `timeout`, or `schedule` and `tz`, in an update of the check.',
  },
)

export const SCHEDULE_PREVIEW = closed(
  {
    kind: oneOf(CHECK_KINDS, '`simple` if the timing is a period.'),
    words: text('The timing in words, without the time zone: `Weekdays at 02:00`.'),
    next: Type.Array(Text({ format: 'date-time' }), {
      description:
        'Times of the next six runs; fewer if the schedule ends earlier. With a period, they are counted from the last success or failure.',
    }),
    clock_changes: Type.Array(CLOCK_CHANGE, {
      description:
        'The next two clock changes in `tz`, and how they affect this schedule. Empty if the timing is a period.',
    }),
    replay: orNull(REPLAY, 'Null if `check` is missing, or if its log contains no runs.'),
    woken: orNull(WOKEN, 'Null whenever `replay` is null.'),
    suggestion: orNull(
      SUGGESTION,
      'Null if the timing matches the runs already, if there are too few runs, or if they are irregular.',
    ),
  },
  { description: 'The meaning of a timing, and how it would have judged the runs of a check.' },
)
