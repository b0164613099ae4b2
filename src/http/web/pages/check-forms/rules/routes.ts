/**
 * `/p/<project>/checks/<check>/rules`: how the check reads its pings, with a box to try that. `…/rules/try` answers the script
 * while somebody types; without it a button shows the page again.
 */

import { isDeepStrictEqual } from 'node:util'
import { applySpec, type Check, type CheckSpec } from '../../../../../domain/check/check.ts'
import { tryRules } from '../../../../../domain/ping/try-rules.ts'
import { tryRulesOnLog } from '../../../../../services/advice/try-rules.ts'
import { getCheckByPublicId, updateCheck } from '../../../../../services/checks/checks.ts'
import { checkPath } from '../../../href.ts'
import { type Html, html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { submit } from '../../../parts/forms/buttons.ts'
import { type FieldErrors, firstBad, firstMistake } from '../../../parts/forms/fields.ts'
import { card } from '../../../parts/lists.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../../route.ts'
import { again } from '../../forms.ts'
import { projectRoute } from '../../new-route.ts'
import { CHECK_FORM_LIMIT, type CheckForm, checkFormPage, checkFormRoutes, checkWords } from '../check-form.ts'
import { fillIn } from '../readings.ts'
import { specErrors } from '../spec-errors.ts'
import { SAVING_PART, savingPart } from '../woken.ts'
import { RULES_FIELDS, type RulesValues, readRules, rulesFields, rulesLabel, rulesOf } from './fields.ts'
import { newestIgnored } from './newest-ignored.ts'
import { PAST_PART, pastPart, type ShownPast } from './past.ts'
import { readSample, type SampleValues, sampleFields, sampleOf } from './sample-fields.ts'
import { trialHtml } from './trial.ts'

export function rulesRoutes(deps: PageDeps): readonly Route[] {
  return [
    ...checkFormRoutes(deps, rulesForm(deps)),
    projectRoute(
      'POST',
      'checks/:check/rules/try',
      'write',
      async (visit) => {
        const { actor, params, form } = visit
        const { check } = await getCheckByPublicId(deps, actor, params.check ?? '')
        const [rules, sample] = [readRules(form), readSample(form)]
        const past = await triedOnLog(deps, visit, check, rules)
        return { kind: 'fragment', fragment: html`${tried(check, rules, sample)}${pastPart(past)}${savingPart(past)}` }
      },
      { formLimit: CHECK_FORM_LIMIT },
    ),
  ]
}

const TRY = { name: 'action', value: 'try' } as const

function rulesForm(deps: PageDeps): CheckForm {
  return {
    word: 'rules',
    async show({ check }, visit) {
      const filled = await fillIn(deps, visit, check, 'rules', ({ methods }) => methods !== undefined)
      const isAsked = visit.url.searchParams.get('try') === 'newest'
      const sample = { ...sampleFor(check), ...(isAsked ? await newestIgnored(deps, visit, check) : null) }
      const data = { check, rules: rulesOf(filled.check), sample, errors: {}, past: null }
      const page = rulesPage(visit, data)
      return { ...page, body: html`${filled.above}${page.body}` }
    },
    async act({ check }, visit): Promise<PageAnswer> {
      const { actor, form } = visit
      const rules = readRules(form)
      const sample = readSample(form)
      const errors = specErrors(rules, null)
      const page = (past: ShownPast | null) => rulesPage(visit, { check, rules, sample, errors, past })
      if (Object.keys(errors).length > 0) return again(page(null))
      if (form.text(TRY.name) === TRY.value) return page(await triedOnLog(deps, visit, check, rules))
      await updateCheck(deps, actor, check, rules satisfies CheckSpec, false)
      return { kind: 'redirect', to: checkPath(actor.project.slug, check.publicId), done: 'rules-saved' }
    },
  }
}

/** An empty one, of the kind in which the check looks for keywords. */
function sampleFor({ filterSubject, filterBody, filterHttpBody, status }: Check): SampleValues {
  const via = (filterSubject || filterBody) && !filterHttpBody ? 'email' : 'http'
  return { via, method: 'POST', end: '', subject: '', text: '', isPaused: status === 'paused' }
}

interface RulesData {
  readonly check: Check
  readonly rules: RulesValues
  readonly sample: SampleValues
  readonly errors: FieldErrors
  readonly past: ShownPast | null
}

function rulesPage(visit: ProjectVisit, { check, rules, sample, errors, past }: RulesData): FrameContent {
  const path = visit.site.href(checkPath(visit.actor.project.slug, check.publicId, 'rules/try'))
  return checkFormPage({
    visit,
    check,
    word: 'rules',
    help: 'pages#trying-rules',
    title: 'Filtering rules',
    intro: html`How pings to ${checkWords(check)} are counted.`,
    // Enter in a field of the made-up ping would save the rules. It presses the first button, which is disabled.
    fields: html`<button disabled hidden></button>${card({
      title: 'Rules',
      body: html`<div class="form rules">${rulesFields(rules, errors, firstBad(RULES_FIELDS, errors))}${check.mailDefaultSuccess && SUBJECT_FAIL}</div>`,
    })}
${savingPart(past)}`,
    button: { text: 'Save rules', look: 'primary' },
    preview: { path, into: ['#tried', PAST_PART, SAVING_PART].join() },
    beside: card({
      title: 'Try it',
      body: html`<div class="form sample">${sampleFields(sample)}<noscript>${submit({ text: 'Try rules', field: TRY })}</noscript>
${tried(check, rules, sample)}${pastPart(past)}</div>`,
    }),
  })
}

const SUBJECT_FAIL = html`<p class="help">The check was given <code>subject_fail</code> without <code>subject</code>, so an email without a keyword is a success. A change of keywords or of where they are looked for ends that.</p>`

/** Result of the typed rules, once saved, for the sample. */
function tried(check: Check, rules: RulesValues, sample: SampleValues): Html {
  return html`<div id="tried" role="status">${mistake(rules) ?? trialHtml(trial(check, rules, sample), rules, sample)}</div>`
}

/** Null for the rules that the check has, so that a ping is made up quickly; for a mistake; and without a ping in the log. */
async function triedOnLog(
  deps: PageDeps,
  { actor, account }: ProjectVisit,
  check: Check,
  rules: RulesValues,
): Promise<ShownPast | null> {
  if (isDeepStrictEqual(rules, rulesOf(check)) || mistake(rules) !== null) return null
  const found = await tryRulesOnLog(deps, actor, check, applySpec(check, rules, false))
  return found && { ...found, now: deps.now(), tz: account.tz }
}

function trial(check: Check, rules: RulesValues, sample: SampleValues) {
  const status = sample.isPaused ? 'paused' : 'up'
  return tryRules({ ...applySpec(check, rules, false), status }, sampleOf(sample, check.id))
}

/** Null for rules that can be saved. */
function mistake(rules: RulesValues): Html | null {
  const words = firstMistake(RULES_FIELDS, rulesLabel, specErrors(rules, null))
  return words === null ? null : html`<p class="err">${words}</p>`
}
