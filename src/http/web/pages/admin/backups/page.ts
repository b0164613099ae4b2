/**
 * The backups page. It shows the last backup, a button that starts a backup, the files in the backup directory, and commands for upgrading
 * or moving the server.
 */
import { megabytes } from '../../../../../lib/text/text.ts'
import { isBefore } from '../../../../../lib/time.ts'
import { durationWords } from '../../../../../lib/time-words.ts'
import type { ServerPlace } from '../../../../../services/common/deps.ts'
import type { SeenBackup, SeenBackups } from '../../../../../services/server/backups.ts'
import type { PageContext } from '../../../context.ts'
import { type Html, html } from '../../../html.ts'
import { formButton, submit } from '../../../parts/forms/buttons.ts'
import { hiddenField } from '../../../parts/forms/fields.ts'
import { card, keyValues } from '../../../parts/lists.ts'
import { alertNote, note } from '../../../parts/notes.ts'
import { bdi, counted, sentence, shown, shownLines } from '../../../parts/words/text.ts'
import { relativeTime, zoneLine } from '../../../parts/words/times.ts'
import type { FrameContent } from '../../../route.ts'
import { ADMIN_TABS, adminTabs } from '../tabs.ts'
import { arrive, dump, leave, restoreDump, upgradeOfFile, upgradeOnPostgres } from './commands.ts'

const { path: PATH, title: TITLE } = ADMIN_TABS.backups
export const DOWNLOAD = `${PATH}/download`

interface BackupsPageData extends PageContext {
  /** status of the backups; null if the database is not a file */
  readonly seen: SeenBackups | null
  readonly place: ServerPlace
  readonly version: string
  /** value of SITE_ROOT */
  readonly siteRoot: string
  /** true if SECRET_KEY is set, in which case backups do not contain it */
  readonly hasSecretKey: boolean
}

export function backupsPage(data: BackupsPageData): FrameContent {
  const { href, seen, place, tz } = data
  const body = seen !== null ? fileBody(data, seen) : place.engine === 'PostgreSQL' ? postgresBody(data) : memoryNote()
  return {
    layout: 'frame',
    help: 'backup',
    title: TITLE,
    intro: html`A backup is a single file with all data: projects, accounts, checks and logs. <a href="${href('/docs/backup')}">Backups, restoring, moving</a>`,
    body: html`<div class="stack">${adminTabs(href, 'backups')}${body}${zoneLine(tz)}</div>`,
  }
}

function memoryNote(): Html {
  return note(
    'late',
    'The database is in memory, so it cannot be backed up and is lost at a restart. Set DATABASE_URL to a file.',
  )
}

function fileBody(data: BackupsPageData, seen: SeenBackups): Html {
  return html`${warning(data, seen)}${lastCard(data, seen)}${keptCard(data, seen)}${upgradeCard(data, seen)}${moveCard(data, seen)}`
}

/** Returns at most one warning. A failed backup takes precedence over an old or missing one. */
function warning(
  { now, tz }: BackupsPageData,
  { newest, failure, isOld, problem, usedSince }: SeenBackups,
): Html | false {
  if (problem !== null) return alertNote(html`The backup folder cannot be used. ${bdi(sentence(problem))}`)
  if (failure !== null && (newest === null || isBefore(newest.at, failure.at))) {
    return alertNote(html`Backup failed, ${relativeTime(failure.at, now, tz)}. ${bdi(sentence(failure.reason))}`)
  }
  if (!isOld) return false
  if (newest !== null) return note('late', html`The last backup is more than a week old.`)
  return note(
    'late',
    html`This database has no backup${usedSince !== null && html`. Its first project was created ${relativeTime(usedSince, now, tz)}`}.`,
  )
}

function lastCard({ href, now, tz }: BackupsPageData, { newest, directory, plan, underWay }: SeenBackups): Html {
  const took = newest?.seconds != null && `, took ${durationWords(newest.seconds)}`
  const rows = keyValues([
    [
      'Last backup',
      newest === null
        ? 'none yet'
        : html`${relativeTime(newest.at, now, tz)}, ${megabytes(newest.bytes)}${took}<br><code>${shown(newest.file)}</code>`,
    ],
    ['Folder', html`<code>${shown(directory)}</code>`],
    [
      'Schedule',
      plan.schedule === null
        ? html`none. Set <code>BACKUP_DIRECTORY=/path/to/backups</code>, preferably on another disk, and the server takes a backup every night.`
        : html`<code>${plan.schedule}</code>, in UTC unless it names a zone`,
    ],
    ['Kept', `the newest ${plan.keep} scheduled backups and the newest ${plan.keep} manual ones (BACKUP_KEEP)`],
  ])
  const act = underWay === null ? backUpNow(href(PATH)) : progress(underWay)
  return card({ title: 'Last backup', body: html`<div class="stack">${rows}${act}</div>` })
}

