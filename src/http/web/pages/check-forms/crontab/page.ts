/** The page for pasting a crontab, and its parts that change while the user types. */
import type { Channel } from '../../../../../domain/channel/channel.ts'
import { fetchScript } from '../../../../../domain/ping/script.ts'
import { PASTED_LINES, type ReadCrontab } from '../../../../../import/engine/pasted-crontab.ts'
import type { PingingWay } from '../../../../../import/proposals/ping-lines.ts'
import { projectPath } from '../../../href.ts'
import { type Html, type HtmlValue, html } from '../../../html.ts'
import { formActs, submit } from '../../../parts/forms/buttons.ts'
import {
  areaField,
  belowHtml,
  type Field,
  type FieldErrors,
  firstBad,
  selectField,
  textField,
} from '../../../parts/forms/fields.ts'
import { integrationSwitches, noIntegrations } from '../../../parts/forms/integration-switches.ts'
import { ZONE_LIST, zoneList } from '../../../parts/forms/zone-list.ts'
import { stateShape } from '../../../parts/words/states.ts'
import { counted, shownLines } from '../../../parts/words/text.ts'
import type { FrameContent, ProjectVisit } from '../../../route.ts'
import { spanField } from '../span-field.ts'
import { jobsTable, jobsWords } from './jobs.ts'
import type { CrontabValues } from './values.ts'

export interface CrontabData {
  readonly visit: ProjectVisit
  /** all of the project's channels */
  readonly channels: readonly Channel[]
  readonly values: CrontabValues
  readonly errors: FieldErrors
  /** the parsed crontab; null if nothing was pasted, or if parsing failed */
  readonly read: ReadCrontab | null
  readonly hasPingKey: boolean
  /** value of SITE_ROOT */
  readonly siteRoot: string
}

const FIELDS = ['crontab', 'tz', 'grace', 'alerts'] as const
export const CRONTAB_PATH = 'checks/new/crontab'
/** Name of the field that contains a button's action. */
export const ACTION = 'action'

/**
 * Selectors of the parts to update. The first list is for changes to the crontab text or its settings, and the second for changes to a
 * job's name or checkbox.
 */
const ALL_PARTS = '#jobs-words,#jobs,#crontab-back,#back-words,#create,#crontab-below,#tz-below,#grace-below'
const CHOICE_PARTS = '#jobs-words,#crontab-back,#back-words,#create'

export function crontabPage(data: CrontabData): FrameContent {
  const { visit, channels, errors } = data
  const { href } = visit.site
  const { slug } = visit.actor.project
  const path = href(projectPath(slug, CRONTAB_PATH))
  const focus = firstBad(FIELDS, errors) ?? (data.read === null ? 'crontab' : null)
  const preview = (into: string) => html` data-preview="${path}/preview" data-preview-into="${into}"`
  return {
    layout: 'frame',
    help: 'pages#paste-a-crontab',
    title: 'Paste a crontab',
    intro: html`A single line, or everything that <code>crontab -l</code> prints. Each job becomes a check, and the pings are added to the crontab.`,
    crumbs: [
      { path: projectPath(slug, 'checks'), text: 'Checks' },
      { path: projectPath(slug, 'checks/new'), text: 'New check' },
    ],
    body: html`<form class="stack" method="post" action="${path}" autocomplete="off">${ENTER}
<div class="cols even"${preview(ALL_PARTS)}>
<section class="card"><div class="body form">${areaField({ ...crontabField(data), label: 'Crontab', value: data.values.text, rows: 14, isCode: true, hasFocus: focus === 'crontab' })}${systemBox(data.values)}</div></section>
<section class="card"><div class="body form">${settings(data, focus)}${alerts(href(projectPath(slug, 'integrations')), channels, data)}</div></section>
</div>
<section class="card" aria-labelledby="jobs-h"${preview(CHOICE_PARTS)}><header><h2 id="jobs-h">Jobs</h2><p id="jobs-words" role="status">${wordsPart(data)}</p>${submit({ text: 'Preview', label: 'Preview the jobs', isSmall: true, field: { name: ACTION, value: 'preview' } })}</header><div id="jobs">${jobsPart(data)}</div></section>
<section class="card" aria-labelledby="back-h"><header><h2 id="back-h">Your crontab with the pings</h2></header><div class="body form"><div class="snip"><pre id="crontab-back" data-copy tabindex="0" role="group" aria-label="Crontab with pings">${backPart(data)}</pre></div><div class="help" id="back-words">${backWords(data)}</div></div></section>
<div id="create">${createPart(data)}</div>
</form>`,
  }
}

/** Renders the parts of the page that the script updates. */
export function crontabFragment(data: CrontabData): Html {
  return html`<p id="jobs-words">${wordsPart(data)}</p><div id="jobs">${jobsPart(data)}</div><pre id="crontab-back">${backPart(data)}</pre><div id="back-words">${backWords(data)}</div><div id="create">${createPart(data)}</div>${belowHtml(crontabField(data))}${belowHtml(zoneField(data))}${belowHtml(graceField(data))}`
}

/** A hidden button before all others. Pressing Enter in a field activates this button, so that Enter does not create the checks. */
const ENTER = html`<button hidden name="${ACTION}" value="preview"></button>`

const EXAMPLE = '30 3 * * * /opt/backup/db.sh'

function crontabField({ errors }: CrontabData): Omit<Field, 'label'> {
  const help = html`Up to ${PASTED_LINES} lines, such as <code>${EXAMPLE}</code>. Nothing is stored before you press Create.`
  return { name: 'crontab', error: errors.crontab, help, isLive: true }
}

