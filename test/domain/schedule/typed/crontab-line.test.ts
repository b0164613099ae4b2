/** Crontab lines typed as a schedule. */
import { expect, test } from 'bun:test'
import { readCrontabLine } from '../../../../src/domain/schedule/typed/crontab-line.ts'

test.each([
  ['*/5 * * * * /usr/local/bin/backup.sh', '*/5 * * * *', '/usr/local/bin/backup.sh'],
  ['  0 3 * * MON-FRI\tcd /srv && ./tidy --all ', '0 3 * * MON-FRI', 'cd /srv && ./tidy --all'],
  ['@daily backup', '@daily', 'backup'],
  ['0 3 * * * root /usr/bin/php x.php', '0 3 * * *', 'root /usr/bin/php x.php'],
])('%j gives a schedule and a command', (line, schedule, command) => {
  expect(readCrontabLine(line)).toEqual({ schedule, command })
})

test.each([
  ['a schedule alone', '0 3 * * *'],
  ['a word alone', '@daily'],
  ['a word that is no schedule', '@reboot /usr/bin/x'],
  ['more fields', '0 0 3 * * * *'],
  ['a year, and a command', '0 3 * * * 2026 /usr/bin/x'],
  ['a time zone', '0 3 * * * Europe/Riga'],
  ['an offset', '0 3 * * * +02:00'],
  ['a mistake in a field', '0 25 * * * /usr/bin/x'],
  ['OnCalendar', 'Mon..Fri 02:00'],
  ['several lines', '0 3 * * * /a\n0 4 * * * /b'],
  ['a text that is too long', `0 3 * * * ${'x'.repeat(1_000)}`],
  ['nothing', ''],
])('%s gives none', (_, text) => expect(readCrontabLine(text)).toBeNull())