function backUpNow(action: string): Html {
  return html`<div class="acts">${formButton({ text: 'Back up now', look: 'primary', action })}</div>`
}

function progress({ bytes, ofBytes }: NonNullable<SeenBackups['underWay']>): Html {
  return html`<progress max="${Math.max(ofBytes, 1)}" value="${Math.min(bytes, ofBytes)}" aria-label="Copied"></progress>
<p role="status">Backup in progress: ${megabytes(bytes)} of about ${megabytes(ofBytes)} copied. The copy will then be verified. The server still accepts pings.</p>`
}

/** Maximum number of backups in the list. The directory may contain more. */
const LISTED = 100

function keptCard(data: BackupsPageData, { kept }: SeenBackups): Html | false {
  if (kept.length === 0) return false
  const table = html`<div class="scroll" tabindex="0" role="group" aria-label="Backups in the folder"><table class="table stacks"><thead><tr><th scope="col">File</th><th scope="col">Taken</th><th scope="col">Size</th><th scope="col">By</th><th scope="col">Download</th></tr></thead><tbody>
${kept.slice(0, LISTED).map((backup) => keptRow(data, backup))}</tbody></table></div>`
  const more = kept.length - LISTED
  return card({
    title: counted(kept.length, 'backup in the folder', 'backups in the folder'),
    body: html`<div class="stack"><p>A backup contains secrets: tokens of integrations, ping URLs, email addresses and password hashes. Protect it like a password. Every download is recorded in the audit log.</p>${table}${more > 0 && html`<p>and ${more} older backups.</p>`}</div>`,
  })
}

function keptRow({ href, now, tz }: BackupsPageData, { name, bytes, at, origin }: SeenBackup): Html {
  const download = html`<form method="post" action="${href(DOWNLOAD)}">${hiddenField('name', name)}${submit({ text: 'Download', isSmall: true, label: `Download ${name}` })}</form>`
  return html`<tr><th scope="row"><code>${name}</code></th><td data-name="Taken">${relativeTime(at, now, tz)}</td><td data-name="Size">${megabytes(bytes)}</td><td data-name="By">${origin}</td><td>${download}</td></tr>
`
}

function commands(name: string, lines: string): Html {
  return html`<div class="snip"><pre data-copy tabindex="0" role="group" aria-label="${name}">${shownLines(lines)}</pre></div>`
}

function upgradeCard({ href, place, version, siteRoot }: BackupsPageData, { database }: SeenBackups): Html {
  const lines = upgradeOfFile({ place, database, version }, siteRoot)
  return card({
    title: 'Upgrade',
    body: html`<div class="stack"><p>This is version ${version}. These commands take a backup, replace this version with the new one, and start it. <a href="${href('/docs/upgrading')}">Upgrading</a> explains what happens to the database, and how to go back.</p>${commands('Upgrade', lines)}</div>`,
  })
}

function moveCard({ href, place, version, hasSecretKey }: BackupsPageData, { database }: SeenBackups): Html {
  const server = { place, database, version }
  const secret = hasSecretKey ? ' Copy SECRET_KEY too: backups do not contain it.' : ''
  return card({
    title: 'Move to another machine',
    body: html`<div class="stack"><p>Install Overdue there, this version or a newer one, with the same settings.${secret} <a href="${href('/docs/backup#moving-to-another-machine')}">All steps</a></p>
<p>Run these commands on this machine. Pings fail after the first one, so continue without delay:</p>${commands('On this machine', leave(server))}
<p>Run these commands on the other machine. Then point the DNS name to it, and do not start this server again:</p>${commands('On the other machine', arrive(server))}</div>`,
  })
}

function postgresBody({ href, place, version, siteRoot }: BackupsPageData): Html {
  const backups = card({
    title: 'Backups of PostgreSQL',
    body: html`<div class="stack"><p>PostgreSQL has tools for backups, so there is no button here. This command takes a consistent copy of the database, even while the server is running. It asks for the password, or reads it from <code>~/.pgpass</code>.</p>${commands('Back up', dump(place))}
<p>Restore the copy into an empty database. You can also use this to move to another machine:</p>${commands('Restore', restoreDump())}
<p>For recovery to a point in time, use continuous archiving or the backups of a managed service. <a href="${href('/docs/operate#backups-of-postgresql')}">Backups of PostgreSQL</a></p></div>`,
  })
  const upgrade = card({
    title: 'Upgrade',
    body: html`<div class="stack"><p>This is version ${version}. These commands take a dump, replace this version with the new one, and start it. <a href="${href('/docs/upgrading')}">Upgrading</a> explains what happens to the database.</p>${commands('Upgrade', upgradeOnPostgres(place, siteRoot))}</div>`,
  })
  return html`${backups}${upgrade}`
}
