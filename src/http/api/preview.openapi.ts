/** OpenAPI description of `checks/preview`. */
import { API_HEADERS, CHECK_ERRORS, READ } from './description/components.ts'
import { CHECK_ID } from './description/examples.ts'
import { type Answer, json, type Paths, schemaRef } from './description/parts.ts'

const SCHEDULE = '30 3 * * *'

const NO_CHECK = {
  kind: 'cron',
  words: 'Daily at 03:30',
  next: ['2026-03-28T01:30:00+00:00', '2026-03-29T01:00:00+00:00', '2026-03-30T00:30:00+00:00'],
  clock_changes: [
    {
      date: '2026-03-29T01:00:00+00:00',
      before: '03:00',
      after: '04:00',
      forward: true,
      effect: 'moved',
      words: 'On 29 March 2026 clocks go forward from 03:00 to 04:00. The run at 03:30 moves to 04:00 that day.',
    },
  ],
  replay: null,
  woken: null,
  suggestion: null,
}

const OF_CHECK = {
  ...NO_CHECK,
  kind: 'simple',
  words: 'Every day',
  next: ['2026-03-30T01:00:00+00:00', '2026-03-31T01:00:00+00:00'],
  clock_changes: [],
  replay: {
    runs: [
      { kind: 'ok', date: '2026-03-27T01:00:00.482+00:00', n: 25, delay: null },
      { kind: 'late', date: '2026-03-28T02:12:09.017+00:00', n: 26, delay: 4328.54 },
      { kind: 'missing', date: '2026-03-29T02:12:09.017+00:00', n: null, delay: null },
    ],
    on_time: 1,
    late: 1,
    missing: 1,
    extra: 0,
    failed: 0,
  },
  woken: {
    words: [
      'Over the last 27 runs, since 1 Mar 01:00 UTC: 1 alert instead of 2.',
      'One outage would have been found 23 h later, on 12 Mar at 01:00 UTC.',
      'From now on an outage is noticed within 2 d, instead of 1 d 1 h.',
    ],
    alerts: 2,
    alerts_then: 1,
    spared: 1,
    unfound: [],
    not_yet_found: null,
    found_later: [{ date: '2026-03-12T01:00:00+00:00', minutes: 1_380 }],
    gained: [],
    more: [],
    notice: 90_000,
    notice_then: 172_800,
    runs: 27,
    since: '2026-03-01T01:00:00+00:00',
  },
  suggestion: {
    schedule: '0 3 * * 1-5',
    tz: 'Europe/Riga',
    grace: 1_800,
    words: 'Weekdays at 03:00',
    kind: 'rare',
    variant: 'days',
    sentence: 'No run on 4 Saturdays and 4 Sundays: it seems to run on weekdays at 03:00.',
  },
}

const mistake = (error: string) => ({ error })

const BAD_TIMING: Answer = {
  description:
    'The body is not valid. The error names the first problem; for a mistake in `schedule`, `position` and `length` locate it.',
  headers: API_HEADERS,
  content: json(schemaRef('PlacedError'), {
    'A mistake in the schedule': {
      error: '"60" is not valid for the minute; allowed: 0-59.',
      position: 0,
      length: 2,
    },
    'Out of range': mistake('json validation error: grace is too small'),
    'Not a time zone': mistake('json validation error: tz is not a valid timezone'),
  }),
}

/** @param root path of the API, such as `/api/v3` */
export function previewPaths(root: string): Paths {
  return {
    [`${root}/checks/preview`]: {
      post: {
        operationId: 'previewSchedule',
        tags: ['Checks'],
        summary: 'Try a schedule',
        description:
          'Explains a period or a schedule in words, and lists its next runs and the effect of the next clock changes. With `check`, it also judges the last runs of that check by this timing: it reports how many alerts would have been sent, and may propose a better timing. It changes nothing.',
        security: READ,
        requestBody: {
          description: 'JSON of at most 131,072 bytes. The Content-Type is ignored, and no body counts as `{}`.',
          required: false,
          content: json(schemaRef('PreviewSpec'), {
            'A schedule': { schedule: SCHEDULE, tz: 'Europe/Riga' },
            'A period, tried on a check': { check: CHECK_ID, timeout: 86_400, grace: 3_600, zones: ['Europe/Riga'] },
          }),
        },
        responses: {
          200: {
            description: 'The meaning of the timing.',
            headers: API_HEADERS,
            content: json(schemaRef('SchedulePreview'), { 'A schedule': NO_CHECK, 'Tried on a check': OF_CHECK }),
          },
          400: BAD_TIMING,
          ...CHECK_ERRORS,
        },
      },
    },
  }
}
