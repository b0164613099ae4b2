import { expect, test } from 'bun:test'
import { pingedChecks, seemsToPing } from '../../../src/domain/import/pinging-already.ts'

const ID = '6f2ae1f6-93f9-4bb0-a5b0-0ac7d2c0a4a1'
const KEY = 'abcdefghij1234567890ab'

test.each([
  `curl https://hc.example.org/${ID}`,
  `curl https://hc.example.org/ping/${ID.toUpperCase()}/start`,
  `curl 'https://hc.example.org/ping/${ID}/'"$?"`,
  `curl "https://hc.example.org/${ID}?rid=1"; true`,
  `curl localhost:8000/ping/${ID}`,
  `curl $HC_BASE/${ID}`,
  `http POST https://example.org/overdue/ping/${ID}`,
  `wget -qO- https\\%3A\\%2F\\%2Fhc.example.org\\%2Fping\\%2F${ID}`,
  `curl https://hc.example.org/ping/${ID.replaceAll('-', '%2D')}`,
  `/opt/backup && curl -fsS -m 10 --retry 5 http://localhost:8000/ping/${KEY}/backup`,
  'curl "http://localhost:8000/ping/$PING_KEY/nap"',
  `curl https://ping.example.org/${KEY}/nap/start`,
  'curl -fsS https://hc-ping.com/$UUID',
  'curl hc-ping.com/key/nap',
  `curl overdue:8000/ping/${ID}`,
  `wget -q overdue/ping/${ID}/start`,
  'curl https://hc.example.org/ping/$(cat /etc/uuid)',
  'curl https://hc.example.org/ping/`cat /etc/uuid`',
  `curl 'https://hc.example.org/ping/'"$UUID"`,
  'cmd.exe /c curl.exe https://hc.example.org/ping/%UUID%',
  `curl "$\{HC_URL}/start"`,
  `HC_URL=https://hc.example.org/ping/${ID}`,
  `env: HC_URL: https://hc.example.org/ping/${ID}`,
  `CHECK_UUID=${ID}`,
  'HC_PING_KEY=k CHECK_SLUG=nap',
  `runitor -uuid ${ID} -- /opt/backup`,
  'sudo -u app /usr/local/bin/runitor -slug nap -- /opt/backup',
  'runitor',
  'task-mon --uuid x -- /opt/backup',
  `hchk ${ID} /opt/backup`,
  'bun run overdue ping nap --project Home',
  `/opt/backup | mail -s done ${ID}@ping.example.org`,
  `mail ${KEY}+nap@ping.example.org`,
])('%p pings a check', (text) => {
  expect(seemsToPing(text)).toBe(true)
})

test.each([
  `tidy ${ID}`,
  `mount UUID=${ID} /srv`,
  `rsync /srv/${ID}/ host:/ping/a/b`,
  '$HOME/ping/a/b',
  'ping -c 1 example.org',
  'curl https://example.org/ping',
  `curl https://example.org/cron/${ID}/run`,
  `curl -X POST https://hc.example.org/api/v3/checks/${ID}/pause`,
  'cronitor exec abc123 /opt/backup',
  'curl https://uptime.example.org/api/v1/heartbeat/abc',
  'apt-get install runitor',
  '/opt/overdue/backup',
])('%p pings none', (text) => {
  expect(seemsToPing(text)).toBe(false)
})

test('the checks are told by what is in the lines, and comments are none', () => {
  const lines = [
    `curl https://hc.example.org/${ID.toUpperCase()}`,
    `curl https://hc.example.org/ping/${KEY}/by-slug/0`,
    'curl https://hc.example.org/ping/$KEY/$SLUG',
    `  # curl https://hc.example.org/ping/${KEY}/comment`,
    'runitor -ping-key k -slug by-runitor -- x',
    `mail ${KEY}+by-mail@ping.example.org`,
  ]
  expect(pingedChecks(lines.join('\n'))).toEqual({ ids: [ID], slugs: ['by-slug', 'by-runitor', 'by-mail'] })
})
