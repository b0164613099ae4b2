import { expect, test } from 'bun:test'
import { jobName } from '../../../src/domain/import/job-name.ts'

test.each([
  ['/usr/local/bin/backup.sh --all', 'backup.sh'],
  ['python3 /opt/x/backup.py --all', 'backup.py'],
  ['python3 -u /opt/x/backup.py', 'backup.py'],
  ['python3 -m tools.backup', 'tools.backup'],
  ['bash -c "/opt/run secret"', 'bash'],
  ['php artisan schedule:run', 'artisan'],
  ['cd /srv/app && ./bin/tidy > /dev/null 2>&1', 'tidy'],
  ['[ -x /usr/bin/certbot ] && perl -e "sleep 5" && certbot renew', 'perl'],
  ['test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }', 'cron.daily'],
  ['if [ -f /x ]; then /opt/job; fi', 'job'],
  ['sudo -u www-data nice -n 10 /opt/nightly', 'nightly'],
  ['timeout -k 5 1h /opt/slow', 'slow'],
  ['flock -n /tmp/lock /opt/locked', 'flock'],
  ["PASSWORD='a b' A=1 /opt/with-env", 'with-env'],
  ['"/opt/my tools/run all"', 'job'],
  ['', 'job'],
  ['>/dev/null', 'job'],
  ['# nothing', 'job'],
])('%p is called %p', (command, name) => {
  expect(jobName(command)).toBe(name)
})

test.each([
  'mysqldump -phunter2 db',
  'mysqldump -p hunter2',
  'sshpass -p hunter2 rsync a b',
  'echo hunter2 | sudo -S /opt/x',
  'sudo -p hunter2 x',
  'PASS=hunter2 /opt/x',
  'PASS="hunter2" /opt/x hunter2',
  'curl -u me:hunter2 https://example.org/hunter2',
  'bash -c "hunter2"',
  'perl -pe hunter2',
  'php -d hunter2 x.php',
  'env -S hunter2',
  '$(echo hunter2)',
  '"hunter2',
])('%p does not give away its password', (command) => {
  expect(jobName(command)).not.toContain('hunter2')
})
