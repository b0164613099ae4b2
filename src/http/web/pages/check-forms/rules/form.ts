/**
 * The Rules tab: how a check interprets its pings, and a form for testing the rules. Without JavaScript, a button reloads the page with the
 * test result.
 */

import { isDeepStrictEqual } from 'node:util'
import { applySpec, type Check, type CheckSpec } from '../../../../../domain/check/check.ts'
import type { CheckWithChannels } from '../../../../../domain/check/representation.ts'
import { tryRules } from '../../../../../domain/ping/try-rules.ts'
import { tryRulesOnLog } from '../../../../../services/advice/try-rules.ts'
import { updateCheck } from '../../../../../services/checks/checks.ts'
import { checkPath } from '../../../href.ts'
import { type Html, type HtmlValue, html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { submit } from '../../../parts/forms/buttons.ts'
import { type FieldErrors, firstBad, firstMistake } from '../../../parts/forms/fields.ts'
import { card } from '../../../parts/lists.ts'
import type { FrameContent, PageAnswer, ProjectVisit } from '../../../route.ts'
import { again } from '../../forms.ts'
import { type EditForm, editPage } from '../edit-page.ts'
import { fillIn } from '../readings.ts'
import { specErrors } from '../spec-errors.ts'
import { SAVING_PART, savingPart } from '../woken.ts'
import { RULES_FIELDS, type RulesValues, readRules, rulesFields, rulesLabel, rulesOf } from './fields.ts'
import { newestIgnored } from './newest-ignored.ts'
import { PAST_PART, pastPart, type ShownPast } from './past.ts'
import { readSample, type SampleValues, sampleFields, sampleOf } from './sample-fields.ts'
import { trialHtml } from './trial.ts'

const TRY = { name: 'action', value: 'try' } as const

export function rulesForm(deps: PageDeps): EditForm {
  return {
    tab: 'rules',
    async show(found, visit) {
      const { check } = found
      const { check: filled, above } = await fillIn(deps, visit, check, 'rules', ({ methods }) => methods !== undefined)
      const isAsked = visit.url.searchParams.get('try') === 'newest'
      const sample = { ...sampleFor(check), ...(isAsked ? await newestIgnored(deps, visit, check) : null) }
      return rulesPage({ visit, found, above, rules: rulesOf(filled), sample, errors: {}, past: null })
    },
    async act(found, visit): Promise<PageAnswer> {
      const { actor, form } = visit
      const { check } = found
      const rules = readRules(form)
      const errors = specErrors(rules, null)
      const data = { visit, found, rules, sample: readSample(form), errors, past: null }
      if (Object.keys(errors).length > 0) return again(rulesPage(data))
      if (form.text(TRY.name) === TRY.value) {
        return rulesPage({ ...data, past: await triedOnLog(deps, visit, check, rules) })
      }
      await updateCheck(deps, actor, check, rules satisfies CheckSpec, false)
      return { kind: 'redirect', to: checkPath(actor.project.slug, check.publicId), done: 'rules-saved' }
    },
    async preview({ check }, visit) {
      const [rules, sample] = [readRules(visit.form), readSample(visit.form)]
      const past = await triedOnLog(deps, visit, check, rules)
      return html`${tried(check, rules, sample)}${pastPart(past)}${savingPart(past)}`
    },
  }
}

/** Returns an empty sample ping, of the kind that the check searches for keywords. */
function sampleFor({ filterSubject, filterBody, filterHttpBody, status }: Check): SampleValues {
  const via = (filterSubject || filterBody) && !filterHttpBody ? 'email' : 'http'
  return { via, method: 'POST', end: '', subject: '', text: '', isPaused: status === 'paused' }
}

interface RulesData {
  readonly visit: ProjectVisit
  readonly found: CheckWithChannels
  readonly above?: HtmlValue
  readonly rules: RulesValues
  readonly sample: SampleValues
  readonly errors: FieldErrors
  readonly past: ShownPast | null
}

function rulesPage({ visit, found, above, rules, sample, errors, past }: RulesData): FrameContent {
  const { check } = found
  return editPage({
    visit,
    found,
    tab: 'rules',
    help: 'pages#trying-rules',
    above,
    // Pressing Enter in a sample ping's field would submit the form and save the rules. A disabled button before all other buttons prevents
    // that.
    fields: html`<button disabled hidden></button>${card({
      title: 'Rules',
      body: html`<div class="form rules">${rulesFields(rules, errors, firstBad(RULES_FIELDS, errors))}${check.mailDefaultSuccess && SUBJECT_FAIL}</div>`,
    })}
${savingPart(past)}`,
    button: 'Save rules',
    into: ['#tried', PAST_PART, SAVING_PART].join(),
    beside: card({
      title: 'Try it',
      body: html`<div class="form sample">${sampleFields(sample)}<noscript>${submit({ text: 'Try rules', field: TRY })}</noscript>
${tried(check, rules, sample)}${pastPart(past)}</div>`,
    }),
    isRefused: Object.keys(errors).length > 0,
  })
}

const SUBJECT_FAIL = html`<p class="help">The API set <code>subject_fail</code> without <code>subject</code> on this check, so an email without a keyword is a success. This no longer applies once you change the keywords or where they are searched.</p>`

/** Renders how the sample ping would be counted under the rules in the form. */
function tried(check: Check, rules: RulesValues, sample: SampleValues): Html {
  return html`<div id="tried" role="status">${mistake(rules) ?? trialHtml(trial(check, rules, sample), rules, sample)}</div>`
}

/** Tests the rules on the pings in the log. Returns null if the rules are unchanged or have a mistake, or if the log is empty. */
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

/** Returns the first mistake in the rules; null if they can be saved. */
function mistake(rules: RulesValues): Html | null {
  const words = firstMistake(RULES_FIELDS, rulesLabel, specErrors(rules, null))
  return words === null ? null : html`<p class="err">${words}</p>`
}