function zoneField({ errors, read }: CrontabData): Omit<Field, 'label'> {
  const named =
    read?.namesZone && html`The crontab sets <code>CRON_TZ</code>, which cron on Debian and Ubuntu ignores. `
  return {
    name: 'tz',
    error: errors.tz,
    help: html`${named}Run <code>date</code> on the machine, and enter the zone that it shows, such as Europe/Riga.`,
    isLive: true,
  }
}

function graceField({ errors }: CrontabData): Omit<Field, 'label'> {
  const help =
    'How late a ping may be before alerts are sent. If empty, the time between two runs of each job, up to an hour.'
  return { name: 'grace', error: errors.grace, help, isLive: true }
}

function systemBox({ isOfSystem }: CrontabValues): Html {
  return html`<label class="pick"><input type="checkbox" name="system" value="on"${isOfSystem && html` checked`}>Each line names a user, as in /etc/crontab</label>`
}

function settings(data: CrontabData, focus: string | null): Html {
  const { values } = data
  const box = (name: string, isOn: boolean, words: string) =>
    html`<label class="pick"><input type="checkbox" name="${name}" value="on"${isOn && html` checked`}>${words}</label>`
  return html`${textField({ ...zoneField(data), label: 'The machine’s cron runs in', value: values.tz, list: ZONE_LIST, hasFocus: focus === 'tz' })}${zoneList()}
${spanField({ ...graceField(data), label: 'Grace time', value: values.grace, hasFocus: focus === 'grace' })}
${selectField({ name: 'by', label: 'Jobs ping with', value: values.by, options: WAYS, help: 'The first two send the start, the output and the exit status. Each is a single file in /usr/local/bin.' })}
<fieldset class="field"><legend>In addition to the exit status, lines with curl send</legend>${box('start', values.hasStart, 'the start, so that durations are known')}${box('output', values.hasOutput, 'the end of the output')}</fieldset>`
}

const WAYS: readonly (readonly [PingingWay, string])[] = [
  ['overdue-run', 'overdue-run, the shell script'],
  ['overdue', 'overdue run, the executable'],
  ['curl', 'a line with curl'],
]

function alerts(listHref: string, channels: readonly Channel[], { values, errors }: CrontabData): Html {
  if (channels.length === 0) return noIntegrations(listHref)
  const error =
    errors.alerts !== undefined && html`<p class="err">${stateShape('down')}<span>${errors.alerts}</span></p>`
  return html`<fieldset class="field"><legend>Alerts go to</legend><div class="picks">${integrationSwitches(channels, values.channelIds)}</div>${error}</fieldset>`
}

function wordsPart({ read, values }: CrontabData): HtmlValue {
  if (read === null)
    return values.text.trim() === '' ? 'Nothing has been pasted yet.' : 'The crontab has not been read yet.'
  const [only, ...more] = read.jobs
  const isSingle = only?.kind === 'new' && more.length === 0
  return html`${jobsWords(read)}${isSingle && html` ${submit({ text: 'Fill in New check', isSmall: true, field: { name: ACTION, value: 'open' } })}`}`
}

function jobsPart({ visit, read }: CrontabData): HtmlValue {
  return read && jobsTable(visit, read)
}

/** Renders the changed crontab. Browsers drop the first line break in a `pre`, so an extra one is added. */
function backPart({ read }: CrontabData): HtmlValue {
  if (read?.written == null) return null
  return html`
${read.written.map(({ text, isChanged }) => (isChanged ? html`<b>${shownLines(text)}</b>` : shownLines(text)))}`
}

function backWords(data: CrontabData): HtmlValue {
  const { visit, read, hasPingKey } = data
  if (!hasPingKey) {
    const settings = visit.site.href(projectPath(visit.actor.project.slug, 'settings'))
    return html`The project has no ping key, which the lines of the crontab need. <a href="${settings}">Create one in the settings of the project</a>. Pings to the URL of a check need no key.`
  }
  if (read?.written == null) return 'The crontab appears here with the pings added. Other lines stay as they are.'
  return html`Changed lines are bold. They contain the ping key of the project. ${needs(data)}`
}

/** Explains what the user has to install before the lines work. A job doesn't run if its wrapper command is missing. */
function needs({ siteRoot, values: { by, hasOutput } }: CrontabData): HtmlValue {
  const mailed = 'cron still mails the output.'
  if (by === 'overdue-run') {
    const command = fetchScript(siteRoot)
    return html`First install the script on the machine, or no job will run: <code>${command}</code>. It needs curl or wget; ${mailed}`
  }
  if (by === 'overdue') return `First install the executable as /usr/local/bin/overdue, or no job will run; ${mailed}`
  return hasOutput
    ? `The lines need curl. They send the last 10 kB of the output with the ping; ${mailed}`
    : 'The lines need curl.'
}

function createPart({ visit, read }: CrontabData): Html {
  const back = visit.site.href(projectPath(visit.actor.project.slug, 'checks'))
  const number = read?.jobs.filter((job) => job.kind === 'new' && job.isChosen).length ?? 0
  if (number === 0) return formActs(null, back)
  const text = `Create ${counted(number, 'check', 'checks')}`
  const words = html`<p class="help">New checks send alerts after their first ping. You can undo this for an hour.</p>`
  return html`${formActs({ text, look: 'primary', field: { name: ACTION, value: 'create' } }, back)}${words}`
}
