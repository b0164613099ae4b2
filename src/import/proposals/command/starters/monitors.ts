/** Clients of other monitoring services. These clients start the job that they monitor. */
import type { Starter } from './starter.ts'

export const MONITORS: Readonly<Record<string, Starter>> = {
  'appsignal-wrap': { behind: /^--$/ },
  cronitor: {
    flags: 'v',
    valued: 'kcelnp',
    longFlags: 'verbose',
    longValued: 'api-key config env log hostname ping-api-key',
    subcommands: {
      exec: { flags: 'sv', valued: 'e', longFlags: 'no-stdout verbose', longValued: 'env', skip: 1, rest: 'line' },
    },
  },
  'ddtrace-run': {},
  dms: { skip: 1 },
  hb: { subcommands: { run: { behind: /^--$/ } } },
  honeybadger: {
    subcommands: { exec: { flags: 'q', valued: 'ke', longFlags: 'quiet', longValued: 'api-key environment' } },
  },
  'newrelic-admin': { subcommands: { 'run-program': {} } },
  'opentelemetry-instrument': {},
  overdue: { subcommands: { run: { behind: /^--$/ } } },
  'overdue-run': { behind: /^--$/ },
  'sentry-cli': {
    longValued: 'auth-token header log-level url',
    subcommands: {
      monitors: {
        longValued: 'org auth-token header log-level',
        valued: 'o',
        subcommands: {
          run: {
            valued: 'eop',
            longValued:
              'environment org project schedule checkin-margin max-runtime timezone failure-issue-threshold recovery-threshold',
            skip: 1,
          },
        },
      },
    },
  },
}
