/** Describes `overdue run`. `main.ts` runs this command with the code in `run/`, without loading the command line. */
import type { Command } from '../command.ts'

export const runCommands: readonly Command[] = [
  {
    words: 'run',
    usage:
      '[--check SLUG|UUID|URL]... [--create SCHEDULE [--tz ZONE] [--grace DURATION]] [--mask REGEX]... [--timeout DURATION [--kill-after DURATION]] -- COMMAND... | --flush',
    summary: 'run a command, and report its start, its exit status and its output to a check',
    details: [
      'It passes on the output and exit status of the command. A slow or unreachable server never delays the command or makes it fail:',
      'the pings are stored on disk, and the next run or --flush delivers them.',
      '--check is a slug, a UUID or a ping URL; it may be repeated. --create creates a check that does not exist yet, with a cron expression,',
      '--tz ZONE and --grace DURATION. --mask REGEX replaces matches in the sent output by ***; it may be repeated.',
      '--timeout DURATION stops the command and its child processes by SIGTERM, and after --kill-after DURATION (default 10s) by SIGKILL.',
      'DURATION is in seconds, or like 90s, 5m, 1h30m, 1d.',
      'Environment: OVERDUE_URL, OVERDUE_PING_KEY or OVERDUE_PING_KEY_FILE, OVERDUE_CHECK, OVERDUE_MASK (one a line), OVERDUE_SPOOL; see docs/jobs.md.',
    ].join('\n'),
    example: 'overdue run --check backup -- /usr/local/bin/backup.sh --all',
    options: {
      check: { type: 'string', value: 'SLUG|UUID|URL', isList: true },
      create: { type: 'string', value: 'SCHEDULE' },
      tz: { type: 'string', value: 'ZONE', with: 'create' },
      grace: { type: 'string', value: 'DURATION', with: 'create' },
      mask: { type: 'string', value: 'REGEX', isList: true },
      timeout: { type: 'string', value: 'DURATION' },
      'kill-after': { type: 'string', value: 'DURATION', with: 'timeout' },
      flush: { type: 'boolean', default: false },
    },
    run: () => Promise.reject(new Error('the program runs it without the command line')),
  },
]
