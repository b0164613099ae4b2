/** Output of the jobs of the demo, like that of the real programs of such jobs. */
import type { Output, Run } from './job.ts'

const PACKAGES = ['shop', 'ledger', 'media', 'home'] as const

export const pgDump: Output = ({ chance, seconds }) =>
  lines(
    'pg_dump: last built-in OID is 16383',
    'pg_dump: saving encoding = UTF8',
    ...['authors', 'books', 'customers', 'orders', 'order_lines'].map(
      (table) => `pg_dump: dumping contents of table "public.${table}"`,
    ),
    `wrote /backup/shop-${chance.between(100, 999)}.dump, ${chance.between(38_200, 39_900)} MB in ${Math.round(seconds)} s`,
  )

export const restic: Output = ({ chance, seconds }) =>
  lines(
    `using parent snapshot ${hex(chance.fraction, 8)}`,
    '',
    `Files:       ${chance.between(2, 180)} new, ${chance.between(20, 400)} changed, ${chance.between(81_000, 84_000)} unmodified`,
    `Added to the repository: ${chance.between(80, 900)}.${chance.between(100, 999)} MiB`,
    `processed ${chance.between(82_000, 85_000)} files, 41.${chance.between(100, 999)} GiB in ${clock(seconds)}`,
    `snapshot ${hex(chance.fraction, 8)} saved`,
  )

export const borg: Output = ({ chance, seconds, at }) =>
  lines(
    `Archive name: mail-${at.toISOString().slice(0, 10)}`,
    `Duration: ${clock(seconds)}`,
    `Number of files: ${chance.between(412_000, 418_000)}`,
    `This archive:  ${chance.between(118, 121)}.${chance.between(10, 99)} GB  compressed: 96.${chance.between(10, 99)} GB  deduplicated: ${chance.between(90, 700)}.20 MB`,
  )

export const rsync: Output = ({ chance }) =>
  lines(
    `Number of files: ${chance.between(61_000, 64_000)}`,
    `Number of regular files transferred: ${chance.between(3, 240)}`,
    `Total transferred file size: ${chance.between(8, 900)},${chance.between(100, 999)},${chance.between(100, 999)} bytes`,
    `sent ${chance.between(40, 90)}.2M bytes  received 1.${chance.between(10, 99)}M bytes  ${chance.between(2, 9)}.1M bytes/sec`,
  )

/** @param what plural of the counted things */
export function counted(what: string, least: number, most: number): Output {
  return ({ chance, seconds }) => `${chance.between(least, most)} ${what}, ${seconds.toFixed(1)} s\n`
}

export const etl: Output = ({ chance, seconds }) =>
  lines(
    `INFO  extract  stock.movements: ${chance.between(18_000, 26_000)} rows`,
    `INFO  extract  catalogue.editions: ${chance.between(210, 990)} rows changed`,
    'INFO  transform  joined on isbn13, 0 rejected',
    `INFO  load  warehouse.stock_daily: committed in ${(seconds / 3).toFixed(1)} s`,
  )

export const certbot: Output = () =>
  lines(
    'Saving debug log to /var/log/letsencrypt/letsencrypt.log',
    'Processing /etc/letsencrypt/renewal/harbourbooks.example.conf',
    'Certificate not yet due for renewal',
    'No renewals were attempted.',
  )

export const certbotFailed: Output = () =>
  lines(
    'Saving debug log to /var/log/letsencrypt/letsencrypt.log',
    'Processing /etc/letsencrypt/renewal/harbourbooks.example.conf',
    'Renewing an existing certificate for harbourbooks.example and www.harbourbooks.example',
    'Certbot failed to authenticate some domains (authenticator: webroot).',
    '  Domain: www.harbourbooks.example',
    '  Type:   connection',
    '  Detail: 192.0.2.40: Fetching http://www.harbourbooks.example/.well-known/acme-challenge/: Timeout during connect (likely firewall problem)',
    'Failed to renew certificate harbourbooks.example with error: Some challenges have failed.',
    '1 renew failure(s), 0 parse failure(s)',
  )

export const ledgerFailed: Output = ({ chance }) =>
  lines(
    `exporting ${chance.between(380, 460)} bookings to /srv/ledger/export.csv`,
    'Traceback (most recent call last):',
    '  File "/opt/ledger/export.py", line 88, in main',
    '    upload(path, settings.sftp_host)',
    '  File "/opt/ledger/sftp.py", line 31, in upload',
    '    transport.connect(username=user, pkey=key)',
    'paramiko.ssh_exception.AuthenticationException: Authentication failed.',
  )

export const diskFull: Output = () =>
  lines(
    'INFO  extract  stock.movements: 22481 rows',
    'ERROR load  warehouse.stock_daily: could not extend file "base/16402/28311": No space left on device',
    'HINT:  Check free disk space.',
  )

export const paperJam: Output = ({ chance }) => `dock 2: paper jam in tray ${chance.between(1, 2)}, 14 labels waiting\n`

export const basketsFailed: Output = () =>
  lines(
    'connecting to redis://cache.harbour.internal:6379',
    'redis.exceptions.TimeoutError: Timeout reading from cache.harbour.internal:6379',
  )

/** Returns a message as the NAS of the office sends it (RFC 5322). */
export function nasMail(subject: string, words: string): Output {
  return (run) => mail('Office NAS <nas@harbourbooks.example>', `[nas-office] ${subject}`, run, words)
}

export function upsMail(run: Run): string {
  const words = lines(
    `Battery capacity: ${run.chance.between(94, 99)} %`,
    'Estimated runtime: 41 minutes',
    'Result: passed',
  )
  return mail('UPS <ups@harbourbooks.example>', 'UPS rack 1: self-test passed', run, words)
}

function mail(from: string, subject: string, { at, chance }: Run, words: string): string {
  const head = [
    `From: ${from}`,
    'To: checks@harbourbooks.example',
    `Subject: ${subject}`,
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${hex(chance.fraction, 16)}@harbourbooks.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
  ]
  return `${[...head, '', ...words.trimEnd().split('\n')].join('\r\n')}\r\n`
}

export const climate: Output = ({ chance }) =>
  `archive room ${(18 + chance.fraction() * 1.4).toFixed(1)} °C, ${chance.between(44, 48)} % humidity\n`

export const queueReport: Output = ({ chance }) =>
  `${JSON.stringify({ status: 'ok', waiting: chance.between(0, 9), done: chance.between(40, 160), workers: 4 })}\n`

export const deploy: Output = ({ chance, seconds }) =>
  lines(
    `git fetch: ${hex(chance.fraction, 7)}..${hex(chance.fraction, 7)}  main`,
    `built ${chance.pick(PACKAGES)} in ${seconds.toFixed(0)} s`,
    'deployed to staging.harbourbooks.example',
  )

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`
}

function hex(fraction: () => number, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(fraction() * 16).toString(16)).join('')
}

function clock(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
}
