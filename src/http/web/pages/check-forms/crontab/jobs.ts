/** The table of jobs in a pasted crontab. It shows the new check for each job, or the reason why the job gets no check. */
import type { Check } from '../../../../../domain/check/check.ts'
import { NEW_SETTINGS } from '../../../../../domain/check/fields.ts'
import { scheduleWords } from '../../../../../domain/check/schedule-words.ts'
import { periodInWords } from '../../../../../domain/duration.ts'
import type { ReplayTiming } from '../../../../../domain/preview/replay.ts'
import {
  type NewJob,
  type PastedJob,
  type ReadCrontab,
  slugToPing,
} from '../../../../../import/engine/pasted-crontab.ts'
import { checkPath } from '../../../href.ts'
import { type Html, type HtmlValue, html } from '../../../html.ts'
import { stateShape } from '../../../parts/words/states.ts'
import { bdi, counted, numbered, shown } from '../../../parts/words/text.ts'
import type { ProjectVisit } from '../../../route.ts'
import { caret, scheduleMistake } from '../schedule-mistake.ts'
import { scheduleOf } from '../schedule-values.ts'
import { nameField, tickField } from './values.ts'

/** Returns a string such as `6 jobs: 3 new, 2 already monitored, 1 cannot be monitored`. */
export function jobsWords({ jobs }: ReadCrontab): string {
  if (jobs.length === 0) return 'No jobs found.'
  const number = (kind: PastedJob['kind']) => jobs.filter((job) => job.kind === kind).length
  const kinds = numbered(
    [number('new'), 'new'],
    [number('watched'), 'already monitored'],
    [number('left-out'), 'cannot be monitored'],
  )
  return `${counted(jobs.length, 'job', 'jobs')}: ${kinds.join(', ')}.${mistakeWords(jobs)}`
}

/** Describes the first mistake. The description is not part of the table, because the table must not change while the user types names. */
function mistakeWords(jobs: readonly PastedJob[]): string {
  const bad = jobs.find((job) => job.kind === 'new' && job.mistake !== null)
  return bad?.kind === 'new' ? ` Line ${bad.line}: ${bad.mistake}` : ''
}

export function jobsTable(visit: ProjectVisit, { jobs, notes }: ReadCrontab): HtmlValue {
  if (jobs.length === 0) return null
  const also = notes.map(
    ({ name, reason, advice }) =>
      html`<li>${sentenceCase(name)}: ${shown(reason)}${advice !== null && ` ${shown(advice)}`}</li>`,
  )
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table of jobs"><table class="table crontab-jobs"><thead><tr><th scope="col">Create</th><th scope="col">Schedule</th><th scope="col">Name</th><th scope="col">Runs</th><th scope="col">Grace</th><th scope="col">Note</th></tr></thead><tbody>${jobs.map((job) => row(visit, job))}</tbody></table></div>${also.length > 0 && html`<ul class="body help">${also}</ul>`}`
}

const sentenceCase = (place: string) => place.charAt(0).toUpperCase() + place.slice(1)

function row(visit: ProjectVisit, job: PastedJob): Html {
  const schedule = html`<td><code>${bdi(job.schedule)}</code></td>`
  if (job.kind === 'new') return newRow(job, schedule)
  if (job.kind === 'watched') return watchedRow(visit, job, schedule)
  const place = placeOfMistake(job.schedule)
  return html`<tr class="off"><td></td><td><code>${bdi(job.schedule)}</code>${place && caret(job.schedule, place)}</td><th scope="row"><span class="muted">${bdi(job.program)}</span></th><td></td><td></td><td>${shown(job.reason)}${job.advice !== null && ` ${shown(job.advice)}`}</td></tr>
`
}

function newRow(job: NewJob, schedule: Html): Html {
  const { key, check, isChosen, line, mistake, remarks } = job
  const tick = html`<input type="checkbox" name="${tickField(key)}" value="on" aria-label="Create the check of line ${line}"${isChosen && html` checked`}>`
  const id = nameField(key)
  const name = html`<input class="in" id="${id}" name="${id}" value="${check.name}" autocomplete="off" aria-label="Name of the check for line ${line}"${mistake !== null && html` aria-invalid="true" aria-describedby="${id}-error"`}>${mistake !== null && html`<p class="err" id="${id}-error">${stateShape('down')}<span>${mistake}</span></p>`}`
  const warnings = remarks.map(
    (remark) => html`<p class="word late">${stateShape('late')}<span>${shown(remark)}</span></p>`,
  )
  const why = check.why.map((reason) => html`<p>${sentenceCase(shown(reason))}.</p>`)
  return html`<tr><td><label>${tick}</label></td>${schedule}<th scope="row">${name}</th><td>${scheduleWords(timingOf(check)).words}</td><td>${periodInWords(check.graceSeconds)}</td><td>${warnings}${why}</td></tr>
`
}

function watchedRow(visit: ProjectVisit, job: Extract<PastedJob, { readonly kind: 'watched' }>, schedule: Html): Html {
  const { check, program } = job
  const note = slugToPing(job) === null ? 'already monitored' : 'has a check that waits for its first ping'
  return html`<tr class="off"><td></td>${schedule}<th scope="row">${check === null ? html`<span class="muted">${bdi(program)}</span>` : checkLink(visit, check)}</th><td>${check && scheduleWords(check).words}</td><td>${check && periodInWords(check.graceSeconds)}</td><td>${note}</td></tr>
`
}

function checkLink({ site, actor }: ProjectVisit, { publicId, name }: Check): Html {
  return html`<a href="${site.href(checkPath(actor.project.slug, publicId))}">${name === '' ? 'no name' : bdi(name)}</a>`
}

/** Returns the schedule or period for a job's new check. */
export function timingOf({ timing, graceSeconds }: NewJob['check']): ReplayTiming {
  if ('timeout' in timing) return { ...NEW_SETTINGS, timeoutSeconds: timing.timeout, graceSeconds }
  return { ...NEW_SETTINGS, kind: 'cron', ...timing, graceSeconds }
}

function placeOfMistake(schedule: string) {
  const typed = scheduleOf({ ...NEW_SETTINGS, kind: 'cron', schedule }, 'UTC')
  return schedule.startsWith('@') ? null : (scheduleMistake(typed)?.place ?? null)
}
